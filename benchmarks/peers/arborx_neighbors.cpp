// SPDX-License-Identifier: Apache-2.0
// ArborX's full neighbor list, in double, on the default execution space of its Kokkos. The time includes its tree.
#include <ArborX.hpp>
#include <ArborX_Version.hpp>
#include <Kokkos_Core.hpp>
#include <detail/ArborX_NeighborList.hpp>

#include "points_program.hpp"

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Point = ArborX::Point<3, double>;

class Search {
 public:
  explicit Search(const peers::Input& input) : radius_(input.radius), points_("points", input.count) {
    const auto host = Kokkos::create_mirror_view(points_);
    for (std::size_t i = 0; i < input.count; ++i)
      host(i) = Point{input.xyz[3 * i], input.xyz[3 * i + 1], input.xyz[3 * i + 2]};
    Kokkos::deep_copy(points_, host);
  }

  void call() {
    offsets_ = Kokkos::View<int*, Memory>("offsets", 0);
    indices_ = Kokkos::View<int*, Memory>("indices", 0);
    ArborX::Experimental::findFullNeighborList(space_, points_, radius_, offsets_, indices_);
    space_.fence();
  }

  peers::Answer answer() const {
    const auto offsets = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), offsets_);
    const auto indices = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), indices_);
    peers::Answer answer(points_.size());
    for (std::size_t i = 0; i < points_.size(); ++i)
      for (int k = offsets(i); k < offsets(i + 1); ++k) answer.add(i, indices(static_cast<std::size_t>(k)));
    return answer;
  }

 private:
  double radius_;
  Space space_;
  Kokkos::View<Point*, Memory> points_;
  Kokkos::View<int*, Memory> offsets_, indices_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::string(argv[1]) == "--version") {
    std::cout << ArborX::version() << '\n';
    return 0;
  }
  const Kokkos::ScopeGuard kokkos;
  return peers::serve<Search>(argc, argv);
}
