// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <string>

#include "paper_figure.hpp"

// What the measurements of papers' comparisons have in common.
namespace shoal::cli {

struct BenchOptions {
  bool paper = false;
  std::string device = "best";
  MeasureOptions each;
  std::int64_t largest = 0;
  std::filesystem::path out;
};

/// @param iterations,largest,files  what the options say of themselves
void add_bench_options(CLI::App& command, BenchOptions& options, const char* iterations, const char* largest,
                       const char* files);

/// @param name   of the command, for messages
/// @param least  that --largest may be
/// @param of     what --largest counts
/// @throws Error  no --paper, or a number that makes no sense
void require_valid(const BenchOptions& options, const char* name, std::int64_t least, const char* of);

/// Makes the folder for the files, if one was asked for.
/// @throws Error  it cannot be made
void make_folder(const std::filesystem::path& folder);

}  // namespace shoal::cli
