// SPDX-License-Identifier: Apache-2.0
// Tables of general physics on a device.
#pragma once
#include <shoal/array.hpp>

#include "sph/sph_method.hpp"

namespace shoal::sph {

/// Tables of the models of general physics, and the plan of a step. Both are empty in plain physics.
template <class Real, int dimensions>
class DeviceTables {
 public:
  explicit DeviceTables(const Queue& queue) : queue_(queue) {}

  const ModelTables<Real, dimensions>* get() const { return tables_.data(); }  ///< null in plain physics
  StepPlan<dimensions>* plan() { return plan_.data(); }                        ///< null in plain physics

  /// Copies the tables of a case, which receive the addresses of the memory here.
  /// @param accelerations  by surface tension; null without
  void upload(Setup<Real, dimensions>& setup, const VectorOf<Real, dimensions>* accelerations) {
    tables_ = Array<ModelTables<Real, dimensions>>(queue_, 1);
    plan_ = Array<StepPlan<dimensions>>(queue_, 1);
    if (!setup.initial.empty()) initial_ = to_device(queue_, setup.initial);
    if (!setup.knots.empty()) knots_ = to_device(queue_, setup.knots);
    setup.tables.plan = plan_.data();
    setup.tables.initial = setup.initial.empty() ? nullptr : initial_.data();
    setup.tables.knots = setup.knots.empty() ? nullptr : knots_.data();
    setup.tables.capillary_acceleration = accelerations;
    copy_bytes(queue_, tables_.data(), queue_.device(), &setup.tables, {}, sizeof setup.tables);
    queue_.wait();
  }

  /// Sets where the accelerations by surface tension are.
  void upload_accelerations(const VectorOf<Real, dimensions>* accelerations) {
    copy_bytes(queue_, &tables_.data()->capillary_acceleration, queue_.device(), &accelerations, {},
               sizeof accelerations);
    queue_.wait();
  }

 private:
  Queue queue_;
  Array<ModelTables<Real, dimensions>> tables_;  ///< [1], or empty in plain physics, as the others
  Array<StepPlan<dimensions>> plan_;             ///< [1]
  Array<Coordinate<Real>> initial_;              ///< [walls][D]
  Array<PathKnot> knots_;                        ///< knots of the paths of moving walls
};

}  // namespace shoal::sph
