// SPDX-License-Identifier: Apache-2.0
// Open boundaries of the CUDA methods: the particles in their boxes during a step, and those that enter and leave after it.
//
// A run has free places besides its particles: labels say so, and they lie outside the domain, where the sort puts them
// behind all others. A particle that leaves becomes a free place, one that enters takes one. Kernels are launched for all
// places, so that graphs stay as they are; a step that lacks places does not begin, and the host makes more.
//
// A rank of several has no free places in its sort. What enters in a step is put behind its particles, where others arrive, and
// those that leave are taken out. The host, which waits once a step, keeps enough room for both.
#pragma once
#include <shoal/array.hpp>

#include <cstdint>
#include <functional>

#include "sph/open_boundaries/open_boundaries.hpp"
#include "sph/stepping/cuda/launches/lane.cuh"
#include "sph/stepping/cuda/step_arrays.cuh"

namespace shoal::sph {

/// Numbers of a step, in device memory.
struct OpenCounts {
  int held;     ///< particles in boxes
  int free;     ///< free places at the start of the step
  int taken;    ///< free places that entering particles have taken
  int needed;   ///< free places that the next step lacks, so that it has not begun; else 0
  int lost[2];  ///< particles outside the domain, after a step of even and of odd number
};

/// Places of a rank of several for particles that enter.
struct EntriesOfRank {
  std::int32_t places = 0;         ///< number behind the own particles
  std::int32_t* change = nullptr;  ///< particles that entered in a step less that of those that left; null on one rank
  std::function<void(unsigned long long*, std::int64_t)>
      all_max;  ///< the largest of each number over all ranks, in place
};

/// Arrays of the open boundaries of a run.
template <class Real, int dimensions>
struct OpenArrays {
  OpenBoundaryView<Real, dimensions> view;
  std::int32_t* list;  ///< [room] particles in boxes from the front, free places from the back, in any order
  std::int32_t room;
  OpenCounts* counts;
  unsigned long long*
      first_parent;      ///< [return columns] ~id, the largest, of those that have returned; 0 between steps
  std::int32_t places;   ///< as in EntriesOfRank
  std::int32_t* change;  ///< as in EntriesOfRank

  __device__ bool is_shared() const { return change != nullptr; }
  __device__ std::int32_t& held(std::int64_t k) const { return list[k]; }
  __device__ std::int32_t& free(std::int64_t k) const { return list[room - 1 - k]; }
  /// Takes a place for a particle that enters.
  __device__ std::int32_t take_place(const StepArrays<Real, dimensions>& arrays) const {
    const std::int32_t number = atomicAdd(&counts->taken, 1);
    return is_shared() ? arrays.first + arrays.n + number : free(number);
  }
};

/// The parts of a step at open boundaries.
template <class Cells, class Real, int dimensions>
class CudaOpenBoundaries {
 public:
  /// @param list  [room] memory that is as long as that of the particles
  /// @param lost  number of particles outside the domain
  CudaOpenBoundaries(const Queue& queue, const OpenBoundaries<Real, dimensions>& boundaries, Array<std::int32_t>& list,
                     const Clock& clock, std::int64_t lost);

  /// Begins a step: lists the particles in boxes, and gives them the velocity and pressure of the step. The step does not
  /// begin if more particles enter than there are free places.
  void enqueue_begin(const Lane& lane, const Parameters<Real, dimensions>& parameters,
                     const StepArrays<Real, dimensions>& arrays, const EntriesOfRank& entries) const;
  /// Moves the particles in boxes through a stage.
  /// @param next  state after the stage
  void enqueue_hold(const Lane& lane, const Parameters<Real, dimensions>& parameters,
                    const StepArrays<Real, dimensions>& arrays, int stage,
                    const StateView<Real, dimensions>& next) const;
  /// Ends a step: lets particles enter and leave, and counts all in their cells.
  void enqueue_end(const Lane& lane, const Parameters<Real, dimensions>& parameters,
                   const StepArrays<Real, dimensions>& arrays, const EntriesOfRank& entries) const;

  /// Number of particles that may enter in a step of a length, s, at most: on one rank and on all.
  std::int64_t most_entering(double dt) const;
  OpenCounts read_counts() const;
  /// Takes a new number of places, between steps.
  void renew_places();

 private:
  OpenArrays<Real, dimensions> arrays(const EntriesOfRank& entries) const;

  Queue queue_;
  Array<OpenBoundaryParameters<Real, dimensions>> boundaries_;
  Array<InflowKnot> knots_;
  Array<InletColumn<Real, dimensions>> columns_;
  OpenBoundaryView<Real, dimensions> view_;  ///< pointers to device memory
  std::int64_t expected_held_;               ///< particles in boxes by their volume
  double largest_speed_;                     ///< m/s, of what enters through an inlet
  Array<std::int32_t>& list_;
  mutable Array<OpenCounts> counts_;
  mutable Array<unsigned long long> first_parent_;  ///< [return columns]
};

}  // namespace shoal::sph
