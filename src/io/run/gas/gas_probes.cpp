// SPDX-License-Identifier: Apache-2.0
#include "io/run/gas/gas_probes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "io/run/gas/gas_output.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/ranks/gathered_rows.hpp"

namespace shoal::io::gas {

namespace {

/// Cell whose center is the last one up to a place, and the share of the next cell.
std::pair<std::int64_t, double> between_centers(double place, const std::vector<double>& faces) {
  const std::vector<double> centers = centers_of(faces);
  const auto above = std::upper_bound(centers.begin(), centers.end(), place);
  if (above == centers.begin()) return {0, 0};
  const auto cell = above - centers.begin() - 1;
  if (above == centers.end()) return {cell, 0};
  return {cell, (place - above[-1]) / (*above - above[-1])};
}

constexpr const char* axis_names[] = {"x", "y", "z"};

std::vector<std::string> integral_columns(int species) {
  std::vector<std::string> names = {"time [s]", "iterations"};
  for (const char* axis : axis_names) names.push_back(text("velocity ", axis, " [m/s]"));
  for (int k = 0; k < species; ++k)
    for (const char* axis : axis_names) names.push_back(text(k == 0 ? "" : "second ", "density ", axis, " [s/m4]"));
  return names;
}

}  // namespace

ProbeCells cells_around(const Probe& probe, const std::vector<std::vector<double>>& faces) {
  const auto [column, right] = between_centers(probe.x, faces[0]);
  const auto [row, above] =
      faces.size() == 1 ? std::pair<std::int64_t, double>{0, 0} : between_centers(*probe.y, faces[1]);
  const auto columns = static_cast<std::int64_t>(faces[0].size()) - 1;
  ProbeCells around;
  for (const std::int64_t j : {0, 1})
    for (const std::int64_t i : {0, 1}) {
      const double weight = (i == 0 ? 1 - right : right) * (j == 0 ? 1 - above : above);
      if (weight == 0) continue;
      around.cells.push_back((row + j) * columns + column + i);
      around.weights.push_back(weight);
    }
  return around;
}

template <class Real>
GasProbes<Real>::GasProbes(Gas<Real>& flow, const Queue& queue, const Case& simulation, const RunOptions& options,
                           const std::function<std::optional<std::int64_t>(const char*)>& kept,
                           const std::vector<std::string>& comment)
    : flow_(flow), queue_(queue), ranks_(options.ranks) {
  const auto n = static_cast<std::uint64_t>(simulation.grid.nodes);
  for (const Probe& probe : simulation.probes) {
    Output& output = outputs_.emplace_back();
    output.around = cells_around(probe, faces_of(flow));
    on_first_rank(ranks_, [&] {
      const std::string array = probe.name + ".npy", table = probe.name + ".csv";
      output.series = std::make_unique<NpySeries>(
          options.folder / array, sizeof(Real) == 4 ? "<f4" : "<f8",
          std::vector<std::uint64_t>{static_cast<std::uint64_t>(flow.species()), n, n, n}, kept(array.c_str()));
      output.table =
          std::make_unique<Csv>(options.folder / table, integral_columns(flow.species()), kept(table.c_str()), comment);
    });
  }
}

template <class Real>
void GasProbes<Real>::record() {
  for (Output& output : outputs_) {
    const std::vector<Real> f = f_at(output.around);
    on_first_rank(ranks_, [&] {
      output.series->append(f.data());
      append_integrals(f, *output.table);
    });
  }
}

/// f between cells on rank 0, [gases][nodes³].
template <class Real>
std::vector<Real> GasProbes<Real>::f_at(const ProbeCells& around) const {
  const View<const Real> own_f = flow_.f();
  const Share slab = flow_.own_cells();
  const std::int64_t nodes = flow_.velocities().node_count();
  std::vector<Real> f;
  for (int gas = 0; gas < flow_.species(); ++gas) {
    std::vector<Real> own_values;
    ranks_.agree([&] {
      for (const std::int64_t cell : around.cells) {
        if (cell < slab.first || cell >= slab.first + slab.count) continue;
        const std::int64_t first = (gas * slab.count + cell - slab.first) * nodes;
        const std::vector<Real> values = to_host(queue_, View<const Real>(own_f.data + first, nodes, queue_.device()));
        own_values.insert(own_values.end(), values.begin(), values.end());
      }
    });
    const std::vector<Real> values = gathered_rows(ranks_, std::move(own_values));
    for (std::int64_t k = 0; k < nodes && ranks_.rank() == 0; ++k) {
      double sum = 0;
      for (std::size_t i = 0; i < around.weights.size(); ++i)
        sum += around.weights[i] * static_cast<double>(values[i * static_cast<std::size_t>(nodes) + k]);
      f.push_back(static_cast<Real>(sum));
    }
  }
  return f;
}

/// Appends ∫ f over two velocities as functions of the third, for each axis.
template <class Real>
void GasProbes<Real>::append_integrals(const std::vector<Real>& f, Csv& table) const {
  const VelocityGrid& grid = flow_.velocities();
  const auto n = static_cast<std::size_t>(grid.nodes), nodes = n * n * n;
  const std::size_t gases = f.size() / nodes;
  std::vector<double> sums(gases * 3 * n);  // [gases][axes][n]
  for (std::size_t i = 0; i < f.size(); ++i) {
    const std::size_t gas = i / nodes, node[] = {i % n, i / n % n, i / n / n % n};
    for (std::size_t axis = 0; axis < 3; ++axis) sums[(gas * 3 + axis) * n + node[axis]] += static_cast<double>(f[i]);
  }
  const double spacing = grid.spacing();
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> row = {flow_.clock().time, static_cast<double>(flow_.clock().iterations)};
    for (int axis = 0; axis < 3; ++axis) row.push_back(grid.velocity(axis, static_cast<int>(i)));
    for (std::size_t column = 0; column < gases * 3; ++column) row.push_back(sums[column * n + i] * spacing * spacing);
    table.append_row(row);
  }
}

template class GasProbes<float>;
template class GasProbes<double>;

}  // namespace shoal::io::gas
