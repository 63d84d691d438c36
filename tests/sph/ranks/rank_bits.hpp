// SPDX-License-Identifier: Apache-2.0
// Runs of a stepper on several ranks, which are threads here, and the comparison of every particle with one rank's.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <mutex>

#include "sph/ranks/slab_layers.hpp"
#include "sph/setup/filling/lattice.hpp"
#include "sph/setup/setup.hpp"
#include "sph/sph_method.hpp"
#include "support/method_suite.hpp"
#include "support/thread_ranks.hpp"

namespace shoal::testing_support {

/// Particles of all ranks, and the clock.
struct RankResult {
  std::map<std::int64_t, std::string> particles;  ///< bytes, by id
  std::map<std::int64_t, std::int64_t> layer;     ///< layers of particles inside the domain, by id
  std::map<std::int64_t, int> rank;               ///< ranks of particles, by id
  std::vector<std::int64_t> counts;               ///< [ranks] numbers of particles
  std::vector<sph::SlabCounts> slabs;             ///< counts of each rank
  sph::Clock clock;
  std::string failure;  ///< message of an unstable run
};

/// Steps and slabs of a run.
struct RankPlan {
  int steps = 60;
  int pause_every = 1000;              ///< steps of a call to advance
  int rebalance_every = 0;             ///< 0: only uneven ranks are rebalanced
  std::vector<std::int64_t> cut = {};  ///< first slabs; empty: by the number of particles
  bool has_wide_ids = false;           ///< CUDA sorts ids of 64 bits
  bool beside_halo = true;             ///< CUDA computes inner layers beside the exchange of halos
};

template <class T>
void append_bytes(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Values of a particle that a run computes.
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

/// Runs a case with a method on `count` ranks.
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

inline void expect_same_result(const RankResult& one, const RankResult& several) {
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

/// Tests whose bodies run once for each method.
class RankBits : public MethodTest {
 protected:
  template <class Real, int dimensions>
  RankResult run(const sph::Case& simulation, int count, const RankPlan& plan) const {
    return run_case_on_ranks<Real, dimensions>(GetParam(), simulation, count, plan);
  }

  template <class Real, int dimensions>
  void expect_bits_of_one_rank(const sph::Case& simulation, const RankPlan& plan = {},
                               std::vector<int> counts = {2, 3, 4}) const {
    const RankResult one = run<Real, dimensions>(simulation, 1, plan);
    ASSERT_FALSE(one.particles.empty());
    for (const int count : counts) {
      SCOPED_TRACE(testing::Message() << count << " ranks, " << dimensions << "-D, " << 8 * sizeof(Real) << " bits");
      expect_same_result(one, run<Real, dimensions>(simulation, count, plan));
    }
  }
};

}  // namespace shoal::testing_support
