// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/io/gas.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/formats/binary/npy_series.hpp"
#include "io/formats/text/csv.hpp"

namespace shoal::io::gas {

/// Cells around a point, with the weights of linear interpolation between their centers. Beyond the outer centers the
/// nearest cell counts alone.
struct ProbeCells {
  std::vector<std::int64_t> cells;  ///< ascending
  std::vector<double> weights;      ///< above 0
};

/// @param faces  of the cells along each axis, m
ProbeCells cells_around(const Probe& probe, const std::vector<std::vector<double>>& faces);

/// Records of f at the probes of a case. NAME.npy has f, [states][gases][nodes³]; NAME.csv has its integrals over two
/// velocities. Rank 0 writes what the ranks have that own the cells.
template <class Real>
class GasProbes {
 public:
  /// @param kept  number of rows or states of a file to keep; empty: a new file
  /// @param comment  of the tables
  GasProbes(Gas<Real>& flow, const Queue& queue, const Case& simulation, const RunOptions& options,
            const std::function<std::optional<std::int64_t>(const char*)>& kept,
            const std::vector<std::string>& comment);

  /// Records the present f.
  void record();

  /// Calls visit(path, number of rows or states) for each file. Rank 0 alone has any.
  template <class Visit>
  void for_each_file(Visit visit) const {
    for (const Output& output : outputs_) {
      if (!output.series) continue;
      visit(output.series->path(), output.series->count());
      visit(output.table->path(), output.table->row_count());
    }
  }

 private:
  struct Output {
    ProbeCells around;
    std::unique_ptr<NpySeries> series;  ///< null on other ranks than 0, as the table
    std::unique_ptr<Csv> table;
  };

  std::vector<Real> f_at(const ProbeCells& around) const;
  void append_integrals(const std::vector<Real>& f, Csv& table) const;

  Gas<Real>& flow_;
  Queue queue_;
  Communicator ranks_;
  std::vector<Output> outputs_;
};

}  // namespace shoal::io::gas
