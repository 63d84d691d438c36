// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <iosfwd>

#include "papers/neighbors/neighbors_figure.hpp"

// Searches beside the steps of an SPH run, which Godbole (2014) leaves to future work.
namespace shoal::benchmarks {

/// Smallest number of particles of a dam break whose column has a few particles along each edge.
inline constexpr std::int64_t least_dam_break = 1000;

/// Measurements at one time of the run.
struct DamBreakState {
  double time = 0;             ///< s, of the run, to half a step
  std::int64_t particles = 0;  ///< particles of water and walls
  Timing step;                 ///< a step of the solver is an iteration
  std::vector<Timing> searches;
};

/// Measurements of a dam break in three dimensions.
struct DamBreak {
  std::string solver;              ///< method of the solver and its device
  std::vector<std::string> names;  ///< [configurations]
  std::vector<DamBreakState> states;
  std::vector<std::string> failures;  ///< one sentence for each failure
};

/// Runs a dam break and measures every configuration with its particles at several times, without moving them, beside
/// the steps that the solver takes from there. Prints a line for each time.
/// @param particles  number of particles, approximately; at least `least_dam_break`
DamBreak measure_dam_break(const Queue& queue, std::int64_t particles, const std::vector<Configuration>& configurations,
                           const MeasureOptions& options, std::ostream& out);

/// Writes FOLDER/dam_break.csv.
void write_dam_break(const DamBreak& dam, const std::filesystem::path& folder);

}  // namespace shoal::benchmarks
