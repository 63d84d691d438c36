// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/relaxation.hpp>

#include <string>
#include <vector>

#include "paper_figure.hpp"

namespace shoal::cli {

/// An approach with its options, and a row that knows it.
struct CollisionContender {
  std::string name;  ///< of the approach and its options
  CollisionOptions options;
};

/// One evaluation of Q of BKW at K = 0.66153, Maxwell molecules, double.
struct CollisionTimings {
  Timing each;
  double error = 0;             ///< largest |Q − ∂f/∂t| over the largest |∂f/∂t|
  double v4_error = 0;          ///< of d<v⁴>/dt, relative
  double mass = 0, energy = 0;  ///< defects over what is moved
  Timing serial;                ///< on one CPU thread, worked out from `serial_nodes`
  int serial_nodes = 0;         ///< along an axis; 0: not measured
  std::string failure;
};

/// The rows of a device that are measured, with every approach that they know: all but those that go pair by pair on
/// the CPU.
std::vector<CollisionContender> collision_contenders(DeviceKind device);

/// The velocity grid that suits an approach.
VelocityGrid grid_for(const CollisionOptions& options, int nodes);

/// As many nodes along an axis as asked for, or half, a quarter, ... of it, down to 16, until one evaluation is
/// expected to take no more than so many seconds: by the time on half as many nodes, as for `serial` below.
int affordable_nodes(const Queue& queue, const CollisionContender& contender, int nodes, double seconds);

/// Measures one contender on a grid of as many nodes along an axis. `serial` sees fewer; its time there grows with
/// nodes⁶ for what goes pair by pair, and with nodes⁴ for Fourier methods.
CollisionTimings measure_collision(const Queue& queue, const CollisionContender& contender, int nodes,
                                   const MeasureOptions& options);

/// The paper's figure 1 by one contender: moments over time from BKW at K = 0.6, ν = 1.
struct MomentCurves {
  std::string name;
  std::vector<double> time;
  std::vector<EvenMoments> moments, exact;
  std::vector<double> entropy;
  std::string failure;
};

MomentCurves measure_moments(const Queue& queue, const CollisionContender& contender, int nodes);

}  // namespace shoal::cli
