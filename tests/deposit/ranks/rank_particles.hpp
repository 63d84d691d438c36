// SPDX-License-Identifier: Apache-2.0
// Particles of ranks, which are threads here, and messages of all ranks.
#pragma once
#include "deposit/deposit_cases.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::testing_support {

/// Particles of one rank: their numbers in the whole distribution, and the distribution of these alone.
template <class Real>
struct RankParticles {
  std::vector<std::size_t> number;
  Distribution<Real> points{"of a rank", {}, {}, {}};

  void add(const Distribution<Real>& points_of_all, std::size_t i) {
    number.push_back(i);
    points.add(points_of_all.x[i], points_of_all.y[i], points_of_all.z[i]);
  }
  std::vector<Real> values(const std::vector<Real>& of_all) const {
    std::vector<Real> part;
    for (const std::size_t i : number) part.push_back(of_all[i]);
    return part;
  }
};

/// Layer of each particle, which skipped particles lack (-1).
template <class Real>
std::vector<std::int64_t> layers_of(const DepositGrid& grid, const DepositOptions& options,
                                    const Distribution<Real>& points_of_all) {
  const Queue queue = Queue::cpu(1);
  Deposit<Real> one(queue, grid, {.method = "serial", .outside = options.outside, .blocked = options.blocked});
  const DevicePoints<Real> device(queue, points_of_all);
  bin(one, device);
  queue.wait();
  const std::int64_t layers = grid.grid.cells[static_cast<std::size_t>(grid.grid.dimensions - 1)];
  const std::int64_t cells = grid.cell_count() / layers;
  std::vector<std::int64_t> layer(points_of_all.x.size(), -1);
  for (std::int64_t cell = 0; cell < grid.cell_count(); ++cell)
    for (std::int64_t k = one.cell_start().data[cell]; k < one.cell_start().data[cell + 1]; ++k)
      layer[static_cast<std::size_t>(one.order().data[k])] = cell / cells;
  return layer;
}

/// Slabs with about equally many particles.
/// @param layer  of each particle
inline Slabs slabs_of(const DepositGrid& grid, const std::vector<std::int64_t>& layer, int ranks) {
  const std::int64_t layers = grid.grid.cells[static_cast<std::size_t>(grid.grid.dimensions - 1)];
  std::vector<std::int64_t> weight(static_cast<std::size_t>(layers), 0);
  for (const std::int64_t each : layer)
    if (each >= 0) ++weight[static_cast<std::size_t>(each)];
  return cut_by_weight(weight, ranks, 1);
}

/// Particles of a rank: those of its layers; the first rank also has skipped ones.
template <class Real>
RankParticles<Real> particles_of(const Communicator& group, const Slabs& slabs, const std::vector<std::int64_t>& layer,
                                 const Distribution<Real>& points_of_all) {
  RankParticles<Real> part;
  for (std::size_t i = 0; i < layer.size(); ++i)
    if (layer[i] < 0 ? group.rank() == 0 : slabs.owner(layer[i]) == group.rank()) part.add(points_of_all, i);
  return part;
}

/// Messages of all ranks of a call that one of them makes wrongly.
inline std::vector<std::string> messages_of_ranks(int ranks, const std::function<void(const Communicator&)>& call) {
  std::vector<std::string> messages(static_cast<std::size_t>(ranks));
  run_on_ranks(ranks, [&](const Communicator& group) {
    messages[static_cast<std::size_t>(group.rank())] = message_of([&] { call(group); });
  });
  return messages;
}

inline void expect_on_all(const std::vector<std::string>& messages, const std::string& expected) {
  for (const std::string& message : messages) EXPECT_EQ(message, expected);
}

}  // namespace shoal::testing_support
