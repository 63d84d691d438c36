// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>
#include <shoal/io/overrides.hpp>
#include <shoal/io/run.hpp>
#include <shoal/io/second_gas.hpp>

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Cases of kind = "gas": flows of rarefied gas along x, or in a plane. Host only.
namespace shoal::io::gas {

/// Cells along an axis.
struct Cells {
  double begin = 0;       ///< first face, m
  double end = 1;         ///< last face, m
  int count = 50;         ///< number of cells
  double wall_ratio = 1;  ///< ratio of the widths of neighbors, growing from both ends

  std::vector<double> faces() const { return shoal::gas::stretched_faces(begin, end, count, wall_ratio); }
};

/// State of the cells in an interval, or a rectangle, at the start. A later one replaces an earlier one.
struct Region {
  std::optional<double> begin, end;     ///< ends along x, m; empty: that of the cells
  std::optional<double> bottom, top;    ///< ends along y, m; empty: that of the cells
  double density = 1;                   ///< m⁻³
  double temperature = 1;               ///< k T / m, m²/s²
  std::array<double, 3> velocity = {};  ///< m/s
  double second_density = 1;            ///< m⁻³, of the second gas of a mixture, which has the same k T and velocity
};

/// Point at which a run records f.
struct Probe {
  std::string name = {};         ///< also of its files NAME.npy and NAME.csv
  double x = 0;                  ///< m
  std::optional<double> y = {};  ///< m, in a plane; empty on a line
};

/// Knudsen number that determines the rate or the diameter of the molecules.
struct Knudsen {
  double number = 1;
  MeanFreePath mean_free_path = MeanFreePath::hard_sphere;
  double length = 1;       ///< m
  double density = 1;      ///< m⁻³, of the state with this number
  double temperature = 1;  ///< k T / m of that state, m²/s²
};

using io::SecondGas;

struct Case {
  std::string title = {};
  std::string text = {};      ///< case file with all defaults filled in, stored with the output
  double duration = 0;        ///< time to run before the iteration to a steady state, s
  double output_every = 0;    ///< output interval, s; 0: at the start and the end only
  double restart_every = 10;  ///< minutes of wall time between restart files; 0: at the end only
  sph::Precision precision = sph::Precision::double_;
  Cells cells = {};
  std::optional<Cells> cells_y = {};  ///< cells along y of a plane; empty: a line along x
  VelocityGrid grid = {};
  Molecules molecules = {};                  ///< those of the Knudsen number, if there is one
  std::optional<SecondGas> second_gas = {};  ///< empty: one gas
  std::optional<Knudsen> knudsen = {};
  std::vector<Region> start = {};
  std::array<GasBoundary, 2> boundaries = {};        ///< boundaries at the left and at the right
  std::optional<GasBoundary> bottom = {}, top = {};  ///< boundaries of a plane; empty on a line
  GasOptions scheme = {};
  std::optional<SteadyOptions> steady = {};  ///< iteration after the duration
  std::vector<Probe> probes = {};
};

/// Reads a case file of kind = "gas", as io::read_case() does for kind = "sph".
/// @throws Error  the errors of io::read_case()
Case read_case(const std::filesystem::path& file, const Overrides& overrides = {});
Case parse_case(std::string_view text, std::string_view name, const Overrides& overrides = {});

/// Returns a case as TOML text with every value. parse_case() reads it back to the same case.
std::string case_text(const Case& simulation);

/// Flow of a case, in single or double precision.
using Flow = std::variant<Gas<float>, Gas<double>>;

/// Creates the flow of a case and starts it.
/// @param ranks  those that share the cells; all call it
/// @throws Error  contradictory values in the case; too few cells for the ranks
Flow open_flow(const Queue& queue, const Case& simulation, const Communicator& ranks = Communicator::alone());

/// Contents of a restart file of kind = "gas".
struct Restart {
  GasClock clock = {};
  bool finished = false;  ///< the run was at its end
  /// Gas::f(); of several ranks rank 0 has all cells, and the others none
  std::variant<std::vector<float>, std::vector<double>> f = {};
  std::string case_text = {};  ///< case file with all defaults filled in, as Case::text
  OutputCounts outputs = {};   ///< rows of tables up to this state, all of them on the disk
};

/// Writes a restart file, as io::write_restart() does for kind = "sph".
/// @throws Error  disk full or not writable
void write_restart(const std::filesystem::path& file, const Restart& restart);

/// Reads a restart file. The checksum is verified before HDF5 opens the file.
/// @throws Error  missing, truncated or damaged file (the checksum differs), of another kind, or another version of the
///                format
Restart read_restart(const std::filesystem::path& file);

/// Creates the flow of a case in the state of a restart, which any number of ranks has written.
/// @throws Error  those of open_flow() above; the state of the restart is not one of this case
Flow open_flow(const Queue& queue, const Case& simulation, const Restart& restart,
               const Communicator& ranks = Communicator::alone());

/// Returns the warnings of Gas::warnings().
std::vector<Warning> warnings(Flow& flow);

/// Result of a run of kind = "gas". `solving` is part of `wall`.
struct Report : RunResult {
  std::string model;
  std::int64_t cells = 0, nodes = 0, evaluations = 0;
  std::int64_t steps = 0, iterations = 0;  ///< since the start, also of a resumed run
  std::int64_t states = 0;                 ///< states that this run wrote
  double time = 0;                         ///< time of the last state, s
  double solving = 0;                      ///< wall time in steps and iterations, s
  double residual = 0;                     ///< Gas::residual() at the end
  bool converged = true;                   ///< false: the steady state was not reached
  double mass_drift = 0;  ///< relative change of the mass at the end, without what flowed through the ends
};

/// Returns the names of the files that a run writes into its folder.
std::vector<std::string> output_names(const Case& simulation);

/// Prepares `folder` for a run, as io::prepare_output() does for kind = "sph".
void prepare_output(const std::filesystem::path& folder, const Case& simulation, bool force);

/// Runs a case and writes its output into the folder of `options` (docs/output.md). profiles.csv has the moments along x,
/// profiles_y.csv those along y, profiles_second.csv those of the second gas of a mixture, fluxes.csv the fluxes through all
/// sides, at every output time and after the iteration to a steady state. In a plane, profiles pass through its center, and
/// cells.vtkhdf has the final moments of all cells.
/// distribution.npy has the final f, NAME.npy f at a probe at these times, and NAME.csv its integrals over two velocities. case.toml and summary.json describe the run. restart.h5 has the state at the end, of
/// an interrupted run that of its last step or iteration. Of several ranks, those of the flow, rank 0 writes all files; f then
/// has to fit into its memory.
/// @throws Error  an error of the operation or of an output; rows and restart written before remain
Report run(Flow& flow, const Queue& queue, const Case& simulation, const RunOptions& options);

/// Returns the summary of a run, a few lines of text.
std::string summary_text(const Report& report);

}  // namespace shoal::io::gas
