// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/run.hpp>
#include <shoal/relaxation.hpp>

#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Cases of kind = "relaxation": a gas that is the same everywhere on its way to equilibrium. Host only.
namespace shoal::io::relaxation {

using Vector = std::array<double, 3>;

enum class Distribution { bkw, two_beams, maxwellian, file };

/// The gas at time 0.
struct Initial {
  Distribution distribution = Distribution::bkw;
  double density = 1;               ///< m⁻³
  double temperature = 1;           ///< m²/s², k T / m; of each beam
  Vector velocity = {};             ///< m/s
  double amplitude = 0.4;           ///< bkw: 1 − K
  Vector apart = {1.2, 0, 0};       ///< m/s, two_beams: velocity of one beam relative to the mean
  std::filesystem::path file = {};  ///< .npy or .h5; relative to the case file until it is read
  std::string dataset = "f";        ///< of a .h5 file
  std::string place = "initial";    ///< for messages: "case.toml:9"
};

struct Case {
  std::string title = {};
  std::string text = {};    ///< the case file as resolved, kept with the output
  double duration = 0;      ///< s
  double output_every = 0;  ///< s; 0: at the start and the end
  sph::Precision precision = sph::Precision::double_;
  VelocityGrid grid = {};
  Molecules gas = {};
  Initial initial = {};
  CollisionOptions collision = {};
  RelaxationOptions scheme = {};
};

/// Reads a case file of kind = "relaxation" as io::read_case() does those of kind = "sph".
/// @throws Error  as io::read_case()
Case read_case(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});
Case parse_case(std::string_view text, std::string_view name, const std::vector<std::string>& overrides = {});

/// A case as TOML text, every value given; parse_case() reads it back to the same case.
std::string case_text(const Case& simulation);

/// f at the nodes of a case's grid, x fastest.
/// @throws Error  a file cannot be read, or has another shape than the grid
std::vector<double> initial_distribution(const Case& simulation);

/// Reads n³ numbers from a file of NumPy's (.npy, <f4 or <f8, C order) or of HDF5 (.h5, .hdf5): shape (n, n, n), the
/// last index being that of x, or (n³).
/// @param dataset  of an HDF5 file
/// @throws Error  cannot be read, another shape or type of numbers
std::vector<double> read_distribution(const std::filesystem::path& file, const std::string& dataset, int nodes);

/// A case on a device, ready to run.
using Gas = std::variant<Relaxation<float>, Relaxation<double>>;

/// @throws Error  what the case asks for makes no sense; f is negative or not finite; a given step is too long
Gas open_gas(const Queue& queue, const Case& simulation);

/// What the grid is too small for, as Collision::warnings(), and 1 / max ν.
std::vector<std::string> warnings(Gas& gas);
double step_bound(Gas& gas);

/// Result of a run of kind = "relaxation". `solving` is a part of `wall`.
struct Report : RunResult {
  std::string approach, method;
  std::vector<std::string> warnings;
  std::int64_t nodes = 0, steps = 0, evaluations = 0, states = 0;
  double time = 0;                                              ///< s, time of the last state
  double solving = 0;                                           ///< s in time steps
  double mass_drift = 0, momentum_drift = 0, energy_drift = 0;  ///< relative, at the end
  double entropy_rise = 0;
  /// Largest difference to an exact m4 of a state, over the exact one; not a number without.
  double m4_error = std::numeric_limits<double>::quiet_NaN();
};

/// Makes `folder` ready for a run, as io::prepare_output() does for sph.
void prepare_output(const std::filesystem::path& folder, bool force);

/// Runs a case: writes moments.csv (moments, entropy, drifts of the invariants and exact curves at every output time),
/// distribution.npy (f at the end, which `file` reads), case.toml and summary.json into the folder of `options`
/// (docs/output.md). `resume` and `restart_every` mean nothing here.
/// @throws Error  what the operation or an output threw; rows written before stay
/// @param gas  of open_gas()
Report run(Gas& gas, const Queue& queue, const Case& simulation, const RunOptions& options);

/// The summary that a run ends with, some lines of text.
std::string summary_text(const Report& report);

}  // namespace shoal::io::relaxation

namespace shoal {

template <>
inline constexpr auto enumerator_names<io::relaxation::Distribution> =
    std::array<std::string_view, 4>{"bkw", "two_beams", "maxwellian", "file"};

}  // namespace shoal
