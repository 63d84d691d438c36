// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace shoal::io {

/// A .npy file whose first axis grows by one state at a time. The file is a whole array after each state.
class NpySeries {
 public:
  /// @param type         type of an element in NumPy's notation: "<f4" or "<f8"
  /// @param shape        shape of a state
  /// @param kept_states  continues the existing file after so many states and removes those behind; empty: a new file
  /// @throws Error  the file cannot be written, or the continued file has another type or shape, or fewer states
  NpySeries(std::filesystem::path path, std::string type, std::vector<std::uint64_t> shape,
            std::optional<std::int64_t> kept_states = {});

  /// @param state  as many values of the type as the shape has
  void append(const void* state);

  std::int64_t count() const { return count_; }
  const std::filesystem::path& path() const { return path_; }

 private:
  void continue_after(std::int64_t states);
  void write_header();

  std::filesystem::path path_;
  std::string type_;
  std::vector<std::uint64_t> shape_;
  std::uint64_t bytes_ = 0;  ///< Bytes of a state.
  std::fstream file_;
  std::int64_t count_ = 0;
};

}  // namespace shoal::io
