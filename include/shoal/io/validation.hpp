// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/enumerator_names.hpp>
#include <shoal/sph_case.hpp>

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

/// What runs of a case are held against: cases/NAME/validation.toml.
namespace shoal::io::validation {

/// How much work a run is: small ones end within a minute on two CPU cores, large ones want a GPU.
enum class Size { small, medium, large };

/// What a number is taken along.
enum class Along {
  time,      ///< one column of a table
  line,      ///< the points of a probe of kind = "line", at one time
  line_mean  ///< time, of the mean over the points of such a probe: what a sensor of its length shows
};

/// What of a curve is looked at.
enum class Take {
  value,             ///< at a time, between its two neighbors in proportion
  mean,              ///< of its points
  least,             ///< of its points
  greatest,          ///< of its points
  time_of_least,     ///< where that is
  time_of_greatest,  ///< where that is
  first_above,       ///< where it first comes above a threshold
  last_above,        ///< where it last goes below a threshold
  drift,             ///< mean of the later half less mean of the earlier half
  rms_error,         ///< √(mean (curve − reference)²) over the reference's points
  share_within       ///< of the reference's points where the curve is within a band
};

/// One run of a case.
struct Run {
  std::string name;
  std::string case_file = "case.toml";  ///< beside the validation
  Size size = Size::small;
  std::vector<std::string> set;  ///< overrides: "particles.spacing=0.01"
};

/// One number that runs are held to. Curves are scaled first: (t − time_zero)/time_unit and (value − zero)/unit.
struct Check {
  std::string quantity;           ///< for people
  std::vector<std::string> runs;  ///< names; empty: all
  std::string table;              ///< of a run's output: "front" is front.csv
  std::string column;             ///< without its unit; empty: the first after time, of a line the first of each point
  Along along = Along::time;
  Take take = Take::value;
  std::optional<double> time;  ///< scaled, for `value`; of a line: s, the row; by default the last
  std::optional<double> from;  ///< scaled: what of the curve counts
  std::optional<double> to;
  double threshold = 0;
  double window = 0;  ///< scaled: a value is the mean of those at most half of it away in time; 0: itself
  double time_zero = 0;
  double time_unit = 1;
  double zero = 0;
  double unit = 1;
  std::optional<double> expected;
  std::string reference;          ///< a file beside the validation: times, then columns; scaled as the curve is
  std::string reference_column;   ///< by default the first
  std::vector<std::string> band;  ///< its columns with the lower and the upper end
  double tolerance = 0;           ///< of what is expected
  double relative_tolerance = 0;  ///< as a share of what is expected
  std::optional<double> at_least;
  std::optional<double> at_most;
  bool falls = false;  ///< from run to run
  std::string place;   ///< in the file, for messages
};

struct Plan {
  std::string title;
  std::filesystem::path folder;
  std::vector<Run> runs;
  std::vector<Check> checks;
};

/// Reads FOLDER/validation.toml.
/// @throws Error  as read_case(); a check that has nothing to be held against, or names a run that is not there
Plan read(const std::filesystem::path& folder);

/// A run that is done.
struct Done {
  Run run;
  sph::Case simulation;
  std::filesystem::path folder;  ///< with its tables
};

/// Points in the order of their times (of a line: places).
struct Curve {
  std::vector<double> time, value;
};

/// The scaled curve of a check, all of it.
/// @throws Error  no such table, column or line
Curve curve_of(const Check& check, const Done& done);

/// What came of a check.
struct Finding {
  std::string run;  ///< names of the runs
  std::string quantity;
  std::string got;        ///< a number, or one a run
  std::string expected;   ///< "0.898", "2.3 to 2.5"
  std::string tolerance;  ///< "0.06", "5 %"; empty if there is none
  bool passed = false;
};

/// Holds runs against all checks that are about them; one that needs a run that is not among them is left out.
/// @throws Error  what curve_of() throws
std::vector<Finding> check(const Plan& plan, const std::vector<Done>& runs);

/// Draws each curve that has a reference, with it: FOLDER/QUANTITY.svg of the run.
void write_plots(const Plan& plan, const Done& done);

}  // namespace shoal::io::validation

namespace shoal {

template <>
inline constexpr auto enumerator_names<io::validation::Size> =
    std::array<std::string_view, 3>{"small", "medium", "large"};
template <>
inline constexpr auto enumerator_names<io::validation::Along> =
    std::array<std::string_view, 3>{"time", "line", "line_mean"};
template <>
inline constexpr auto enumerator_names<io::validation::Take> = std::array<std::string_view, 11>{
    "value",       "mean",       "least", "greatest",  "time_of_least", "time_of_greatest",
    "first_above", "last_above", "drift", "rms_error", "share_within"};

}  // namespace shoal
