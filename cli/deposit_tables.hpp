// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "deposit_measure.hpp"
#include "paper_table.hpp"

// The measurements of one distribution as the paper's table and figures show them.
namespace shoal::cli {

struct DepositBlock {
  std::string name;  ///< of the distribution
  std::vector<std::string> methods;
  std::vector<DepositTimings> sizes;  ///< as many as the paper has

  TableSizes counts() const;  ///< of particles

  // The paper's numbers stand beside ours.
  PaperTable times() const;                           ///< table 1 and figure 3, ms
  PaperTable with_sort() const;                       ///< figure 4: speed-up with a tenth of the sort
  PaperTable without_sort() const;                    ///< speed-up of the interpolation alone
  PaperTable ceiling_shares(double bandwidth) const;  ///< %, @param bandwidth  bytes/s
};

/// The title, the names of the curves and those of the columns.
void print_heading(const DepositBlock& block, const PaperTable& table, std::ostream& out);

/// The line of one number of particles.
void print_line(const DepositBlock& block, const PaperTable& table, std::size_t size, std::ostream& out);

/// Everything as FOLDER/table1.csv, a line a configuration and number of particles, and the paper's lines after.
void write_table1(const std::filesystem::path& folder, const std::vector<DepositBlock>& blocks, double bandwidth);

}  // namespace shoal::cli
