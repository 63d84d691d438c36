// SPDX-License-Identifier: Apache-2.0
// Problems whose time and memory are measured against their size.
#pragma once
#include <shoal/device.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace shoal::benchmarks {

/// Does the work of a problem once, and returns when it is complete. It keeps plan and arrays of the problem.
using Work = std::function<void()>;

/// A kind of problem of any size.
struct Growth {
  std::string operation;
  std::string work;                                     ///< Name of what is timed
  std::string unit;                                     ///< Objects that the size counts
  std::int64_t least;                                   ///< first size
  Work (*make)(const Queue& queue, std::int64_t size);  ///< @throws Error  the problem is too large
  std::int64_t (*next)(std::int64_t size) = twice;      ///< the size after this one

  static std::int64_t twice(std::int64_t size) { return 2 * size; }
};

/// Problems on points and particles: cells, neighbors, deposit and sph.
std::vector<Growth> particle_growths();

/// Problems on walls and on velocity grids.
std::vector<Growth> grid_growths();

}  // namespace shoal::benchmarks
