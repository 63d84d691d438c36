// SPDX-License-Identifier: Apache-2.0
// Cabana's full Verlet list with the layout of rows, in double, on the default execution space of its Kokkos. The time
// includes its cells.
#include <Cabana_Core.hpp>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include "points_program.hpp"

namespace {

using Memory = Kokkos::DefaultExecutionSpace::memory_space;
using List = Cabana::VerletList<Memory, Cabana::FullNeighborTag, Cabana::VerletLayoutCSR>;

class Search {
 public:
  explicit Search(const peers::Input& input) : radius_(input.radius), points_("points", input.count) {
    const auto host = Kokkos::create_mirror_view(points_);
    lower_.fill(std::numeric_limits<double>::max());
    upper_.fill(std::numeric_limits<double>::lowest());
    for (std::size_t i = 0; i < input.count; ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double coordinate = input.xyz[3 * i + axis];
        host(i, axis) = coordinate;
        lower_[axis] = std::min(lower_[axis], coordinate);
        upper_[axis] = std::max(upper_[axis], coordinate);
      }
    Kokkos::deep_copy(points_, host);
  }

  void call() {
    constexpr double cells_per_radius = 1;
    list_.build(points_, 0, points_.extent(0), radius_, cells_per_radius, array(lower_), array(upper_));
    Kokkos::fence();
  }

  peers::Answer answer() const {
    const auto counts = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list_._data.counts);
    const auto offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list_._data.offsets);
    const auto neighbors = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list_._data.neighbors);
    peers::Answer answer(points_.extent(0));
    for (std::size_t i = 0; i < points_.extent(0); ++i)
      for (int k = 0; k < counts(i); ++k) answer.add(i, neighbors(static_cast<std::size_t>(offsets(i) + k)));
    return answer;
  }

 private:
  static Kokkos::Array<double, 3> array(const std::array<double, 3>& corner) {
    return {corner[0], corner[1], corner[2]};
  }

  double radius_;
  std::array<double, 3> lower_{}, upper_{};
  Kokkos::View<double* [3], Memory> points_;
  List list_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--version") {
    std::cout << Cabana::version() << '\n';
    return 0;
  }
  const Kokkos::ScopeGuard kokkos;
  return peers::serve<Search>(argc, argv);
}
