// SPDX-License-Identifier: Apache-2.0
// Open boundaries of the CUDA methods: the particles in their boxes during a step, and those that enter and leave after it.
//
// A run has free places besides its particles: labels say so, and they lie outside the domain, where the sort puts them
// behind all others. A particle that leaves becomes a free place, one that enters takes one. Kernels are launched for all
// places, so that graphs stay as they are; a step that lacks places does not begin, and the host makes more.
#pragma once
#include <shoal/array.hpp>

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

/// Word of a column through which nothing has returned.
constexpr unsigned long long no_parent = ~0ull;

/// Arrays of the open boundaries of a run.
template <class Real, int dimensions>
struct OpenArrays {
  OpenBoundaryView<Real, dimensions> view;
  std::int32_t* list;  ///< [room] particles in boxes from the front, free places from the back, in any order
  std::int32_t room;
  OpenCounts* counts;
  unsigned long long*
      first_parent;  ///< [return columns] smallest id of those that have returned; no_parent between steps

  __device__ std::int32_t& held(std::int64_t k) const { return list[k]; }
  __device__ std::int32_t& free(std::int64_t k) const { return list[room - 1 - k]; }
};

/// The parts of a step at open boundaries.
template <class Cells, class Real, int dimensions>
class CudaOpenBoundaries {
 public:
  /// @param room  number of places, free ones included
  /// @param lost  number of particles outside the domain
  CudaOpenBoundaries(const Queue& queue, const OpenBoundaries<Real, dimensions>& boundaries, std::int32_t room,
                     const Clock& clock, std::int64_t lost);

  /// Begins a step: lists the particles in boxes, and gives them the velocity and pressure of the step. The step does not
  /// begin if more particles enter than there are free places.
  void enqueue_begin(const Lane& lane, const Parameters<Real, dimensions>& parameters,
                     const StepArrays<Real, dimensions>& arrays) const;
  /// Moves the particles in boxes through a stage.
  /// @param next  state after the stage
  void enqueue_hold(const Lane& lane, const Parameters<Real, dimensions>& parameters,
                    const StepArrays<Real, dimensions>& arrays, int stage,
                    const StateView<Real, dimensions>& next) const;
  /// Ends a step: lets particles enter and leave, and counts all in their cells.
  void enqueue_end(const Lane& lane, const Parameters<Real, dimensions>& parameters,
                   const StepArrays<Real, dimensions>& arrays) const;

  OpenCounts read_counts() const;
  /// Takes a new number of places, between steps.
  void reserve(std::int32_t room);

 private:
  OpenArrays<Real, dimensions> arrays() const;

  Queue queue_;
  Array<OpenBoundaryParameters<Real, dimensions>> boundaries_;
  Array<InflowKnot> knots_;
  Array<InletColumn<Real, dimensions>> columns_;
  OpenBoundaryView<Real, dimensions> view_;  ///< pointers to device memory
  std::int64_t expected_held_;               ///< particles in boxes by their volume
  mutable Array<std::int32_t> list_;
  mutable Array<OpenCounts> counts_;
  mutable Array<unsigned long long> first_parent_;  ///< [return columns]
};

}  // namespace shoal::sph
