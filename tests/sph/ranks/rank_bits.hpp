// SPDX-License-Identifier: Apache-2.0
// Runs of a stepper on several ranks, which are threads here, and the comparison of every particle with one rank's.
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

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

/// Values of a particle that a run computes.
template <class Real, int dimensions>
std::string bytes_of_particle(const sph::HostState<Real, dimensions>& state, std::size_t i);

/// Runs a case with a method on `count` ranks.
template <class Real, int dimensions>
RankResult run_case_on_ranks(const MethodInfo& method, const sph::Case& simulation, int count, const RankPlan& plan);

void expect_same_result(const RankResult& one, const RankResult& several);

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
