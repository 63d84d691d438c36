// SPDX-License-Identifier: Apache-2.0
// Temporal PolyData in VTKHDF 2.0: what fields and surfaces have in common.
#pragma once
#include <shoal/error.hpp>

#include <filesystem>
#include <string>

#include "io/formats/binary/hdf5_checks.hpp"

namespace shoal::io {

/// Kinds of cells of PolyData, in the order of the format.
inline constexpr const char* cell_groups[] = {"Vertices", "Lines", "Polygons", "Strips"};

/// Creates a journaled file with its header and the case of the run.
hdf5::Handle create_poly_data(const std::filesystem::path& path, const std::string& case_text);

/// Sets the number of states of a file.
void write_step_count(hid_t file, std::int64_t states);

/// Runs `work`, whose errors then name the file.
template <class Work>
void naming_file(const std::filesystem::path& path, const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    const std::string message = error.what();
    throw Error(message.starts_with(path.string()) ? message : path.string() + ": " + message);
  }
}

}  // namespace shoal::io
