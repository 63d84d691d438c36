// SPDX-License-Identifier: Apache-2.0
// Checks of values that are written into files of solvers.
#pragma once
#include <shoal/array.hpp>
#include <shoal/io/output_file.hpp>

#include <cmath>
#include <filesystem>
#include <string_view>

#include "core/text.hpp"

namespace shoal::io {

/// @param items     of the file, as "nodes"
/// @throws Error  another number of values than items, or a value that is not finite
inline void require_values(const std::filesystem::path& file, const std::string& name, View<const double> value,
                           std::int64_t count, std::string_view items) {
  require(value.count == count, file.string(), ": ", value.count, " values of ", name, ", and the file has ", count,
          " ", items, ", expected one each.");
  for (std::int64_t i = 0; i < count; ++i)
    require(std::isfinite(value.data[i]), file.string(), ": value ", i, " of ", name, " is ", value.data[i],
            ", expected a finite one.");
}

inline constexpr std::size_t longest_field_name = 32;

/// @param allows  (character) true for characters of names
/// @throws Error  an empty or long name, or one with other characters
template <class Allows>
void require_field_name(const std::filesystem::path& file, const std::string& name, Allows&& allows) {
  bool is_valid = !name.empty() && name.size() <= longest_field_name;
  for (const char character : name) is_valid = is_valid && allows(character);
  require(is_valid, file.string(), ": \"", name, "\" is no name of a field, expected 1 to ", longest_field_name,
          " characters of those that the format has in names.");
}

}  // namespace shoal::io
