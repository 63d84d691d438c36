// SPDX-License-Identifier: Apache-2.0
#include "gas/stepping/side_fluxes.hpp"

#include <cstdint>
#include <utility>

#include "ranks/rank_values.hpp"

namespace shoal::gas {

namespace {

/// Lines of a side that end at boundary faces of a rank.
std::int64_t lines_of(const GasSetup& setup, std::size_t side, int rank) {
  if (side / 2 != setup.cut_axis()) return setup.slab.slabs.count(rank) * static_cast<std::int64_t>(setup.species());
  return rank == (side % 2 == 0 ? 0 : setup.ranks.size() - 1) ? setup.lines.back().count : 0;
}

/// Fluxes of this rank through its faces of each side, record by record.
std::vector<GasFlux> own_sides(const GasSetup& setup, const std::vector<GasFlux>& own_fluxes, std::int64_t records) {
  const auto faces = static_cast<std::int64_t>(setup.boundary_faces.size());
  std::vector<GasFlux> part;
  for (std::int64_t record = 0; record < records; ++record)
    for (std::size_t side = 0; side < setup.boundaries.size(); ++side) {
      const std::int64_t ghosts =
          side / 2 == setup.cut_axis() ? 0 : setup.slab.ghosts[0] * static_cast<std::int64_t>(setup.species());
      const auto first = own_fluxes.begin() + record * faces + setup.lines[side / 2].boundary_face(side % 2, ghosts);
      part.insert(part.end(), first, first + lines_of(setup, side, setup.ranks.rank()));
    }
  return part;
}

/// Fluxes through the sides of each species.
FluxesOfSides of_species(const GasSetup& setup, FluxesOfSides fluxes) {
  if (!setup.mixture) return fluxes;
  FluxesOfSides sides(2 * fluxes.size());
  for (std::size_t side = 0; side < fluxes.size(); ++side)
    for (std::size_t line = 0; line < fluxes[side].size(); ++line) {
      // Along x the lines of both species alternate, along y those of a species follow each other.
      const std::size_t species = side < 2 ? line % 2 : line / (fluxes[side].size() / 2);
      sides[species * fluxes.size() + side].push_back(fluxes[side][line]);
    }
  return sides;
}

}  // namespace

GasFlux flux_from_sums(const NodeVelocities& nodes, const double* sums) {
  const double volume = nodes.volume();
  return {sums[0] * volume, {sums[1] * volume, sums[2] * volume, sums[3] * volume}, sums[4] * volume};
}

void add_flux(GasFlux& sum, const GasFlux& flux, double factor) {
  sum.mass += factor * flux.mass;
  for (std::size_t axis = 0; axis < 3; ++axis) sum.momentum[axis] += factor * flux.momentum[axis];
  sum.energy += factor * flux.energy;
}

std::vector<FluxesOfSides> gather_records(const GasSetup& setup, const std::vector<GasFlux>& own_fluxes) {
  const std::size_t sides = setup.boundaries.size();
  const std::int64_t records =
      static_cast<std::int64_t>(own_fluxes.size()) / static_cast<std::int64_t>(setup.boundary_faces.size());
  std::vector<std::int64_t> counts(static_cast<std::size_t>(setup.ranks.size()));
  for (int rank = 0; rank < setup.ranks.size(); ++rank)
    for (std::size_t side = 0; side < sides; ++side)
      counts[static_cast<std::size_t>(rank)] += records * lines_of(setup, side, rank);
  const std::vector<GasFlux> all_fluxes = gathered_on_all(setup.ranks, own_sides(setup, own_fluxes, records), counts);
  std::vector<FluxesOfSides> fluxes(static_cast<std::size_t>(records), FluxesOfSides(sides));
  auto next = all_fluxes.begin();
  for (int rank = 0; rank < setup.ranks.size(); ++rank)
    for (FluxesOfSides& record : fluxes)
      for (std::size_t side = 0; side < sides; ++side) {
        const std::int64_t count = lines_of(setup, side, rank);
        record[side].insert(record[side].end(), next, next + count);
        next += count;
      }
  for (FluxesOfSides& record : fluxes) record = of_species(setup, std::move(record));
  return fluxes;
}

std::vector<GasFlux> sums_of_sides(const GasSetup& setup, const FluxesOfSides& fluxes) {
  std::vector<GasFlux> sums(fluxes.size());
  for (std::size_t side = 0; side < sums.size(); ++side)
    for (std::size_t line = 0; line < fluxes[side].size(); ++line)
      add_flux(sums[side], fluxes[side][line],
               setup.face_size(side % setup.boundaries.size(), static_cast<std::int64_t>(line)));
  return sums;
}

}  // namespace shoal::gas
