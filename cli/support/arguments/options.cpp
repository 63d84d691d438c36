// SPDX-License-Identifier: Apache-2.0
#include "support/arguments/options.hpp"

#include <shoal/io/output_file.hpp>
#include <shoal/methods.hpp>

#include <algorithm>

#include "support/arguments/description.hpp"
#include "support/message.hpp"

namespace shoal::cli {

void add_device_options(CLI::App& command, DeviceOptions& options) {
  offer(command.add_option("--device", options.device, "cpu, cuda, cuda:1, or best: a GPU if there is one")
            ->capture_default_str(),
        {{"best", "cpu", "cuda"}});
  command
      .add_option("--threads", options.threads,
                  "number of CPU threads, of each rank, also for what a GPU leaves to the host; 0: one for each core")
      ->capture_default_str();
}

Queue open_queue(const DeviceOptions& options) { return Queue::parse(options.device, options.threads); }

void add_points_options(CLI::App& command, io::PointsFileOptions& options) {
  add_list_option(command, "--columns", options.columns, "names of all columns of a file without names: x,y,z,mass");
  add_list_option(command, "--coordinates", options.coordinates, "names of the coordinates; default: x,y,z");
  command.add_option("--step", options.step, "step of a VTKHDF file, from 0; default: the last");
}

void add_output_options(CLI::App& command, OutputOptions& options, const std::string& description) {
  CLI::Option* out = command.add_option("--out", options.file, description);
  command.add_flag("--force", options.force, "replace the file of --out if it exists")->needs(out);
}

void require_output(const OutputOptions& options, const std::vector<std::filesystem::path>& inputs) {
  if (!options.file.empty()) io::require_output_file(options.file, inputs, options.force);
}

CLI::Option* add_choice(CLI::App& command, const std::string& name, std::string& value,
                        const std::vector<std::string>& words, const std::string& description) {
  CLI::Option* option =
      command.add_option(name, value, description)->check(CLI::IsMember(words))->capture_default_str();
  offer(option, {words});
  return option;
}

void add_method_option(CLI::App& command, std::string& method, const std::string& operation) {
  std::vector<std::string> words = {"auto"};
  for (const MethodInfo& entry : methods())
    if (entry.operation == operation && std::find(words.begin(), words.end(), entry.name) == words.end())
      words.emplace_back(entry.name);
  offer(command.add_option("--method", method, "a method that `shoal methods` lists")->capture_default_str(), {words});
}

void add_precision_option(CLI::App& command, std::string& precision) {
  add_choice(command, "--precision", precision, {"float", "double", "file"},
             "float, double, or file: that of the file");
}

bool computes_in_float(const std::string& precision, const io::PointsFile& points) {
  return precision == "file" ? points.single_precision : precision == "float";
}

}  // namespace shoal::cli
