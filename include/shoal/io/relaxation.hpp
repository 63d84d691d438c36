// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision/relaxation.hpp>
#include <shoal/io/overrides.hpp>
#include <shoal/io/run.hpp>
#include <shoal/io/second_gas.hpp>

#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Cases of kind = "relaxation": spatially homogeneous relaxation of a gas to equilibrium. Host only.
namespace shoal::io::relaxation {

using Vector = std::array<double, 3>;

enum class Distribution { bkw, two_beams, maxwellian, file };

/// Initial distribution of the gas.
struct Initial {
  Distribution distribution = Distribution::bkw;
  double density = 1;               ///< number density, m⁻³
  double temperature = 1;           ///< temperature k T / m, m²/s²; of each beam for two_beams
  Vector velocity = {};             ///< mean velocity, m/s
  double amplitude = 0.4;           ///< amplitude 1 − K of the BKW solution
  Vector apart = {1.2, 0, 0};       ///< two_beams: velocity of one beam relative to the mean, m/s
  std::filesystem::path file = {};  ///< .npy or .h5 file; relative to the case file before it is read
  std::string dataset = "f";        ///< dataset name in a .h5 file
  std::string place = "initial";    ///< location in the case file, for messages: "case.toml:9"
};

struct Case {
  std::string title = {};
  std::string text = {};    ///< case file with all defaults filled in, stored with the output
  double duration = 0;      ///< duration, s
  double output_every = 0;  ///< output interval, s; 0: at the start and the end only
  sph::Precision precision = sph::Precision::double_;
  VelocityGrid grid = {};
  Molecules gas = {};
  std::optional<SecondGas> second_gas = {};  ///< empty: one gas
  Initial initial = {};
  std::optional<Initial> second_initial = {};  ///< Distribution of the second gas at the start.
  CollisionOptions collision = {};
  RelaxationOptions scheme = {};
};

/// Reads a case file of kind = "relaxation", as io::read_case() does for kind = "sph".
/// @throws Error  the errors of io::read_case()
Case read_case(const std::filesystem::path& file, const Overrides& overrides = {});
Case parse_case(std::string_view text, std::string_view name, const Overrides& overrides = {});

/// Returns a case as TOML text with every value. parse_case() reads it back to the same case.
std::string case_text(const Case& simulation);

/// Returns the initial distribution f at the nodes of the velocity grid, x fastest; of a mixture, that of both gases.
/// @throws Error  the file cannot be read, or its shape differs from the grid
std::vector<double> initial_distribution(const Case& simulation);

/// Reads n³ values of a distribution from NumPy (.npy, <f4 or <f8, C order) or HDF5 (.h5, .hdf5). The shape is (n, n,
/// n), with x as the last index, or (n³).
/// @param dataset  dataset name in an HDF5 file
/// @throws Error  the file cannot be read; another shape or number type
std::vector<double> read_distribution(const std::filesystem::path& file, const std::string& dataset, int nodes);

/// Relaxation of a case on a device, in single or double precision.
using Gas = std::variant<Relaxation<float>, Relaxation<double>>;

/// Creates the relaxation of a case on the device of `queue`. On several ranks all call it: they share the work of the
/// case's one cell, and each has the whole f.
/// @throws Error  on all ranks: contradictory values in the case; f is negative or not finite; a given time step is too long;
///                several ranks on CUDA, which do not share a cell, or with a mixture
Gas open_gas(const Queue& queue, const Case& simulation, const Communicator& ranks = Communicator::alone());

/// Returns the warnings of Collision::warnings() about a velocity grid that is too small.
std::vector<Warning> warnings(Gas& gas);
/// Returns 1 / max ν, the inverse of the largest collision frequency, s.
double step_bound(Gas& gas);

/// Result of a run of kind = "relaxation". `solving` is part of `wall`.
struct Report : RunResult {
  std::string approach, method;
  std::int64_t nodes = 0, steps = 0, evaluations = 0, states = 0;
  double time = 0;                                              ///< time of the last state, s
  double solving = 0;                                           ///< wall time in time steps, s
  double mass_drift = 0, momentum_drift = 0, energy_drift = 0;  ///< relative drift of each invariant at the end
  double entropy_rise = 0;
  /// Largest relative error of m4 over all states with an exact value; NaN if there is none.
  double m4_error = std::numeric_limits<double>::quiet_NaN();
  /// Largest relative error of the temperatures of a mixture over all states with an exact value; NaN if there is none.
  double temperature_error = std::numeric_limits<double>::quiet_NaN();
};

/// Returns the names of the files that a run writes into its folder.
std::vector<std::string> output_names();

/// Prepares `folder` for a run, as io::prepare_output() does for kind = "sph".
void prepare_output(const std::filesystem::path& folder, bool force);

/// Runs a case and writes its output into the folder of `options` (docs/output.md). moments.csv has moments, entropy,
/// drifts of the invariants and exact values at every output time. distribution.npy has the final f, which a later case
/// can read as `file`; moments_second.csv and distribution_second.npy are those of a second gas. case.toml and summary.json describe the run. The run ignores `resume` and `restart_every`,
/// because it writes no restarts.
/// @throws Error  an error of the operation or of an output, on all ranks; rows written before remain
/// @param gas  result of open_gas() with the ranks of `options`
Report run(Gas& gas, const Queue& queue, const Case& simulation, const RunOptions& options);

/// Returns the summary of a run, a few lines of text.
std::string summary_text(const Report& report);

}  // namespace shoal::io::relaxation

namespace shoal {

template <>
inline constexpr auto enumerator_names<io::relaxation::Distribution> =
    std::array<std::string_view, 4>{"bkw", "two_beams", "maxwellian", "file"};

}  // namespace shoal
