// SPDX-License-Identifier: Apache-2.0
#include "deposit/ranks/rank_layers.hpp"

#include <array>
#include <vector>

#include "core/text.hpp"

namespace shoal::deposit {

namespace {

constexpr const char* axis_names[] = {"x", "y", "z"};
constexpr std::string_view method_of_any_partition = "integer";

std::int64_t layer_count(const DepositGrid& grid) {
  return grid.grid.cells[static_cast<std::size_t>(grid.grid.dimensions - 1)];
}

}  // namespace

RankLayers::RankLayers(const DepositGrid& grid, const Slabs& of_grid, const Communicator& of_particles)
    : ranks(of_particles), slabs(of_grid) {
  require_valid(grid);
  require_valid(slabs);
  require(slabs.ranks() == ranks.size(), "deposit: slabs of ", slabs.ranks(), " ranks, but there are ", ranks.size(),
          ". Cut the layers for this number of ranks.");
  require(slabs.layers() == layer_count(grid), "deposit: slabs of ", slabs.layers(), " layers, but the grid has ",
          layer_count(grid), " cells along ", axis_names[grid.grid.dimensions - 1], ". Cut these.");
  for (int rank = 0; rank < slabs.ranks(); ++rank)
    require(slabs.count(rank) > 0, "deposit: rank ", rank, " has no layer of cells, expected at least 1. Use fewer ",
            "ranks, or another cut.");
}

Range RankLayers::range(const DepositGrid& grid) const {
  if (!has_slabs()) return {0, layer_count(grid)};
  return {slabs.first(ranks.rank()), slabs.end(ranks.rank())};
}

bool RankLayers::is_periodic(const DepositGrid& grid) {
  return grid.grid.periodic[static_cast<std::size_t>(grid.grid.dimensions - 1)];
}

Slabs RankLayers::support_slabs(bool is_periodic) const {
  Slabs support = slabs;
  if (is_periodic) return support;
  for (std::size_t cut = 1; cut < support.cut.size(); ++cut) ++support.cut[cut];
  return support;
}

bool RankLayers::is_of_any_partition(std::string_view method) { return method == method_of_any_partition; }

void RankLayers::require_method(std::string_view method) const {
  require(!is_any_partition || is_of_any_partition(method), "deposit: method `", method,
          "` adds in an order that depends on how particles are shared out over ranks. Use method `",
          method_of_any_partition, "`, or give Slabs.");
}

bool RankLayers::is_true_on_all(bool condition) const {
  if (ranks.size() == 1) return condition;
  std::array<std::uint64_t, 1> is_false{condition ? std::uint64_t{0} : 1};
  ranks.group().all_max(is_false);
  return is_false[0] == 0;
}

void RankLayers::require_same_on_all_ranks() const {
  // The largest of each cut, and of its complement for the smallest. Without slabs there is one word, so that a rank with
  // slabs beside one without is found too.
  std::vector<std::uint64_t> words(2 * static_cast<std::size_t>(ranks.size() + 1), 0);
  for (std::size_t i = 0; i < words.size() / 2; ++i) {
    const std::uint64_t word = has_slabs() ? 1 + static_cast<std::uint64_t>(slabs.cut[i]) : 0;
    words[2 * i] = word;
    words[2 * i + 1] = ~word;
  }
  ranks.group().all_max(words);
  for (std::size_t i = 0; i < words.size(); i += 2)
    require(words[i] == ~words[i + 1], "deposit: ranks have different slabs: cut ", i / 2, " is at layer ",
            static_cast<std::int64_t>(~words[i + 1]) - 1, " on one and at layer ",
            static_cast<std::int64_t>(words[i]) - 1, " on another. Give all ranks the same ones.");
}

DepositOptions RankLayers::options_for_all(DepositOptions options) {
  if (options.method == "auto") options.method = method_of_any_partition;
  return options;
}

}  // namespace shoal::deposit
