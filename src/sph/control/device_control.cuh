// SPDX-License-Identifier: Apache-2.0
// Control of the particles of the CUDA methods: one pass over the rows for each call, and one after each stage where a
// program accelerates them.
#pragma once
#include <shoal/array.hpp>

#include <functional>

#include "sph/control/change/device_change.cuh"
#include "sph/control/particle_control.hpp"
#include "sph/stepping/cuda/step_arrays.cuh"

namespace shoal::sph {

/// Report of the kernels.
struct ControlStatus {
  unsigned long long refused;        ///< the smallest refusal
  unsigned long long speed_squared;  ///< bits of a double, as the next: limits of the next step
  unsigned long long acceleration_squared;
};

/// Field of accelerations by a program.
template <class Real>
struct AccelerationField {
  const Real* by_id;   ///< [ids][D] m/s²
  std::int64_t known;  ///< number of ids; later ones have none
};

/// Functions of a method that its control calls.
template <class Real, int dimensions>
struct ControlHooks {
  std::function<ParticleRows<Real, dimensions>()> particles;
  std::function<void()> require_running;  ///< throws the fault of the run
  std::function<void()> capture;          ///< captures the steps again
  DeviceChangeHooks<Real, dimensions> change;
};

template <class Real, int dimensions>
class DeviceControl final : public ParticleControl<Real, dimensions> {
 public:
  DeviceControl(const Queue& queue, const Communicator& ranks, const Parameters<Real, dimensions>& parameters,
                DeviceClock* clock, ControlHooks<Real, dimensions> hooks);

  ParticleRows<Real, dimensions> particles() override { return hooks_.particles(); }
  void copy(const Lattice& lattice, const ParticleCopies& copies) override;
  std::uint64_t find_rows(View<const std::int64_t> ids, std::int64_t end_of_ids, std::int64_t* row) override;
  std::uint64_t check(const SetRequest& request) override;
  void set(const SetRequest& request, std::int64_t end_of_ids) override;
  void clear_acceleration() override;
  std::int32_t find_near(const Parameters<Real, dimensions>& domain,
                         const SortedPositions<Real, dimensions>& added) override {
    hooks_.require_running();
    return change_.find_near(domain, particles(), added);
  }
  void add(const HostState<Real, dimensions>& added, double most_dt) override { change_.add(added, most_dt); }
  std::uint64_t mark(const Lattice& lattice, const RemoveRequest& request) override {
    hooks_.require_running();
    return change_.mark(lattice, particles(), request);
  }
  std::int64_t marked() override { return change_.marked(); }
  void remove_marked() override { change_.remove_marked(); }

  /// Returns true if accelerations act.
  bool accelerates() const { return acceleration_.count() > 0; }
  AccelerationField<Real> accelerations() const { return {acceleration_.data(), acceleration_.count() / dimensions}; }

 private:
  void clear_status();
  std::uint64_t refused() const;
  void take_limits_of_ranks();
  void make_accelerations(std::int64_t end_of_ids);

  Queue queue_;
  Communicator ranks_;
  const Parameters<Real, dimensions>& parameters_;
  DeviceClock* clock_;
  ControlHooks<Real, dimensions> hooks_;
  DeviceChange<Real, dimensions> change_;
  Array<ControlStatus> status_;
  Array<std::int32_t> row_of_id_;
  Array<unsigned> first_;     ///< [rows] first index of a request that names a row
  Array<Real> acceleration_;  ///< [ids][D] m/s²; empty: none
};

/// Adds the accelerations by a program after a stage, and counts the particles in their cells for the next step.
template <class Cells, class Physics, class Real, int dimensions>
__global__ void add_accelerations(Parameters<Real, dimensions> parameters, StepArrays<Real, dimensions> arrays,
                                  StateView<Real, dimensions> next, int stage, bool last, bool counts,
                                  AccelerationField<Real> field) {
  join_chain(false);
  DeviceClock& clock = *arrays.clock;
  if (!clock.running) return;
  const std::int64_t index = thread_index();
  const bool exists = index < arrays.n;
  const std::int64_t i = arrays.first + (exists ? index : 0);
  const std::int64_t id = id_of_label(arrays.base_label[i]);
  ValueLimits<Real> limits;
  if (exists && arrays.base_cell[i] != parameters.cell_count && id < field.known && !is_wall(next.position[i])) {
    const StageStep<Real> step(parameters.integrator, stage, static_cast<Real>(clock.dt), clock.step);
    limits = add_acceleration<Physics>(parameters, step, field.by_id + id * dimensions, next, i);
  }
  if (exists && counts) count_in_cell<Cells>(parameters, arrays, i, next.position[i]);
  if (last) clock.record_speeds(parameters.control, limits.speed_squared, limits.acceleration_squared);
}

}  // namespace shoal::sph
