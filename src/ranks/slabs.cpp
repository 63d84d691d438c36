// SPDX-License-Identifier: Apache-2.0
#include <shoal/ranks/slabs.hpp>

#include <algorithm>
#include <limits>
#include <string>

#include "core/range.hpp"
#include "core/text.hpp"
#include "ranks/slabs_together.hpp"

namespace shoal {
namespace {

constexpr std::int64_t most_weight = std::numeric_limits<std::int64_t>::max();

/// Weight of the layers before each layer, and of all. @return [layers + 1]
std::vector<std::int64_t> checked_sums(std::span<const std::int64_t> weight) {
  std::vector<std::int64_t> sums{0};
  sums.reserve(weight.size() + 1);
  for (std::size_t layer = 0; layer < weight.size(); ++layer) {
    require(weight[layer] >= 0, "slabs: the weight of layer ", layer, " is ", weight[layer], ", expected at least 0.");
    require(weight[layer] <= most_weight - sums.back(), "slabs: the weights of layers 0 to ", layer,
            " add up to more than ", most_weight, ". Use smaller weights, for example numbers of particles.");
    sums.push_back(sums.back() + weight[layer]);
  }
  return sums;
}

/// Returns true if a cut before a layer is between layers that stay together.
bool is_within(std::span<const Share> together, std::int64_t cut) {
  return std::any_of(together.begin(), together.end(),
                     [&](const Share& layers) { return cut > layers.first && cut < layers.first + layers.count; });
}

/// Search for cuts of which no rank has more than a limit.
class Cuts {
 public:
  Cuts(std::vector<std::int64_t> sums, int ranks, std::int64_t least, std::span<const Share> together)
      : sums_(std::move(sums)),
        layers_(static_cast<std::int64_t>(sums_.size()) - 1),
        ranks_(ranks),
        least_(least),
        room_(layers_ - ranks * least + 1),
        may_cut_(sums_.size()),
        can_end_(static_cast<std::size_t>((ranks + 1) * room_)) {
    for (std::int64_t cut = 0; cut <= layers_; ++cut)
      may_cut_[static_cast<std::size_t>(cut)] = !is_within(together, cut);
  }

  std::int64_t total() const { return sums_.back(); }

  /// Returns true if there are cuts without a rank of more than `limit`. Finds which cuts leave such a rest.
  bool exist(std::int64_t limit) {
    std::fill(can_end_.begin(), can_end_.end(), false);
    can_end_[index(ranks_, layers_)] = true;
    for (int rank = ranks_ - 1; rank >= 0; --rank) {
      // Last end that a slab from `first` can have. It falls with `first`; so does the nearest end that has a rest.
      std::int64_t end = last_cut(rank + 1);
      std::int64_t nearest = layers_ + 1;
      std::int64_t next = last_cut(rank + 1);
      for (std::int64_t first = last_cut(rank); first >= first_cut(rank); --first) {
        while (end > first && weight(first, end) > limit) --end;
        for (; next >= first + least_; --next)
          if (can_end_[index(rank + 1, next)]) nearest = next;
        can_end_[index(rank, first)] = nearest <= end && may_cut_[static_cast<std::size_t>(first)];
      }
    }
    return can_end_[index(0, 0)];
  }

  /// Lowest cuts after exist(limit).
  Slabs lowest() const {
    Slabs slabs{{0}};
    for (int rank = 1; rank <= ranks_; ++rank) {
      std::int64_t cut = std::max(slabs.cut.back() + least_, first_cut(rank));
      while (!can_end_[index(rank, cut)]) ++cut;
      slabs.cut.push_back(cut);
    }
    return slabs;
  }

 private:
  std::int64_t weight(std::int64_t first, std::int64_t end) const {
    return sums_[static_cast<std::size_t>(end)] - sums_[static_cast<std::size_t>(first)];
  }
  std::int64_t first_cut(int rank) const { return rank * least_; }
  std::int64_t last_cut(int rank) const { return first_cut(rank) + room_ - 1; }
  std::size_t index(int rank, std::int64_t cut) const {
    return static_cast<std::size_t>(rank * room_ + cut - first_cut(rank));
  }

