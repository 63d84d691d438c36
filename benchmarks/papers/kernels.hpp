// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "core/device/kernel_resources.hpp"

// Registers and memory of the paper's kernels on this GPU, beside what the paper states.
namespace shoal::benchmarks {

/// Resources of a kernel; NaN where the paper does not state them.
struct KernelLine {
  std::string name;     ///< no commas, which separate the columns of a CSV file
  double registers;     ///< registers of a thread
  double limit;         ///< registers that a thread can have
  double local_bytes;   ///< local memory of a thread, to which registers are spilled
  double shared_bytes;  ///< shared memory of a block
};

/// Prints a line for each kernel and for each line of the paper, and writes FOLDER/kernels.csv.
/// @param folder  empty: no file
void report_kernels(const std::vector<KernelResources>& kernels, const std::vector<KernelLine>& paper,
                    const std::filesystem::path& folder);

}  // namespace shoal::benchmarks
