// SPDX-License-Identifier: Apache-2.0
#include "gas/setup/gas_setup.hpp"

#include <cmath>

#include "core/text.hpp"

namespace shoal::gas {

namespace {

constexpr const char* end_names[] = {"first", "last"};

const VelocityGrid& checked(const VelocityGrid& grid) {
  require(grid.nodes >= 8 && grid.nodes <= most_nodes, "gas: a velocity grid of ", grid.nodes,
          " nodes along each axis, expected 8 to ", most_nodes, ".");
  require(std::isfinite(grid.half_width) && grid.half_width > 0, "gas: the half width of the velocity grid is ",
          grid.half_width, " m/s, expected a positive number.");
  for (const double u : grid.center) require(std::isfinite(u), "gas: the center of the velocity grid is not finite.");
  return grid;
}

const std::vector<double>& checked(const std::vector<double>& faces) {
  require(faces.size() >= 3, "gas: ", faces.size(), " faces of cells, expected 3 or more, for two cells.");
  for (std::size_t i = 0; i < faces.size(); ++i)
    require(std::isfinite(faces[i]) && (i == 0 || faces[i] > faces[i - 1]), "gas: face ", i,
            " of the cells is at x = ", faces[i], " m, expected finite positions in ascending order.");
  return faces;
}

const GasOptions& checked(const GasOptions& options) {
  require(options.step_share > 0 && options.step_share <= 1, "gas: step_share is ", options.step_share,
          ", expected a share of the longest step, above 0 and at most 1.");
  const double least = options.model == GasModel::es_bgk ? 2. / 3 - 1e-12 : 0;
  const bool used = options.model == GasModel::es_bgk || options.model == GasModel::shakhov;
  require(!used || (options.prandtl > 0 && options.prandtl >= least && options.prandtl <= 1),
          "gas: the Prandtl number of ", to_name(options.model), " is ", options.prandtl, ", expected ",
          options.model == GasModel::es_bgk ? "2/3 to 1." : "a number above 0 and at most 1.");
  return options;
}

bool is_reservoir(GasBoundaryKind kind) {
  return kind == GasBoundaryKind::inflow || kind == GasBoundaryKind::behind_shock;
}

void check(const GasBoundary& boundary, const char* end, const VelocityGrid& grid) {
  using Kind = GasBoundaryKind;
  const Kind kind = boundary.kind;
  const std::string name = text("gas: the ", to_name(kind), " boundary at the ", end, " face");
  if (kind == Kind::diffuse || is_reservoir(kind)) {
    require(std::isfinite(boundary.temperature) && boundary.temperature > 0, name, " has a temperature of ",
            boundary.temperature, " m2/s2, expected a positive number.");
    for (const double u : boundary.velocity) require(std::isfinite(u), name, " has a velocity that is not finite.");
  }
  if (is_reservoir(kind))
    require(std::isfinite(boundary.density) && boundary.density > 0, name, " has a density of ", boundary.density,
            " 1/m3, expected a positive number.");
  if (kind == Kind::diffuse) {
    require(boundary.velocity[0] == 0, name, " moves along x at ", boundary.velocity[0],
            " m/s, expected 0: the cells do not move. Let it move along y or z.");
    require(boundary.accommodation >= 0 && boundary.accommodation <= 1, name, " has accommodation ",
            boundary.accommodation, ", expected 0 to 1.");
  }
  const bool reflects = kind == Kind::specular || (kind == Kind::diffuse && boundary.accommodation < 1);
  require(!reflects || grid.center[0] == 0, name,
          " reflects v_x, but the velocity grid has its center at v_x = ", grid.center[0],
          " m/s, so reflected velocities are not nodes. Set the x component of the center to 0.");
}

/// Shapes of the cells; those at the ends have the boundary as neighbor, or each other.
std::vector<CellShape> cell_shapes(const std::vector<double>& faces, bool periodic) {
  const std::size_t cells = faces.size() - 1;
  const auto width = [&](std::size_t i) { return faces[i + 1] - faces[i]; };
  const auto factor = [&](std::size_t i, std::size_t neighbor) { return width(i) / (width(i) + width(neighbor)); };
  std::vector<CellShape> shapes;
  for (std::size_t i = 0; i < cells; ++i) {
    CellShape& shape = shapes.emplace_back(CellShape{width(i), 1, 1});
    if (i > 0 || periodic) shape.left_factor = factor(i, i > 0 ? i - 1 : cells - 1);
    if (i + 1 < cells || periodic) shape.right_factor = factor(i, i + 1 < cells ? i + 1 : 0);
  }
  return shapes;
}

/// Sum of |v_x| M over the nodes from `begin` to `end` along x.
double entering_flux(const NodeVelocities& nodes, const DiscreteMaxwellian& maxwellian, int begin, int end) {
  double sum = 0;
  for (int z = 0; z < nodes.n; ++z)
    for (int y = 0; y < nodes.n; ++y)
      for (int x = begin; x < end; ++x) sum += std::abs(nodes.velocity(0, x)) * maxwellian.value(x, y, z);
  return sum;
}

/// S / f₀ of GasGradients.
double gradient_rate(double vx, double vy, double vz, double base_temperature, double pressure, double temperature) {
  const double energy = (vx * vx + vy * vy + vz * vz) / (2 * base_temperature);
  return -vy * (pressure + temperature * (energy - 2.5));
}

}  // namespace

GasSetup::GasSetup(const VelocityGrid& grid, const std::vector<double>& cell_faces,
                   const std::array<GasBoundary, 2>& both_boundaries, const Molecules& gas_molecules,
                   const GasOptions& gas_options)
    : velocities(checked(grid)),
      nodes(grid),
      faces(checked(cell_faces)),
      boundaries(both_boundaries),
      molecules(gas_molecules),
      options(checked(gas_options)) {
  require((boundaries[0].kind == GasBoundaryKind::periodic) == (boundaries[1].kind == GasBoundaryKind::periodic),
          "gas: one boundary is periodic and the other is not. Make both periodic or none.");
  require(boundaries[0].kind != GasBoundaryKind::behind_shock,
          "gas: the boundary at the first face is behind_shock, expected ",
          "the gas ahead of the shock there, an inflow. Let the gas flow toward the last face.");
  require(boundaries[1].kind != GasBoundaryKind::behind_shock || boundaries[0].kind == GasBoundaryKind::inflow,
          "gas: the boundary at the last face is behind_shock, but that at the first face is ",
          to_name(boundaries[0].kind), ", expected inflow: the gas ahead of the shock.");
  if (options.model != GasModel::none) viscosity(molecules, 1);  // checks the molecules
  shapes = cell_shapes(faces, periodic());
  source = gradient_source();
  while (first_forward < nodes.n && nodes.velocity(0, first_forward) <= 0) ++first_forward;
  require(first_forward > 0 && first_forward < nodes.n,
          "gas: all nodes of the velocity grid move to the same side: ", "its center is at v_x = ", grid.center[0],
          " m/s and its half width is ", grid.half_width, " m/s. Enlarge the half width.");
  for (std::size_t end = 0; end < 2; ++end) {
    const GasBoundary& boundary = boundaries[end];
    check(boundary, end_names[end], grid);
    BoundaryState& state = boundary_states[end];
    if (boundary.kind == GasBoundaryKind::diffuse) state.law = DiffuseWall{boundary.accommodation};
    if (boundary.kind == GasBoundaryKind::specular) state.law = SpecularWall{};
    if (boundary.kind == GasBoundaryKind::inflow) state.law = Inflow{};
    if (boundary.kind == GasBoundaryKind::behind_shock) state.law = BehindShock{};
    if (boundary.kind != GasBoundaryKind::diffuse && !is_reservoir(boundary.kind)) continue;
    state.maxwellian = maxwellian(is_reservoir(boundary.kind) ? boundary.density : 1, boundary.velocity,
                                  boundary.temperature, text("the boundary at the ", end_names[end], " face"));
    state.unit_flux =
        entering_flux(nodes, state.maxwellian, end == 0 ? first_forward : 0, end == 0 ? nodes.n : first_forward);
  }
}

/// Source of the gradients along y.
std::vector<double> GasSetup::gradient_source() const {
  const GasGradients& given = options.gradients;
  for (const double value : {given.pressure, given.temperature})
    require(std::isfinite(value), "gas: a gradient along y is ", value, " 1/m, expected a finite number.");
  if (!given.drive()) return {};
  for (const double value : {given.base_density, given.base_temperature})
    require(std::isfinite(value) && value > 0, "gas: the base state of the gradients has a density of ",
            given.base_density, " 1/m3 and a temperature of ", given.base_temperature,
            " m2/s2, expected positive numbers.");
  const DiscreteMaxwellian base =
      maxwellian(given.base_density, {}, given.base_temperature, "the base state of the gradients");
  std::vector<double> values;
  for (int z = 0; z < nodes.n; ++z)
    for (int y = 0; y < nodes.n; ++y)
      for (int x = 0; x < nodes.n; ++x)
        values.push_back(gradient_rate(nodes.velocity(0, x), nodes.velocity(1, y), nodes.velocity(2, z),
                                       given.base_temperature, given.pressure, given.temperature) *
                         base.value(x, y, z));
  return values;
}

bool GasSetup::closed() const { return !is_reservoir(boundaries[0].kind) && !is_reservoir(boundaries[1].kind); }

double GasSetup::largest_speed() const { return std::max(-nodes.velocity(0, 0), nodes.velocity(0, nodes.n - 1)); }

DiscreteMaxwellian GasSetup::maxwellian(double density, const std::array<double, 3>& velocity, double temperature,
                                        const std::string& what) const {
  DiscreteMaxwellian result;
  require(
      result.fit(nodes, density, velocity.data(), temperature), "gas: the velocity grid of ", nodes.n,
      " nodes and half width ", nodes.half_width, " m/s has no Maxwellian of ", what, ": density ", density,
      " 1/m3, velocity (", velocity[0], ", ", velocity[1], ", ", velocity[2], ") m/s, temperature ", temperature,
      " m2/s2. Use a half width of about 5 thermal speeds around the velocity, and a spacing of at most 0.7 of one.");
  return result;
}

}  // namespace shoal::gas
