// SPDX-License-Identifier: Apache-2.0
// Neighbors over ranks: every rank has a slab of a cube of points, and finds all neighbors of its points.
//
//     mpirun -n 4 ./10_neighbors_on_ranks
#include <shoal/mpi.hpp>
#include <shoal/ranks/ghost_points.hpp>

#include <cstdio>
#include <vector>

namespace {

constexpr int edge = 20;  // points along an edge of the cube
constexpr float spacing = 1.0F / edge;

/// Makes the points of layers [first, end) of the cube.
void make_layers(int first, int end, std::vector<float> (&coordinates)[3]) {
  for (int z = first; z < end; ++z)
    for (int y = 0; y < edge; ++y)
      for (int x = 0; x < edge; ++x) {
        coordinates[0].push_back((static_cast<float>(x) + 0.5F) * spacing);
        coordinates[1].push_back((static_cast<float>(y) + 0.5F) * spacing);
        coordinates[2].push_back((static_cast<float>(z) + 0.5F) * spacing);
      }
}

int find_neighbors(const shoal::Communicator& ranks) {
  const shoal::Queue queue = shoal::mpi::queue(ranks);
  std::vector<float> host[3];
  make_layers(edge * ranks.rank() / ranks.size(), edge * (ranks.rank() + 1) / ranks.size(), host);
  const auto x = shoal::to_device(queue, host[0]);
  const auto y = shoal::to_device(queue, host[1]);
  const auto z = shoal::to_device(queue, host[2]);

  const shoal::Box box{3, {true, true, true}, {0, 0, 0}, {1, 1, 1}};
  const double radius = 1.2 * spacing;
  shoal::GhostPoints<float> ghosts(queue, ranks, radius, box);
  ghosts.find({x, y, z});

  shoal::Neighbors<float> neighbors(queue, radius, box);
  neighbors.find_part(ghosts.points(), ghosts.own_begin(), ghosts.own_count());

  const auto offsets = shoal::to_host(queue, neighbors.offsets());
  std::printf("%s: %lld of %lld points, %lld ghosts, %lld neighbors\n", ranks.name().c_str(),
              static_cast<long long>(ghosts.own_count()), static_cast<long long>(ghosts.total()),
              static_cast<long long>(ghosts.points().count() - ghosts.own_count()),
              static_cast<long long>(offsets.back()));
  return offsets.back() == 6 * ghosts.own_count() ? 0 : 1;  // the box is periodic: six neighbors each
}

}  // namespace

int main() {
  const shoal::Communicator ranks = shoal::mpi::world();
  return shoal::mpi::abort_on_exception(ranks, [&] { return find_neighbors(ranks); });
}
