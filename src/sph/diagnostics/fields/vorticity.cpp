// SPDX-License-Identifier: Apache-2.0
#include "sph/diagnostics/fields/vorticity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/range.hpp"
#include "core/text.hpp"
#include "sph/physics/cells/cell_item.hpp"
#include "sph/physics/gradients/vorticity_item.hpp"
#include "sph/setup/parameters.hpp"

namespace shoal::sph {

namespace {

/// The fluid of a state in the order of its cells, then of ids.
template <class Real, int dimensions>
class FluidByCell {
 public:
  FluidByCell(const HostState<Real, dimensions>& state, const Parameters<Real, dimensions>& parameters)
      : parameters_(parameters) {
    for (std::size_t i = 0; i < state.count(); ++i) {
      if (is_wall(state.position[i])) continue;
      const std::uint32_t cell = cell_of(parameters, state.position[i]);
      if (cell != parameters.cell_count) particles_.push_back({cell, i});
    }
    std::sort(particles_.begin(), particles_.end(), [&](const InCell& a, const InCell& b) {
      return a.cell != b.cell ? a.cell < b.cell : state.id[a.particle] < state.id[b.particle];
    });
  }

  std::size_t count() const { return particles_.size(); }
  std::size_t particle(std::size_t k) const { return particles_[k].particle; }

  /// Calls visit(i) for the particles in the cells around that of particle number k.
  template <class Visit>
  void for_each_near(std::size_t k, const Visit& visit) const {
    for (int run = 0; run < run_count<GeneralPhysics>(parameters_); ++run) {
      const CellRun cells = run_of<GeneralPhysics>(parameters_, particles_[k].cell, run);
      auto near = std::lower_bound(particles_.begin(), particles_.end(), cells.first,
                                   [](const InCell& particle, std::uint32_t cell) { return particle.cell < cell; });
      for (; near != particles_.end() && near->cell < cells.end; ++near) visit(near->particle);
    }
  }

 private:
  struct InCell {
    std::uint32_t cell;
    std::size_t particle;
  };
  const Parameters<Real, dimensions>& parameters_;
  std::vector<InCell> particles_;
};

/// Index of the layer of cells across the last axis.
template <class Real, int dimensions>
std::int64_t layer_of(const Parameters<Real, dimensions>& parameters,
                      const PositionDensity<Real, dimensions>& position) {
  return cell_along(parameters, position, dimensions - 1);
}

}  // namespace

void require_dimensions_of_vorticity(const Case& simulation) {
  require(simulation.dimensions > 1, "sph: vorticity needs 2 or 3 dimensions, got 1. Set run.vorticity = false.");
}

template <class Real, int dimensions>
std::vector<std::array<float, 3>> vorticity_of(const HostState<Real, dimensions>& state,
                                               const Parameters<Real, dimensions>& parameters, int threads,
                                               const Case& simulation) {
  const double unit_mass = simulation.materials.front().density * std::pow(simulation.spacing, dimensions);
  const auto volume = [&](std::size_t i) {
    const auto material = static_cast<std::size_t>(Tag::material(state.tag[i]));
    const double mass = state.properties.empty() ? unit_mass : static_cast<double>(state.properties[i].mass);
    return mass / (simulation.materials[material].density + static_cast<double>(state.position[i].density));
  };
  const FluidByCell<Real, dimensions> fluid(state, parameters);
  std::vector<std::array<float, 3>> values(state.count());
#pragma omp parallel for num_threads(threads_for(static_cast <std::int64_t>(fluid.count()), threads))
  for (std::size_t k = 0; k < fluid.count(); ++k) {
    const std::size_t i = fluid.particle(k);
    const Particle<Real, dimensions> particle = state.particle(i);
    VelocityGradientSums<double, dimensions> sums;
    fluid.for_each_near(k, [&](std::size_t j) { add_fluid(parameters, particle, state.particle(j), volume(j), sums); });
    const Vorticity curl = vorticity(sums);
    for (std::size_t axis = 0; axis < 3; ++axis) values[i][axis] = static_cast<float>(curl.along[axis]);
  }
  return values;
}

template <class Real, int dimensions>
HostState<Real, dimensions> with_layers_of_other_ranks(const HostState<Real, dimensions>& state,
                                                       const Parameters<Real, dimensions>& parameters,
                                                       const Communicator& ranks,
                                                       const ArraysOf<Real, dimensions>& arrays) {
  std::int64_t first = std::numeric_limits<std::int64_t>::max(), last = -1;
  const auto is_inside = [&](std::size_t i) { return !is_outside(parameters, state.position[i]); };
  for (std::size_t i = 0; i < state.count(); ++i) {
    if (!is_inside(i)) continue;
    first = std::min(first, layer_of(parameters, state.position[i]));
    last = std::max(last, layer_of(parameters, state.position[i]));
  }
  std::vector<std::size_t> outer;
  for (std::size_t i = 0; i < state.count(); ++i) {
    const std::int64_t layer = layer_of(parameters, state.position[i]);
    if (is_inside(i) && (layer == first || layer == last)) outer.push_back(i);
  }
  HostState<Real, dimensions> sent = arrays.make(outer.size());
  for (std::size_t k = 0; k < outer.size(); ++k) copy_particle(state, outer[k], sent, k);
  const HostState<Real, dimensions> received = gather(ranks, arrays, sent);
  HostState<Real, dimensions> joined = state;
  for (std::size_t i = 0; i < received.count(); ++i) {
    const std::int64_t layer = layer_of(parameters, received.position[i]);
    if (layer >= first && layer <= last) continue;  // a particle of this rank
    const std::size_t n = joined.count();
    arrays.resize(joined, n + 1);
    copy_particle(received, i, joined, n);
  }
  return joined;
}

#define SHOAL_VORTICITY(Real, D)                                                                                      \
  template std::vector<std::array<float, 3>> vorticity_of(const HostState<Real, D>&, const Parameters<Real, D>&, int, \
                                                          const Case&);                                               \
  template HostState<Real, D> with_layers_of_other_ranks(const HostState<Real, D>&, const Parameters<Real, D>&,       \
                                                         const Communicator&, const ArraysOf<Real, D>&);
SHOAL_VORTICITY(float, 1)
SHOAL_VORTICITY(float, 2)
SHOAL_VORTICITY(float, 3)
SHOAL_VORTICITY(double, 1)
SHOAL_VORTICITY(double, 2)
SHOAL_VORTICITY(double, 3)
#undef SHOAL_VORTICITY

}  // namespace shoal::sph
