// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <shoal/array.hpp>
#include <shoal/device.hpp>
#include <shoal/io/points_file.hpp>

#include <filesystem>
#include <string>
#include <vector>

// Options that several commands have.
namespace shoal::cli {

/// Device that a command computes on.
struct DeviceOptions {
  std::string device = "best";
  int threads = 0;
};

void add_device_options(CLI::App& command, DeviceOptions& options);

/// @throws Error  no such device
Queue open_queue(const DeviceOptions& options);

/// Adds the options for reading a points file: names of its columns, the coordinates among them, and the step.
void add_points_options(CLI::App& command, io::PointsFileOptions& options);

/// Output file of a command.
struct OutputOptions {
  std::filesystem::path file;  ///< empty: none
  bool force = false;          ///< true: replace an existing file
};

/// Adds the options --out and --force.
void add_output_options(CLI::App& command, OutputOptions& options, const std::string& description);

/// Requires that the output file replaces none of `inputs`, and no existing file without --force.
void require_output(const OutputOptions& options, const std::vector<std::filesystem::path>& inputs);

/// Adds an option whose value is one of `words`.
CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& value,
                        const std::vector<std::string>& words, const std::string& description);

/// Adds the option --method.
/// @param operation  operation of shoal::methods() whose methods a shell offers
void add_method_option(CLI::App& command, std::string& method, const std::string& operation);

/// Adds the option --precision: "float", "double", or "file" for that of the file.
void add_precision_option(CLI::App& command, std::string& precision);
bool computes_in_float(const std::string& precision, const io::PointsFile& points);

/// Adds an option for a list with commas: --values mass,volume.
template <class T>
CLI::Option* add_list_option(CLI::App& command, const std::string& name, std::vector<T>& values,
                             const std::string& description) {
  return command.add_option(name, values, description)->delimiter(',')->allow_extra_args(false);
}

/// Numbers of a file, copied to the device of a queue.
template <class Real>
Array<Real> upload(const Queue& queue, const std::vector<double>& host) {
  if constexpr (sizeof(Real) == sizeof(double)) return to_device(queue, host);
  return to_device(queue, std::vector<Real>(host.begin(), host.end()));
}

}  // namespace shoal::cli
