// SPDX-License-Identifier: Apache-2.0
// A dam break that ranks share: each computes some of the particles, and reports the fields of its part.
//
//     mpirun -n 4 ./11_dam_break_on_ranks
#include <shoal/mpi.hpp>
#include <shoal/sph.hpp>

#include <cstdio>

namespace {

shoal::sph::Case dam_break() {
  shoal::sph::Case dam;
  dam.title = "Dam break";
  dam.spacing = 0.05;  // m
  dam.materials = {{.name = "water", .density = 1000, .sound_speed = 50}};
  dam.bodies = {{.material = "water", .box = {.from = {0, 0}, .to = {2, 1}}}};
  dam.walls = {{.name = "tank", .box = {.from = {0, 0}, .to = {5.4, 1.6}}, .open = {shoal::sph::Side::top}}};
  dam.scheme.gravity = {0, -9.81};  // m/s²
  return dam;
}

int run(const shoal::Communicator& ranks) {
  const shoal::Queue queue = shoal::mpi::queue(ranks);
  shoal::sph::Solver solver(queue, dam_break(), ranks);
  const double mass = solver.balance().mass;

  for (const double time : {0.1, 0.2, 0.3, 0.4}) {
    solver.advance_to(time);
    const shoal::sph::Balance balance = solver.balance();  // of the whole run, the same on all ranks
    if (ranks.rank() == 0)
      std::printf("t = %.1f s  step %5lld  kinetic energy %.1f J\n", time, static_cast<long long>(balance.clock.step),
                  balance.kinetic);
  }

  const shoal::sph::Fields part = solver.fields();
  const auto rows = static_cast<std::int64_t>(part.id.size());
  std::printf("%s: rows %lld to %lld of %lld\n", ranks.name().c_str(), static_cast<long long>(part.first),
              static_cast<long long>(part.first + rows - 1), static_cast<long long>(part.total));
  return solver.balance().mass == mass ? 0 : 1;  // no particle is lost on its way between ranks
}

}  // namespace

int main() {
  const shoal::Communicator ranks = shoal::mpi::world();
  return shoal::mpi::abort_on_exception(ranks, [&] { return run(ranks); });
}
