// SPDX-License-Identifier: Apache-2.0
#include "sph/ranks/rank_bits.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "sph/ranks/slab_layers.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/setup.hpp"

namespace shoal::testing_support {

namespace {

template <class T>
void append_bytes(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

}  // namespace

template <class Real, int dimensions>
std::string bytes_of_particle(const sph::HostState<Real, dimensions>& state, std::size_t i) {
  std::string bytes;
  for (int axis = 0; axis < dimensions; ++axis) {
    append_bytes(state.position[i].x[axis], bytes);
    append_bytes(state.velocity[i].v[axis], bytes);
  }
  append_bytes(state.position[i].density, bytes);
  append_bytes(state.particle(i).pressure_over_density2(), bytes);
  append_bytes(state.energy[i], bytes);
  append_bytes(state.tag[i], bytes);
  if (!state.properties.empty()) {  // by member: there may be padding
    append_bytes(state.properties[i].mass, bytes);
    append_bytes(state.properties[i].smoothing_length, bytes);
    append_bytes(state.properties[i].sound_speed, bytes);
    append_bytes(state.properties[i].movement(), bytes);
  }
  if (!state.previous.empty()) append_bytes(state.previous[i], bytes);
  if (!state.viscosity.empty()) append_bytes(state.viscosity[i], bytes);
  return bytes;
}

template <class Real, int dimensions>
RankResult run_case_on_ranks(const MethodInfo& method, const sph::Case& simulation, int count, const RankPlan& plan) {
  RankResult result;
  result.counts.resize(static_cast<std::size_t>(count));
  result.slabs.resize(static_cast<std::size_t>(count));
  std::mutex mutex;
  run_on_ranks(count, [&](const Communicator& ranks) {
    const Queue queue = queue_on(method.device);
    const sph::Lattice lattice = sph::make_lattice(simulation, 8 * sizeof(sph::Coordinate<Real>));
    const Slabs slabs{count > 1 ? plan.cut : std::vector<std::int64_t>()};
    auto setup = sph::make_setup<Real, dimensions>(simulation, lattice, queue, nullptr, ranks, slabs);
    setup.rebalance_every = plan.rebalance_every;
    setup.has_wide_ids = plan.has_wide_ids;
    setup.least_beside_halo = plan.beside_halo ? 1 : setup.particles + 1;
    const sph::Parameters<Real, dimensions> parameters = setup.parameters;
    const sph::Method* const entry = &sph::choose_method(method.name, method.device);
    const auto stepper = entry->make<Real, dimensions>()(queue, std::move(setup));
    std::string failure;
    try {
      for (int begin = 0; begin < plan.steps; begin += plan.pause_every)
        stepper->advance({.step = std::min(begin + plan.pause_every, plan.steps)}, {});
    } catch (const Error& error) {
      failure = error.what();
    }
    const sph::HostState<Real, dimensions> state = stepper->download();
    const std::lock_guard lock(mutex);
    result.clock = state.clock;
    result.failure = failure;
    result.counts[static_cast<std::size_t>(ranks.rank())] = static_cast<std::int64_t>(state.count());
    result.slabs[static_cast<std::size_t>(ranks.rank())] = stepper->slab_counts();
    for (std::size_t i = 0; i < state.count(); ++i) {
      EXPECT_TRUE(result.particles.emplace(state.id[i], bytes_of_particle(state, i)).second)
          << "two ranks have particle " << state.id[i];
      result.rank[state.id[i]] = ranks.rank();
      if (!is_outside(parameters, state.position[i]))
        result.layer[state.id[i]] = sph::slab_layer(parameters, state.position[i]);
    }
  });
  return result;
}

void expect_same_result(const RankResult& one, const RankResult& several) {
  EXPECT_EQ(one.failure, several.failure);
  EXPECT_EQ(one.clock.step, several.clock.step);
  EXPECT_EQ(one.clock.time, several.clock.time);
  EXPECT_EQ(one.clock.dt, several.clock.dt);
  EXPECT_EQ(one.clock.next_dt, several.clock.next_dt);
  EXPECT_EQ(one.clock.particles, several.clock.particles);
  EXPECT_EQ(one.clock.lost, several.clock.lost);
  ASSERT_EQ(one.particles.size(), several.particles.size());
  std::size_t differences = 0;
  for (const auto& [id, bytes] : one.particles) differences += several.particles.at(id) != bytes;
  EXPECT_EQ(differences, 0u) << "particles with other bits";
}

#define SHOAL_INSTANTIATE(Real, dimensions)                                                     \
  template std::string bytes_of_particle(const sph::HostState<Real, dimensions>&, std::size_t); \
  template RankResult run_case_on_ranks<Real, dimensions>(const MethodInfo&, const sph::Case&, int, const RankPlan&);
SHOAL_INSTANTIATE(float, 1)
SHOAL_INSTANTIATE(float, 2)
SHOAL_INSTANTIATE(float, 3)
SHOAL_INSTANTIATE(double, 1)
SHOAL_INSTANTIATE(double, 2)
SHOAL_INSTANTIATE(double, 3)
#undef SHOAL_INSTANTIATE

}  // namespace shoal::testing_support
