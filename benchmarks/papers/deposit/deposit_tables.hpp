// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "papers/deposit/deposit_measure.hpp"
#include "papers/tables.hpp"

// Measurements in the layout of the paper's table and figures.
namespace shoal::benchmarks {

/// Measurements of one distribution.
struct DepositBlock {
  std::string name;  ///< name of the distribution
  std::vector<std::string> methods;
  std::vector<DepositTimings> sizes;  ///< one for each line of the paper's table

  TableSizes counts() const;  ///< numbers of particles

  // Tables of our numbers beside the paper's.
  PaperTable times() const;                           ///< table 1 and figure 3, ms
  PaperTable with_sort() const;                       ///< figure 4: speed-up with a tenth of the sort
  PaperTable without_sort() const;                    ///< speed-up of the interpolation alone
  PaperTable ceiling_shares(double bandwidth) const;  ///< %, @param bandwidth  bytes/s
};

/// Prints the title, the names of the curves and those of the columns.
void print_heading(const DepositBlock& block, const PaperTable& table, std::ostream& out);

/// Prints the line of one number of particles.
void print_line(const DepositBlock& block, const PaperTable& table, std::size_t size, std::ostream& out);

/// Writes FOLDER/table1.csv: a line for each configuration and number of particles, then the paper's lines.
void write_table1(const std::filesystem::path& folder, const std::vector<DepositBlock>& blocks, double bandwidth);

}  // namespace shoal::benchmarks
