// SPDX-License-Identifier: Apache-2.0
#include "sph/setup/filling/lattice.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/text.hpp"
#include "sph/physics/pairs/kernel_item.hpp"
#include "sph/setup/parts/case_parts.hpp"

namespace shoal::sph {

namespace {

double widest_spacing(const Case& simulation) {
  double widest = 0;
  for (const Body& body : simulation.bodies) widest = std::max(widest, body.spacing.value_or(simulation.spacing));
  return widest > 0 ? widest : simulation.spacing;
}

bool is_periodic(const Case& simulation, int axis) {
  const std::vector<Axis>& axes = simulation.scheme.periodic;
  return std::find(axes.begin(), axes.end(), static_cast<Axis>(axis)) != axes.end();
}

constexpr std::int64_t most_cells = 2147483647;

/// Number of cells along an axis. In a periodic direction the last cell also covers the remainder, so that no cell is
/// narrower than the support.
std::int64_t cells_along(double edges, bool is_periodic) {
  return is_periodic ? static_cast<std::int64_t>(std::floor(edges))
                     : std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(edges)));
}

}  // namespace

double most_smoothing_length(const Case& simulation) {
  if (simulation.smoothing_length == SmoothingLength::uniform) return simulation.smoothing * simulation.spacing;
  return simulation.most_smoothing * simulation.smoothing * widest_spacing(simulation);
}

double support(const Case& simulation) {
  return kernel_radius(simulation.scheme.kernel) * most_smoothing_length(simulation);
}

Lattice make_lattice(const Case& simulation, int coordinate_bits) {
  // An accepted pair has a rounded r² below support², so its true distance is below support (1 + 5e-7) in float; with
  // this margin such a pair is less than one cell apart along every axis, and no neighbor is missed.
  constexpr double margin = 1 + 1e-6;
  const double edge = support(simulation) * margin;
  const Box domain = domain_of(simulation);

  Lattice lattice{};
  std::int64_t most = 1;
  for (int axis = 0; axis < 3; ++axis) {
    lattice.cells[axis] = 1;
    if (axis >= simulation.dimensions) continue;
    const double length = domain.to[axis] - domain.from[axis];
    const bool repeats = is_periodic(simulation, axis);
    require(length / edge < (1 << 20), "sph: the domain is ", std::ceil(length / edge), " cells of ", edge,
            " m long, expected at most ", 1 << 20, ". Enlarge particles.spacing or shrink the domain.");
    const std::int64_t inside = cells_along(length / edge, repeats);
    require(!repeats || inside >= 3, "sph: the domain repeats along ", to_name(static_cast<Axis>(axis)), " every ",
            length, " m, expected at least 3 supports of the kernel, ", 3 * edge,
            " m: a particle must not meet its own image. Enlarge [domain] or lower particles.spacing.");
    lattice.cells[axis] = static_cast<int>(inside) + 2;  // one empty cell at each end: the ring
    lattice.origin[axis] = domain.from[axis] - edge;
    most = std::max<std::int64_t>(most, inside + 2 + repeats);
  }
  const int cell_bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(most + 1)));
  // Differences of neighbors must be exact in the arithmetic that uses them: 2^50 for double.
  lattice.bits = std::min(coordinate_bits - 1 - cell_bits, coordinate_bits == 32 ? 28 : 50);
  lattice.unit = std::ldexp(edge, -lattice.bits);
  for (int axis = 0; axis < simulation.dimensions; ++axis)
    if (is_periodic(simulation, axis))
      lattice.period[axis] = 2 * std::llround((domain.to[axis] - domain.from[axis]) / lattice.unit / 2);
  constexpr int coarsest = 12;
  require(lattice.bits >= coarsest, "sph: a domain of ", most, " cells leaves positions a resolution of only ",
          lattice.unit, " m in float. Set run.precision = \"double\".");
  require(lattice.cell_count() < most_cells, "sph: the domain has ", lattice.cell_count(),
          " cells, expected fewer than 2147483647. Enlarge particles.spacing or shrink the domain.");
  return lattice;
}

int slice_bits(const Lattice& lattice, int dimensions) {
  constexpr int most = 2;
  int bits = dimensions == 3 ? most : 0;
  while (bits > 0 && lattice.cell_count() << bits >= most_cells) --bits;
  return bits;
}

}  // namespace shoal::sph
