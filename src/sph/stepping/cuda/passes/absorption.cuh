// SPDX-License-Identifier: Apache-2.0
// Active absorption of the CUDA methods: a pass over the particles at the start of a step measures the water levels at gauges,
// and one thread a paddle then adds absorption to its planned poses. One device reads nothing on the host.
#pragma once
#include <shoal/array.hpp>
#include <shoal/ranks/communicator.hpp>

#include <cstdint>
#include <vector>

#include "sph/stepping/cuda/launches/lane.cuh"
#include "sph/stepping/cuda/step_arrays.cuh"
#include "sph/waves/absorption/absorption_item.hpp"

namespace shoal::sph {

/// Device arrays of the paddles of a run.
struct PaddleArrays {
  int count;
  const AbsorptionParameters* paddle;  ///< [count]
  AbsorptionState* before;             ///< [count] at the start of the step
  AbsorptionState* now;                ///< [count] after it
  unsigned long long* level;           ///< [count] sums of level_part(); 0 between steps
};

template <class Real, int dimensions>
class DeviceAbsorption {
 public:
  DeviceAbsorption(const Queue& queue, const Setup<Real, dimensions>& setup);

  bool empty() const { return paddle_.count() == 0; }

  /// States between steps, or before the step that failed.
  std::vector<AbsorptionState> states(bool before_step) const;

  /// Moves the paddles through a step. Collective: several ranks add their levels on the host.
  /// @param plan  of the step, without absorption
  void move(const Lane& lane, const Parameters<Real, dimensions>& parameters,
            const StepArrays<Real, dimensions>& arrays, StepPlan<dimensions>* plan);

 private:
  PaddleArrays arrays();

  Queue queue_;
  Communicator ranks_;
  Array<AbsorptionParameters> paddle_;
  Array<AbsorptionState> before_;
  Array<AbsorptionState> now_;
  Array<std::int64_t> level_;
};

}  // namespace shoal::sph
