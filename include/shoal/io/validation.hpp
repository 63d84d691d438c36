// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/sph/case.hpp>

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// Checks of runs against reference results: cases/NAME/validation.toml.
namespace shoal::io::validation {

/// Cost of a run: a small run takes less than a minute on two CPU cores, a large run needs a GPU.
enum class Size { small, medium, large };

/// Axis of a curve.
enum class Along {
  time,       ///< time; the curve is one column of a table
  line,       ///< distance along a probe of kind = "line" at one time
  line_mean,  ///< time; the curve is the mean over the points of a line probe, as a sensor of that length measures
  profile,    ///< column x of a table that has a row for each place and state, at one time, as the profiles of gas
  profile_y,  ///< column y of such a table
  velocity    ///< column velocity x of such a table, as the probes of gas
};

/// Number computed from a curve.
enum class Take {
  value,             ///< value at a time, by linear interpolation
  mean,              ///< mean over the points
  least,             ///< smallest value
  greatest,          ///< largest value
  time_of_least,     ///< time of the smallest value
  time_of_greatest,  ///< time of the largest value
  first_above,       ///< time of the first upward crossing of the threshold
  last_above,        ///< time of the last downward crossing of the threshold
  steepest,          ///< greatest |slope| between neighboring points
  drift,             ///< mean of the second half minus mean of the first half
  frequency,         ///< mean frequency of the upward crossings of the mean, 1 over the unit of time
  decay_rate,        ///< −slope of ln |curve| by least squares, 1 over the unit of time
  rms_error,         ///< √(mean (curve − reference)²) over the points of the reference
  share_within       ///< fraction of the reference points where the curve lies within a band
};

/// Run of a case.
struct Run {
  std::string name;
  std::string case_file = "case.toml";  ///< case file, relative to the folder of the validation
  Size size = Size::small;
  std::vector<std::string> set;  ///< overrides of case keys: "particles.spacing=0.01"
  bool on_cpu = false;           ///< true: CUDA refuses the case, so that it runs on the CPU whatever the others run on
};

/// Check of one number of a run. Curves are scaled first: (t − time_zero)/time_unit and (value − zero)/unit.
struct Check {
  std::string quantity;           ///< name of the checked quantity, for the report
  std::vector<std::string> runs;  ///< names of the runs; empty: all
  std::string table;              ///< output table of the run: "front" is front.csv
  /// Column name without its unit. Empty: the first column after time, for a line the first column of each point.
  std::string column;
  Along along = Along::time;
  Take take = Take::value;
  std::optional<double> time;  ///< scaled time for `value`; for a line or profile the time in s, by default the last
  std::optional<double> from;  ///< scaled begin of the part of the curve that counts
  std::optional<double> to;
  double threshold = 0;
  double window = 0;  ///< scaled width of a moving average over time; 0: no smoothing
  double time_zero = 0;
  double time_unit = 1;
  double zero = 0;
  double unit = 1;
  std::optional<double> expected;
  /// Reference file, relative to the folder of the validation: a time column, then values, which are those of the scaled curve.
  std::string reference;
  std::string reference_column;   ///< column of the reference file; by default the first
  std::vector<std::string> band;  ///< reference columns of the lower and the upper end of the band
  double tolerance = 0;           ///< absolute tolerance, scaled
  double relative_tolerance = 0;  ///< tolerance relative to the expected value
  std::optional<double> at_least;
  std::optional<double> at_most;
  bool falls = false;  ///< true: the value must decrease from run to run
  std::string place;   ///< location in the validation file, for messages
};

struct Plan {
  std::string title;
  std::filesystem::path folder;
  std::vector<Run> runs;
  std::vector<Check> checks;
};

/// Reads FOLDER/validation.toml.
/// @throws Error  the errors of read_case(); a check without an expected value, or with the name of an unknown run
Plan read(const std::filesystem::path& folder);

/// Completed run.
struct Done {
  Run run;
  std::vector<sph::Probe> probes;  ///< probes of the case
  std::filesystem::path folder;    ///< output folder with the tables
};

/// Points of a curve in ascending time (for a line or profile: place).
struct Curve {
  std::vector<double> time, value;
};

/// Returns the complete scaled curve of a check.
/// @throws Error  missing table, column or line probe
Curve curve_of(const Check& check, const Done& done);

/// Result of a check.
struct Finding {
  std::string run;  ///< name of the run, or names of the compared runs
  std::string quantity;
  std::string got;        ///< computed number, or one number per run
  std::string expected;   ///< expected value or range: "0.898", "2.3 to 2.5"
  std::string tolerance;  ///< "0.06", "5 %"; empty if there is none
  bool passed = false;
};

/// Applies all checks to completed runs. A comparison between runs needs at least two of them; otherwise it is skipped.
/// @throws Error  the errors of curve_of()
std::vector<Finding> check(const Plan& plan, const std::vector<Done>& runs);

/// Plots each curve that has a reference, together with the reference, into FOLDER/QUANTITY.svg of the run.
void write_plots(const Plan& plan, const Done& done);

}  // namespace shoal::io::validation

namespace shoal {

template <>
inline constexpr auto enumerator_names<io::validation::Size> =
    std::array<std::string_view, 3>{"small", "medium", "large"};
template <>
inline constexpr auto enumerator_names<io::validation::Along> =
    std::array<std::string_view, 6>{"time", "line", "line_mean", "profile", "profile_y", "velocity"};
template <>
inline constexpr auto enumerator_names<io::validation::Take> = std::array<std::string_view, 14>{
    "value",      "mean",     "least", "greatest",  "time_of_least", "time_of_greatest", "first_above",
    "last_above", "steepest", "drift", "frequency", "decay_rate",    "rms_error",        "share_within"};

}  // namespace shoal
