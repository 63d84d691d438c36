// SPDX-License-Identifier: Apache-2.0
// Levels of refinement of the CUDA methods: the particles of the guard zone in a step, those that enter and leave the level,
// and the fluid that follows the next level.
//
// Levels with a parent have free places besides their particles, as runs with open boundaries. All levels step on one queue:
// a level takes values from the states that the last stages of others left, through their cells of the step.
#pragma once
#include <shoal/array.hpp>

#include "sph/refinement/guard_item.hpp"
#include "sph/stepping/cuda/launches/lane.cuh"
#include "sph/stepping/cuda/step_arrays.cuh"

namespace shoal::sph {

/// Numbers of a step, in device memory.
struct LevelCounts {
  int guard;       ///< particles in the guard zone
  int free;        ///< free places at the start of the step
  int covered;     ///< particles of fluid that follow the next level
  int entering;    ///< parts of the parent's particles that enter
  int taken;       ///< free places that they have taken
  int left;        ///< particles that have become free places
  int needed;      ///< free places that the next step may lack, so that it has not begun; else 0
  int lost[2];     ///< particles outside the domain, after a step of even and of odd number
  long long step;  ///< number of steps that have been joined
};

/// A part of a particle of the parent that enters.
template <int dimensions>
struct EnteringPart {
  Place<dimensions> place;  ///< m
  std::int64_t number;      ///< number of the part among those of all particles, in the order of the parent's step
  int material;
};

/// A level as other levels use it.
template <class Real, int dimensions>
struct LevelArrays {
  Parameters<Real, dimensions> parameters;
  LevelZones<Real, dimensions> zones;
  StepArrays<Real, dimensions> particles;
  std::int32_t* list;               ///< [room] guard particles from the front, free places from the back, in any order
  GuardTarget<dimensions>* target;  ///< [room] what the guard particles do in the step
  std::int32_t* covered;            ///< [room] fluid that follows the next level, after its stages, in any order
  EnteringPart<dimensions>* entering;  ///< [most_entering]
  std::int32_t room;
  std::int32_t most_entering;
  LevelCounts* counts;

  __device__ std::int32_t& guard(std::int64_t k) const { return list[k]; }
  __device__ std::int32_t& free(std::int64_t k) const { return list[room - 1 - k]; }
};

/// The parts of a step of a level. A step of all levels calls them in this order: `list` after the sort of each level, `begin`
/// after the stages of its parent, `hold` after each of its stages, `enter` after the last one, `take_values` from the last level to
/// the first, `end`, and join_clocks() after the ends of all steps.
template <class Cells, class Real, int dimensions>
class CudaLevel {
 public:
  using Arrays = LevelArrays<Real, dimensions>;

  /// @param room  number of places, free ones included
  /// @param lost  number of particles outside the domain
  CudaLevel(const Queue& queue, const Setup<Real, dimensions>& setup, std::int32_t room, std::int64_t lost);

  /// Free places that a step of a level needs at most: two layers of particles around its region. 0 for the first level.
  static std::int64_t most_entering(const Setup<Real, dimensions>& setup);

  bool has_parent() const { return zones_.box.exists; }
  Arrays arrays(const Parameters<Real, dimensions>& parameters, const StepArrays<Real, dimensions>& particles) const;

  static void enqueue_list(const Lane& lane, const Arrays& level);
  static void enqueue_begin(const Lane& lane, const Arrays& level, const Arrays& parent);
  static void enqueue_hold(const Lane& lane, const Arrays& level, int stage, const StateView<Real, dimensions>& next);
  /// Lets parts of the parent's particles enter, after the last stage.
  static void enqueue_enter(const Lane& lane, const Arrays& level, const Arrays& parent);
  static void enqueue_take_values(const Lane& lane, const Arrays& level, const Arrays& finer);
  static void enqueue_end(const Lane& lane, const Arrays& level);

  LevelCounts* counts() const { return counts_.data(); }
  int most_entering() const { return static_cast<int>(entering_.count()); }
  LevelCounts read_counts() const;
  /// Takes a new number of places, between steps.
  void reserve(std::int32_t room);

 private:
  Queue queue_;
  LevelZones<Real, dimensions> zones_;
  mutable Array<std::int32_t> list_;
  mutable Array<GuardTarget<dimensions>> target_;
  mutable Array<std::int32_t> covered_;
  mutable Array<EnteringPart<dimensions>> entering_;
  mutable Array<LevelCounts> counts_;
};

constexpr int most_levels = 8;

/// Clocks and counts of all levels, in device memory.
struct LevelClocks {
  DeviceClock* clock[most_levels];
  LevelCounts* counts[most_levels];
  int most_entering[most_levels];
  int count;
  bool by_cfl;
};

/// Gives all levels the same step, the shortest of theirs: before the first step of a run, and after each one. A fault or a lack
/// of places of one stops all.
void enqueue_join_clocks(const Lane& lane, const LevelClocks& clocks);

}  // namespace shoal::sph
