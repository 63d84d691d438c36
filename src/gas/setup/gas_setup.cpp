// SPDX-License-Identifier: Apache-2.0
#include "gas/setup/gas_setup.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/mixture/mixture_setup.hpp"
#include "core/text.hpp"

namespace shoal::gas {

namespace {

constexpr const char* axis_names[] = {"x", "y"};

/// Name of a side in messages; a line along x has two ends.
std::string side_name(std::size_t side, std::size_t dimensions) {
  constexpr const char* ends[] = {"first face", "last face"};
  constexpr const char* sides[] = {"left side", "right side", "bottom side", "top side"};
  return dimensions == 1 ? ends[side] : sides[side];
}

const VelocityGrid& checked(const VelocityGrid& grid) {
  require(grid.nodes >= 8 && grid.nodes <= most_nodes, "gas: a velocity grid of ", grid.nodes,
          " nodes along each axis, expected 8 to ", most_nodes, ".");
  require(std::isfinite(grid.half_width) && grid.half_width > 0, "gas: the half width of the velocity grid is ",
          grid.half_width, " m/s, expected a positive number.");
  for (const double u : grid.center) require(std::isfinite(u), "gas: the center of the velocity grid is not finite.");
  return grid;
}

const GasSetup::AxisFaces& checked(const GasSetup::AxisFaces& axes) {
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    const std::vector<double>& faces = axes[axis];
    require(faces.size() >= 3, "gas: ", faces.size(), " faces of cells", axes.size() > 1 ? " along " : "",
            axes.size() > 1 ? axis_names[axis] : "", ", expected 3 or more, for two cells.");
    for (std::size_t i = 0; i < faces.size(); ++i)
      require(std::isfinite(faces[i]) && (i == 0 || faces[i] > faces[i - 1]), "gas: face ", i, " of the cells is at ",
              axis_names[axis], " = ", faces[i], " m, expected finite positions in ascending order.");
  }
  return axes;
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

void check(const GasBoundary& boundary, const std::string& name, std::size_t axis, const VelocityGrid& grid) {
  using Kind = GasBoundaryKind;
  const Kind kind = boundary.kind;
  if (kind == Kind::diffuse || is_reservoir(kind)) {
    require(std::isfinite(boundary.temperature) && boundary.temperature > 0, name, " has a temperature of ",
            boundary.temperature, " m2/s2, expected a positive number.");
    for (const double u : boundary.velocity) require(std::isfinite(u), name, " has a velocity that is not finite.");
  }
  if (is_reservoir(kind))
    require(std::isfinite(boundary.density) && boundary.density > 0, name, " has a density of ", boundary.density,
            " 1/m3, expected a positive number.");
  if (kind == Kind::diffuse) {
    require(boundary.velocity[axis] == 0, name, " moves along ", axis_names[axis], " at ", boundary.velocity[axis],
            " m/s, expected 0: the cells do not move. Let it move along ", axis == 0 ? "y" : "x", " or z.");
    require(boundary.accommodation >= 0 && boundary.accommodation <= 1, name, " has accommodation ",
            boundary.accommodation, ", expected 0 to 1.");
  }
  if (boundary.last_temperature)
    require(kind == Kind::diffuse && std::isfinite(*boundary.last_temperature) && *boundary.last_temperature > 0, name,
            " has a temperature at its last end of ", *boundary.last_temperature,
            " m2/s2, expected a positive number, and a diffuse wall.");
  const bool reflects = kind == Kind::specular || (kind == Kind::diffuse && boundary.accommodation < 1);
  require(!reflects || grid.center[axis] == 0, name, " reflects v_", axis_names[axis],
          ", but the velocity grid has its center at v_", axis_names[axis], " = ", grid.center[axis],
          " m/s, so reflected velocities are not nodes. Set the ", axis_names[axis], " component of the center to 0.");
}

/// Checks what the boundaries of a flow need of each other.
void check_together(const std::vector<GasBoundary>& boundaries, std::size_t dimensions) {
  using Kind = GasBoundaryKind;
  for (std::size_t side = 0; side < boundaries.size(); side += 2)
    require((boundaries[side].kind == Kind::periodic) == (boundaries[side + 1].kind == Kind::periodic),
            "gas: one boundary is periodic and the other is not. Make both periodic or none.");
  for (const GasBoundary& boundary : boundaries) {
    require(dimensions == 1 || boundary.kind != Kind::behind_shock,
            "gas: a side of a plane is behind_shock, expected a line of cells along x. Use an inflow.");
    require(dimensions == 2 || !boundary.last_temperature,
            "gas: a boundary of a line of cells has a temperature at its last end, expected a side of a plane.");
  }
  require(boundaries[0].kind != Kind::behind_shock, "gas: the boundary at the first face is behind_shock, expected ",
          "the gas ahead of the shock there, an inflow. Let the gas flow toward the last face.");
  require(boundaries[1].kind != Kind::behind_shock || boundaries[0].kind == Kind::inflow,
          "gas: the boundary at the last face is behind_shock, but that at the first face is ",
          to_name(boundaries[0].kind), ", expected inflow: the gas ahead of the shock.");
}

/// Checks what a mixture needs of its boundaries and options.
void check_mixture(const Mixture& mixture, const std::vector<GasBoundary>& boundaries, const GasOptions& options) {
  for (std::size_t side = 0; side < boundaries.size(); ++side) {
    const GasBoundary& boundary = boundaries[side];
    const std::string name = side_name(side, boundaries.size() / 2);
    require(!is_reservoir(boundary.kind) || (std::isfinite(boundary.second_density) && boundary.second_density > 0),
            "gas: the ", to_name(boundary.kind), " boundary at the ", name, " has a density of species 1 of ",
            boundary.second_density, " 1/m3, expected a positive number.");
  }
  const GasModel model = options.model;
  require(model == GasModel::aap || model == GasModel::boltzmann || model == GasModel::none, "gas: the model ",
          to_name(model), " is for one gas, and this is a mixture. Use aap, boltzmann or none.");
  require(!options.gradients.drive(), "gas: gradients along y drive a mixture, expected one gas.");
  collision::check_mixture(mixture);
  for (const Molecules& molecules : mixture.species) viscosity(molecules, 1);  // checks the molecules
}

BoundaryLaw law_of(const GasBoundary& boundary) {
  switch (boundary.kind) {
    case GasBoundaryKind::diffuse:
      return DiffuseWall{boundary.accommodation};
    case GasBoundaryKind::inflow:
      return Inflow{};
    case GasBoundaryKind::behind_shock:
      return BehindShock{};
    case GasBoundaryKind::specular:
    case GasBoundaryKind::periodic:
      break;
  }
  return SpecularWall{};
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

/// Sum of the speed along an axis times M over the nodes with an index from `begin` to `end` along it.
double entering_flux(const NodeVelocities& nodes, const DiscreteMaxwellian& maxwellian, int axis, int begin, int end) {
  double sum = 0;
  for (int z = 0; z < nodes.n; ++z)
    for (int y = 0; y < nodes.n; ++y)
      for (int x = 0; x < nodes.n; ++x) {
        const int i = axis == 0 ? x : y;
        if (i >= begin && i < end) sum += std::abs(nodes.velocity(axis, i)) * maxwellian.value(x, y, z);
      }
  return sum;
}

/// S / f₀ of GasGradients.
double gradient_rate(double vx, double vy, double vz, double base_temperature, double pressure, double temperature) {
  const double energy = (vx * vx + vy * vy + vz * vz) / (2 * base_temperature);
  return -vy * (pressure + temperature * (energy - 2.5));
}

}  // namespace

GasSetup::GasSetup(const VelocityGrid& grid, const AxisFaces& cell_faces,
                   const std::vector<GasBoundary>& all_boundaries, const Molecules& gas_molecules,
                   const GasOptions& gas_options, const Communicator& all_ranks,
                   const std::optional<Mixture>& gas_mixture)
    : velocities(checked(grid)),
      nodes(grid),
      faces(checked(cell_faces)),
      boundaries(all_boundaries),
      molecules(gas_molecules),
      options(checked(gas_options)),
      mixture(gas_mixture),
      ranks(all_ranks),
      slab(cells_along(cut_axis()), boundaries[2 * cut_axis()].kind == GasBoundaryKind::periodic, ranks) {
  check_together(boundaries, dimensions());
  require(mixture || options.model != GasModel::aap,
          "gas: the model aap is for a mixture, and this is one gas. Use bgk.");
  if (mixture)
    check_mixture(*mixture, boundaries, options);
  else if (options.model != GasModel::none)
    viscosity_law = gas::viscosity_law(molecules);
  for (std::size_t axis = 0; axis < dimensions(); ++axis) add_lines(axis);
  source = gradient_source();
  for (std::size_t end = 0; end < 2 * dimensions(); ++end) add_boundary(end);
}

void GasSetup::add_lines(std::size_t axis) {
  const auto along = static_cast<int>(axis);
  int first_forward = 0;
  while (first_forward < nodes.n && nodes.velocity(along, first_forward) <= 0) ++first_forward;
  require(first_forward > 0 && first_forward < nodes.n,
          "gas: all nodes of the velocity grid move to the same side: ", "its center is at v_", axis_names[axis], " = ",
          velocities.center[axis], " m/s and its half width is ", velocities.half_width,
          " m/s. Enlarge the half width.");
  const bool is_cut = axis == cut_axis();
  const auto stored_along = [&](std::size_t a) { return a == cut_axis() ? slab.stored() : cells_along(a); };
  const std::int64_t columns = stored_along(0), length = stored_along(axis);
  const auto gases = static_cast<std::int64_t>(species());
  const std::int64_t count = gases * (dimensions() == 1 ? 1 : stored_along(1 - axis));
  const std::int64_t first_face = lines.empty() ? 0 : 2 * lines[0].count;
  const std::vector<CellShape> all_shapes = cell_shapes(faces[axis], periodic(axis));
  std::vector<CellShape> shapes;
  for (std::int64_t place = 0; place < length; ++place)
    shapes.push_back(all_shapes[static_cast<std::size_t>(is_cut ? slab.number(place) : place)]);
  lines.push_back({.axis = along,
                   .species = gases,
                   .count = count,
                   .length = length,
                   .step = is_cut ? layer_cells() : 1,
                   .apart = is_cut ? 1 : columns,
                   .ghosts = is_cut ? slab.ghosts : std::array<std::int64_t, 2>{},
                   .periodic = periodic(axis) && !(is_cut && ranks.size() > 1),
                   .first_forward = first_forward,
                   .largest_speed = std::max(-nodes.velocity(along, 0), nodes.velocity(along, nodes.n - 1)),
                   .first_boundary_face = first_face,
                   .shapes = std::move(shapes)});
}

void GasSetup::add_boundary(std::size_t side) {
  const GasBoundary& boundary = boundaries[side];
  const std::size_t axis = side / 2;
  const std::string place = side_name(side, dimensions());
  check(boundary, text("gas: the ", to_name(boundary.kind), " boundary at the ", place), axis, velocities);
  laws.push_back(law_of(boundary));
  const CellLines& along = lines[axis];
  if (along.ghosts[side % 2] > 0) {
    boundary_faces.resize(boundary_faces.size() + static_cast<std::size_t>(along.count));
    return;
  }
  std::vector<BoundaryFace> same;  // of each species
  for (std::size_t k = 0; k < species() && !boundary.last_temperature; ++k)
    same.push_back(boundary_face(side, k, boundary.temperature));
  for (std::int64_t line = 0; line < along.count; ++line) {
    const auto k = static_cast<std::size_t>(along.species_of(line));
    boundary_faces.push_back(boundary.last_temperature ? boundary_face(side, k, temperature_at(side, line)) : same[k]);
  }
}

/// Temperature of a side that is linear along it, at the end of a line.
double GasSetup::temperature_at(std::size_t side, std::int64_t line) const {
  const GasBoundary& boundary = boundaries[side];
  const std::size_t axis = side / 2;
  const std::int64_t index = lines[axis].index_of(line);
  const auto i = static_cast<std::size_t>(axis == cut_axis() ? index : slab.number(index));
  const std::vector<double>& across = faces[1 - axis];
  const double share = ((across[i] + across[i + 1]) / 2 - across.front()) / (across.back() - across.front());
  return boundary.temperature + share * (*boundary.last_temperature - boundary.temperature);
}

/// @param temperature  k T / m of species 0
BoundaryFace GasSetup::boundary_face(std::size_t side, std::size_t species, double temperature) const {
  const GasBoundary& boundary = boundaries[side];
  const double density = species == 0 ? boundary.density : boundary.second_density;
  if (species == 1) temperature *= mixture->species[0].mass / mixture->species[1].mass;
  const CellLines& along = lines[side / 2];
  const bool at_first = side % 2 == 0, reservoir = is_reservoir(boundary.kind);
  BoundaryFace face;
  if (boundary.kind != GasBoundaryKind::diffuse && !reservoir) return face;
  face.maxwellian = maxwellian(reservoir ? density : 1, boundary.velocity, temperature,
                               text("the boundary at the ", side_name(side, dimensions())));
  face.unit_flux = entering_flux(nodes, face.maxwellian, along.axis, at_first ? along.first_forward : 0,
                                 at_first ? nodes.n : along.first_forward);
  return face;
}

/// Source of the gradients along y.
std::vector<double> GasSetup::gradient_source() const {
  const GasGradients& given = options.gradients;
  for (const double value : {given.pressure, given.temperature})
    require(std::isfinite(value), "gas: a gradient along y is ", value, " 1/m, expected a finite number.");
  if (!given.drive()) return {};
  require(dimensions() == 1, "gas: gradients along y drive a flow in a plane of cells, expected a line along x.");
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

std::string GasSetup::cell_name(const SpeciesCell& cell) const {
  if (!mixture) return text("cell ", cell.cell);
  return text("cell ", cell.cell, " of species ", cell.species);
}

SpeciesCell GasSetup::cell_of(std::int64_t number) const {
  const std::int64_t layer = number / layer_cells(), rest = number % layer_cells();
  return {static_cast<std::size_t>(rest / species_cells()), layer * species_cells() + rest % species_cells()};
}

std::int64_t GasSetup::number_of(const SpeciesCell& cell) const {
  const std::int64_t layer = cell.cell / species_cells(), rest = cell.cell % species_cells();
  return layer * layer_cells() + static_cast<std::int64_t>(cell.species) * species_cells() + rest;
}

double GasSetup::length() const {
  double longest = 0;
  for (const std::vector<double>& along : faces) longest = std::max(longest, along.back() - along.front());
  return longest;
}

namespace {

double width_at(const std::vector<double>& faces, std::int64_t place) {
  const auto i = static_cast<std::size_t>(place);
  return faces[i + 1] - faces[i];
}

}  // namespace

double GasSetup::total_mass(const MassOfSpecies& mass) const {
  return mixture ? mass[0] + mixture->species[1].mass / mixture->species[0].mass * mass[1] : mass[0];
}

double GasSetup::excess_mass(const MassOfSpecies& mass) const {
  const GasBoundary& ahead = boundaries[0];
  return total_mass(mass) - total_mass({ahead.density * length(), ahead.second_density * length()});
}

double GasSetup::width(std::size_t axis, std::int64_t cell) const {
  const std::int64_t columns = cells_along(0);
  return width_at(faces[axis], axis == 0 ? cell % columns : cell / columns % cells_along(1));
}

double GasSetup::size(std::int64_t cell) const {
  double size = 1;
  for (std::size_t axis = 0; axis < dimensions(); ++axis) size *= width(axis, cell);
  return size;
}

double GasSetup::face_size(std::size_t side, std::int64_t line) const {
  return dimensions() == 1 ? 1 : width_at(faces[1 - side / 2], line);
}

bool GasSetup::closed() const {
  return std::none_of(boundaries.begin(), boundaries.end(), [](const GasBoundary& b) { return is_reservoir(b.kind); });
}

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
