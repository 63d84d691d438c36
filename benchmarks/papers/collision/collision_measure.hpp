// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/collision/relaxation.hpp>

#include <string>
#include <vector>

#include "support/harness.hpp"

namespace shoal::benchmarks {

/// Approach with its options, and a method that implements it.
struct CollisionConfiguration {
  std::string name;  ///< name of the approach and its options
  CollisionOptions options;

  /// True for the paper's own method: trilinear filtering of textures, with all nodes of the box.
  bool is_the_papers() const;
};

/// Measurement of one evaluation of Q of the BKW distribution at K = 0.66153; Maxwell molecules, double.
struct CollisionTimings {
  Timing each;
  double error = 0;             ///< largest |Q − ∂f/∂t| over the largest |∂f/∂t|
  double v4_error = 0;          ///< relative error of d<v⁴>/dt
  double mass = 0, energy = 0;  ///< conservation defects relative to the transferred mass and energy
  Timing serial;                ///< `serial` on one CPU thread, extrapolated from `serial_nodes`
  int serial_nodes = 0;         ///< number of nodes along an axis for `serial`; 0: not measured
  std::string failure;
};

/// Methods of a device with every approach that they implement, without the CPU methods that process pairs one by one.
std::vector<CollisionConfiguration> collision_configurations(DeviceKind device);

/// Returns the largest of `nodes`, `nodes` / 2, `nodes` / 4, ... (at least 8) with which one evaluation is expected to take
/// at most `seconds`. The expectation is extrapolated from half as many nodes, as for `serial` below.
int affordable_nodes(const Queue& queue, const CollisionConfiguration& configuration, int nodes, double seconds);

/// Measures one configuration with `nodes` nodes along an axis. `serial` has at most 8; its time is extrapolated with
/// nodes⁶ for sums over pairs and with nodes⁴ for Fourier methods.
CollisionTimings measure_collision(const Queue& queue, const CollisionConfiguration& configuration, int nodes,
                                   const MeasureOptions& options);

/// Figure 1 of the paper for one configuration: moments by time, from BKW at K = 0.6, ν = 1, over 16 collision times or
/// as many evaluations of Q as are allowed.
struct MomentCurves {
  std::string name;
  std::vector<double> time;
  std::vector<EvenMoments> moments, exact;
  std::vector<double> entropy;
  std::vector<std::int64_t> evaluations;  ///< evaluations of Q up to each time
  std::string failure;
};

/// @param most_evaluations  largest number of evaluations of Q; 0: as many as 16 collision times take
MomentCurves measure_moments(const Queue& queue, const CollisionConfiguration& configuration, int nodes,
                             std::int64_t most_evaluations);

}  // namespace shoal::benchmarks
