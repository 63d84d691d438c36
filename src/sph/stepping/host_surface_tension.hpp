// SPDX-License-Identifier: Apache-2.0
// The two passes over the fluid that set the acceleration by surface tension before a stage, on the host, and their memory.
#pragma once
#include <cmath>
#include <utility>
#include <vector>

#include "sph/physics/surface_tension/surface_tension_item.hpp"
#include "sph/stepping/viscosities.hpp"

namespace shoal::sph {

template <class Real, int dimensions>
class HostSurfaceTension {
 public:
  using State = StateView<Real, dimensions>;
  using Physics = GeneralPhysics;

  /// @param interfaces  [materials][materials]; empty: the case has no surface tension
  HostSurfaceTension(std::vector<Interface<Real>>&& interfaces, int threads)
      : interfaces_(std::move(interfaces)),
        materials_(static_cast<int>(std::lround(std::sqrt(interfaces_.size())))),
        threads_(threads) {}

  bool empty() const { return interfaces_.empty(); }

  /// Makes room for the particles of a step.
  void resize(std::size_t count) {
    if (empty()) return;
    stress_.resize(count);
    acceleration_.resize(count);
  }

  SymmetricTensor<Real, dimensions>* stresses() { return stress_.data(); }  ///< [n] Pa
  /// [n] m/s²; null without surface tension.
  const VectorOf<Real, dimensions>* accelerations() const { return empty() ? nullptr : acceleration_.data(); }

  /// Sets the stresses of own particles.
  /// @param for_each_neighbor  for_each_neighbor(i, visit) calls visit(j) for the neighbors of particle i
  template <class ForEachNeighbor>
  void set_stresses(const Parameters<Real, dimensions>& parameters, const OwnedParticles& owned, const State& now,
                    const ForEachNeighbor& for_each_neighbor) {
    const TensionTable<Real> table = tensions();
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t i = owned.begin; i < owned.end; ++i) {
      const bool flows = i < owned.alive && !is_wall(now.position[i]);
      stress_[i] = capillary_stress<Physics>(
          parameters, table, load<Physics>(now, i), flows,
          [&](const auto& visit) { for_each_neighbor(i, [&](std::int64_t j) { visit(load<Physics>(now, j)); }); },
          [](Real value) { return value; });
    }
  }

  /// Sets the accelerations of own particles from the stresses of all.
  template <class ForEachNeighbor>
  void set_accelerations(const Parameters<Real, dimensions>& parameters, const OwnedParticles& owned, const State& now,
                         const ForEachNeighbor& for_each_neighbor) {
    const TensionTable<Real> table = tensions();
#pragma omp parallel for num_threads(threads_)
    for (std::int64_t i = owned.begin; i < owned.end; ++i) {
      acceleration_[i] = {};
      if (i >= owned.alive || is_wall(now.position[i])) continue;
      const ParticleOf<Physics, Real, dimensions> particle = load<Physics>(now, i);
      for_each_neighbor(i, [&](std::int64_t j) {
        add_capillary_force<Physics>(parameters, table, particle, stress_[i], load<Physics>(now, j), stress_[j],
                                     acceleration_[i]);
      });
    }
  }

 private:
  TensionTable<Real> tensions() const { return {interfaces_.data(), materials_}; }

  std::vector<Interface<Real>> interfaces_;
  int materials_;
  int threads_;
  std::vector<SymmetricTensor<Real, dimensions>> stress_;  ///< [n]
  std::vector<VectorOf<Real, dimensions>> acceleration_;   ///< [n]
};

}  // namespace shoal::sph
