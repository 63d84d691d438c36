// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/neighbors.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bindings.hpp"

namespace shoal::python {

/// Keywords of Neighbors, NeighborSets and NeighborStream: box and options in one table.
struct NeighborKeywords {
  Box box;
  NeighborsOptions options;
  std::optional<Radius> radius_of;  ///< rule for the radius of a pair; without it: "symmetric" if points have radii
};
const Options<NeighborKeywords>& neighbor_keywords();

/// Keywords of the box alone.
const Options<Box>& box_options();

/// Docstrings of these keywords; the first has those of the box, too.
/// @{
extern const std::string neighbor_parameters;
extern const char* const box_parameters;
/// @}

/// Returns the number of dimensions of points given as a table or as a tuple of columns.
/// @throws Error  a table that does not have one to three columns
int dimensions_of(nb::handle points);

/// Throws if radii are given or missing against `radius_of`.
void require_radii(const NeighborKeywords& keywords, nb::handle radii);
/// Throws also if only one of two sets has radii.
/// @param sources, source_radii  None for a search within one set
void require_radii(const NeighborKeywords& keywords, nb::handle radii, nb::handle sources, nb::handle source_radii);

/// Plan of neighbors. Without `radius_of` its rule for the radius of a pair follows the radii of the points.
template <template <class> class Plan>
class NeighborPlan : public FloatOrDoublePlan<Plan> {
 public:
  /// @param make  <Real>(keywords) returns a std::unique_ptr<Plan<Real>>
  template <class Make>
  NeighborPlan(PlanContext context, NeighborKeywords keywords, Make make)
      : NeighborPlan(context, std::make_shared<NeighborKeywords>(with_rule(std::move(keywords))), make) {}

 protected:
  const NeighborKeywords& keywords() const { return *keywords_; }

  /// Adapts the plan to points with or without radii. Returns true if there is a new plan.
  template <class Real>
  bool select_rule(AlternatingPlans<Plan<Real>>& plans, bool has_radii) {
    const Radius rule = keywords_->radius_of.value_or(has_radii ? Radius::symmetric : Radius::fixed);
    if (rule == keywords_->options.radius) return false;
    const Radius previous = std::exchange(keywords_->options.radius, rule);
    try {
      plans.remake();
    } catch (...) {
      keywords_->options.radius = previous;
      throw;
    }
    return true;
  }

 private:
  template <class Make>
  NeighborPlan(PlanContext context, const std::shared_ptr<NeighborKeywords>& keywords, Make make)
      : FloatOrDoublePlan<Plan>("neighbors", std::move(context),
                                [keywords, make]<class Real>() { return make.template operator()<Real>(*keywords); }),
        keywords_(keywords) {}

  static NeighborKeywords with_rule(NeighborKeywords keywords) {
    keywords.options.radius = keywords.radius_of.value_or(Radius::fixed);
    return keywords;
  }

  std::shared_ptr<NeighborKeywords> keywords_;
};

}  // namespace shoal::python