  std::vector<std::int64_t> sums_;
  std::int64_t layers_;
  int ranks_;
  std::int64_t least_;
  std::int64_t room_;          ///< number of places that a cut can have
  std::vector<bool> may_cut_;  ///< [layers + 1] false: a cut before this layer is between layers that stay together
  std::vector<bool> can_end_;  ///< [ranks + 1][room] true: the layers from this cut on can be shared out over the rest
};

void require_layers(std::int64_t layers, int ranks, int least) {
  const std::int64_t needed = static_cast<std::int64_t>(ranks) * least;
  if (layers >= needed) return;
  const std::int64_t usable = layers / least;
  throw Error(text("slabs: ", layers, " layers of cells for ", ranks, " ranks, expected at least ", needed, ": ", least,
                   " a rank. ", usable > 0 ? text("Use at most ", usable, " ranks, or smaller") : "Use smaller",
                   " cells."));
}

/// Lowest limit for which cuts exist.
std::int64_t lowest_limit(Cuts& cuts, int ranks) {
  if (cuts.total() == 0) return 0;
  std::int64_t below = (cuts.total() - 1) / ranks;  // the heaviest rank has more than this
  std::int64_t limit = cuts.total();
  while (limit - below > 1) {
    const std::int64_t middle = below + (limit - below) / 2;
    (cuts.exist(middle) ? limit : below) = middle;
  }
  return limit;
}

/// @throws Error  there are no cuts, whatever the limit: too many layers stay together
void require_cuts(Cuts& cuts, int ranks, int least, std::int64_t layers, std::span<const Share> together) {
  if (together.empty() || cuts.exist(cuts.total())) return;
  std::string names;
  for (const Share& share : together)
    names += text(names.empty() ? "" : ", ", share.first, " to ", share.first + share.count - 1);
  throw Error(text("slabs: ", layers, " layers of cells for ", ranks, " ranks with at least ", least,
                   " each, of which one rank must have layers ", names, ". Use fewer ranks, or smaller cells."));
}

/// Gives cuts that would end between layers that stay together their present places, and those of slabs that would then be
/// thinner than any slab before. Present slabs are such an end.
void keep_together(const Slabs& present, std::int64_t least, std::span<const Share> together, Slabs& moved) {
  const auto keep = [&](int rank) {
    std::int64_t& cut = moved.cut[static_cast<std::size_t>(rank)];
    const bool moves = cut != present.first(rank);
    cut = present.first(rank);
    return moves;
  };
  for (int rank = 1; rank < present.ranks(); ++rank)
    if (is_within(together, moved.first(rank))) keep(rank);
  for (bool changes = true; changes;) {
    changes = false;
    for (int rank = 0; rank < present.ranks(); ++rank) {
      if (moved.count(rank) >= least) continue;
      if (rank > 0) changes = keep(rank) || changes;
      if (rank + 1 < present.ranks()) changes = keep(rank + 1) || changes;
    }
  }
}

/// Number of layers of the thinnest slab.
std::int64_t thinnest(const Slabs& slabs) {
  std::int64_t least = slabs.layers();
  for (int rank = 0; rank < slabs.ranks(); ++rank) least = std::min(least, slabs.count(rank));
  return least;
}

std::int64_t middle_rounded_down(const Slabs& slabs, int rank) { return slabs.first(rank) + slabs.count(rank) / 2; }
std::int64_t middle_rounded_up(const Slabs& slabs, int rank) { return slabs.end(rank) - slabs.count(rank) / 2; }

}  // namespace

int Slabs::owner(std::int64_t layer) const {
  return static_cast<int>(std::upper_bound(cut.begin(), cut.end(), layer) - cut.begin()) - 1;
}

void require_valid(const Slabs& slabs) {
  require(slabs.cut.size() >= 2, "slabs: ", slabs.cut.size(),
          " cuts, expected at least 2: 0 and the number of layers.");
  require(slabs.cut.front() == 0, "slabs: rank 0 begins at layer ", slabs.cut.front(), ", expected 0.");
  for (int rank = 0; rank < slabs.ranks(); ++rank)
    require(slabs.count(rank) >= 0, "slabs: rank ", rank, " begins at layer ", slabs.first(rank), " and ends at layer ",
            slabs.end(rank), ". Cuts must ascend.");
}

Slabs cut_together(std::span<const std::int64_t> weight, int ranks, int least, std::span<const Share> together) {
  require(ranks >= 1, "slabs: ", ranks, " ranks, expected at least 1.");
  require(least >= 0, "slabs: at least ", least, " layers a rank, expected 0 or more.");
  const auto layers = static_cast<std::int64_t>(weight.size());
  require_layers(layers, ranks, least);
  Cuts cuts(checked_sums(weight), ranks, least, together);
  require_cuts(cuts, ranks, least, layers, together);
  cuts.exist(lowest_limit(cuts, ranks));
  return cuts.lowest();
}

Slabs cut_by_weight(std::span<const std::int64_t> weight, int ranks, int least) {
  return cut_together(weight, ranks, least, {});
}

Slabs move_toward(const Slabs& present, const Slabs& wanted) {
  require_valid(present);
  require_valid(wanted);
  require(present.ranks() == wanted.ranks() && present.layers() == wanted.layers(), "slabs: ", present.layers(),
          " layers of ", present.ranks(), " ranks, but ", wanted.layers(), " layers of ", wanted.ranks(),
          " ranks are wanted. Expected equal numbers.");
  Slabs moved = present;
  for (int rank = 1; rank < present.ranks(); ++rank)
    moved.cut[static_cast<std::size_t>(rank)] =
        std::clamp(wanted.first(rank), middle_rounded_up(present, rank - 1), middle_rounded_down(present, rank));
  return moved;
}

Slabs move_together(const Slabs& present, const Slabs& wanted, std::span<const Share> together) {
  Slabs moved = move_toward(present, wanted);
  if (!together.empty()) keep_together(present, std::min(thinnest(present), thinnest(wanted)), together, moved);
  return moved;
}

Share share_of(std::int64_t count, const Communicator& ranks) {
  require(count >= 0, "ranks: ", count, " items to share out, expected 0 or more.");
  const Range range = part_range(count, ranks.rank(), ranks.size());
  return {range.begin, range.count()};
}

}  // namespace shoal
