// SPDX-License-Identifier: Apache-2.0
#include "io/run/folder/output_folder.hpp"

#include <unistd.h>
#include <shoal/io/output_file.hpp>

#include "core/text.hpp"
#include "io/run/folder/folder_lock.hpp"
#include "io/run/folder/stored_inputs.hpp"
#include "io/run/recorder.hpp"

namespace shoal::io {

namespace fs = std::filesystem;

void make_output_folder(const fs::path& folder, bool force) {
  const std::string name = folder.string();
  std::error_code failed;
  require(!fs::exists(folder) || fs::is_directory(folder), name,
          ": this is a file, expected a folder for the output. Choose another path.");
  fs::create_directories(folder, failed);
  require(!failed, name, ": cannot make this folder: ", failed.message(), ".");
  require(::access(folder.c_str(), W_OK | X_OK) == 0, name, ": cannot write into this folder: permission denied.");
  require(
      force || fs::is_empty(folder), name,
      ": this folder has files already. Choose another folder, or replace the output there with the option `force`.");
}

void remove_files(const std::vector<fs::path>& files) {
  for (const fs::path& file : files) {
    std::error_code failed;
    fs::remove(file, failed);
    require(!failed, file.string(), ": cannot remove this file of an earlier run: ", failed.message(), ".");
  }
}

std::vector<fs::path> paths_in(const fs::path& folder, const std::vector<std::string>& names) {
  std::vector<fs::path> paths;
  for (const std::string& name : names) paths.push_back(folder / name);
  return paths;
}

void require_own_log(const fs::path& log, const std::vector<fs::path>& files) {
  for (const fs::path& file : files)
    require(log.empty() || !is_same_file(log, file), log.string(),
            ": the run reads or writes this file, so the log cannot be in it. Choose another file for the log.");
}

void require_separate_files(const std::vector<fs::path>& inputs, const std::vector<fs::path>& outputs,
                            const RunTarget& target) {
  require_not_replaced(inputs, outputs);
  if (target.json_log.empty()) return;
  require_own_log(target.json_log, inputs);
  require_own_log(target.json_log, outputs);
  require_output_file(target.json_log, inputs, target.force);
}

std::vector<fs::path> replaced_files(const fs::path& folder, const sph::Case& simulation) {
  std::vector<fs::path> files = paths_in(folder, output_names(simulation));
  for (const char* name : {"fields.vtkhdf", "fields.pvd", surface_file_name}) files.push_back(folder / name);
  const fs::path states = folder / "fields";
  if (fs::is_symlink(states))
    files.push_back(states);
  else if (fs::is_directory(states))
    for (const fs::directory_entry& entry : fs::directory_iterator(states))
      if (entry.path().extension() == ".vtp") files.push_back(entry.path());
  return files;
}

void prepare_output(const fs::path& folder, const sph::Case& simulation, bool force) {
  const std::vector<fs::path> files = replaced_files(folder, simulation);
  require_not_replaced(input_files(simulation), files);
  make_output_folder(folder, force);
  const FolderLock lock(folder);
  remove_files(files);
}

}  // namespace shoal::io
