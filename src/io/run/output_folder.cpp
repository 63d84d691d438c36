// SPDX-License-Identifier: Apache-2.0
#include "io/run/output_folder.hpp"

#include <shoal/io/run.hpp>

#include <unistd.h>

#include "core/text.hpp"
#include "io/run/folder_lock.hpp"
#include "io/run/recorder.hpp"

namespace shoal::io {

namespace fs = std::filesystem;

void make_output_folder(const fs::path& folder, bool force) {
  const std::string name = folder.string();
  std::error_code failed;
  require(!fs::exists(folder) || fs::is_directory(folder), name,
          ": this is a file, expected a folder for the output. Choose another with --out.");
  fs::create_directories(folder, failed);
  require(!failed, name, ": cannot make this folder: ", failed.message(), ".");
  require(::access(folder.c_str(), W_OK | X_OK) == 0, name, ": cannot write into this folder: permission denied.");
  require(force || fs::is_empty(folder), name,
          ": this folder has files already. Choose another with --out, or replace the output there with --force.");
}

void require_not_replaced(const fs::path& file, const fs::path& folder) {
  std::error_code ignored;
  for (const char* name : {case_file_name, restart_file_name, summary_file_name})
    require(!fs::equivalent(file, folder / name, ignored), file.string(),
            ": the run would replace this file, which it reads. Choose another folder for the output.");
}

void prepare_output(const fs::path& folder, const sph::Case& simulation, bool force) {
  make_output_folder(folder, force);
  const FolderLock lock(folder);
  for (const std::string& file : output_names(simulation)) fs::remove(folder / file);
  // An earlier run may have had the other format.
  for (const char* file : {"fields.vtkhdf", "fields.pvd"}) fs::remove(folder / file);
  if (fs::is_directory(folder / "fields"))
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "fields"))
      if (entry.path().extension() == ".vtp") fs::remove(entry.path());
}

}  // namespace shoal::io
