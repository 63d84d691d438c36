// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include "deposit_measure.hpp"

// The measurements of one distribution as the paper's table and figures show them.
namespace shoal::cli {

/// A curve of the paper or of ours.
struct DepositCurve {
  std::string name;            ///< without commas, which separate columns
  std::vector<double> values;  ///< one a number of particles; NaN where it could not run
  bool of_paper = false;
};

struct DepositTable {
  std::string title;  ///< with unit
  std::vector<DepositCurve> curves;
};

struct DepositBlock {
  std::string name;  ///< of the distribution
  std::vector<std::string> methods;
  std::vector<DepositTimings> sizes;  ///< as many as the paper has

  // The paper's numbers stand beside ours.
  DepositTable times() const;                           ///< table 1 and figure 3, ms
  DepositTable with_sort() const;                       ///< figure 4: speed-up with a tenth of the sort
  DepositTable without_sort() const;                    ///< speed-up of the interpolation alone
  DepositTable ceiling_shares(double bandwidth) const;  ///< %, @param bandwidth  bytes/s
};

/// The title, the names of the curves and those of the columns.
void print_heading(const DepositBlock& block, const DepositTable& table, std::ostream& out);

/// The line of one number of particles.
void print_line(const DepositBlock& block, const DepositTable& table, std::size_t size, std::ostream& out);

/// Everything as FOLDER/table1.csv, a line a configuration and number of particles, and the paper's lines after.
void write_table1(const std::filesystem::path& folder, const std::vector<DepositBlock>& blocks, double bandwidth);

/// FOLDER/NAME.csv and FOLDER/NAME.svg; the paper's curves at the paper's numbers of particles.
void write_curves(const std::filesystem::path& folder, const std::string& name, const DepositBlock& block,
                  const DepositTable& table);

}  // namespace shoal::cli
