// SPDX-License-Identifier: Apache-2.0
#include "papers/kernels.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iostream>
#include <optional>

#include "papers/result_csv.hpp"
#include "papers/tables.hpp"

namespace shoal::benchmarks {

namespace {

std::string whole_or_dash(double number) { return std::isnan(number) ? "-" : fmt::format("{:.0f}", number); }

}  // namespace

void report_kernels(const std::vector<KernelResources>& kernels, const std::vector<KernelLine>& paper,
                    const std::filesystem::path& folder) {
  std::vector<KernelLine> lines;
  for (const KernelResources& kernel : kernels)
    lines.push_back({kernel.kernel, static_cast<double>(kernel.registers), KernelResources::max_registers,
                     static_cast<double>(kernel.local_bytes), static_cast<double>(kernel.shared_bytes)});
  lines.insert(lines.end(), paper.begin(), paper.end());
  std::cout << fmt::format("\nKernels as compiled for this GPU\n{:<58}{:>10}{:>7}{:>14}{:>15}\n", "", "registers",
                           "limit", "local [bytes]", "shared [bytes]");
  std::optional<ResultCsv> csv;
  if (!folder.empty())
    csv.emplace(folder / "kernels.csv",
                std::vector<std::string>{"kernel", "registers", "limit of registers",
                                         "local memory of a thread [bytes]", "shared memory of a block [bytes]"});
  for (const KernelLine& line : lines) {
    std::cout << fmt::format("{:<58}{:>10}{:>7}{:>14}{:>15}\n", line.name, whole_or_dash(line.registers),
                             whole_or_dash(line.limit), whole_or_dash(line.local_bytes),
                             whole_or_dash(line.shared_bytes));
    if (csv)
      csv->append(line.name, or_nothing(line.registers), or_nothing(line.limit), or_nothing(line.local_bytes),
                  or_nothing(line.shared_bytes));
  }
}

}  // namespace shoal::benchmarks
