// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/sph.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace shoal::io {

/// Fields that a run of kind sph has written to fields.vtkhdf.
class StoredFields {
 public:
  /// Opens the fields in the output folder of a run.
  /// @throws Error  there is no such file, its last write was interrupted, or it has no case or no state
  explicit StoredFields(const std::filesystem::path& folder);

  const std::filesystem::path& file() const { return file_; }
  std::int64_t states() const { return states_; }              ///< number of states
  const std::string& case_text() const { return case_text_; }  ///< case of the run, as TOML
  std::string case_name() const;                               ///< name of that text for messages, and of its folder

  /// Reads a state. The step of its clock stays 0, because the file does not hold it.
  /// @param state  from 0 to before states()
  /// @throws Error  an array is missing or damaged
  sph::Fields read(std::int64_t state) const;

 private:
  std::filesystem::path file_;
  std::int64_t states_ = 0;
  std::string case_text_;
  std::vector<std::string> more_arrays_;  ///< arrays that only some cases have
};

}  // namespace shoal::io
