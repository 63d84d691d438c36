// SPDX-License-Identifier: Apache-2.0
#include <shoal/neighbors.hpp>

#include "c/c_status.hpp"

struct shoal_neighbors {
  shoal::Queue queue;
  int dimensions;
  shoal::Neighbors<double> list;
};

namespace shoal::c {

namespace {

Box box_of(int dimensions, const int* periodic, const double* lower, const double* upper) {
  require(dimensions == 2 || dimensions == 3, "c: dimensions is ", dimensions, ", expected 2 or 3.");
  Box box{.dimensions = dimensions};
  for (int axis = 0; axis < dimensions; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    box.periodic[k] = periodic && periodic[axis] != 0;
    if (!box.periodic[k]) continue;
    require_array(lower, dimensions, "lower");
    require_array(upper, dimensions, "upper");
    box.lower[k] = lower[axis];
    box.upper[k] = upper[axis];
  }
  return box;
}

}  // namespace

}  // namespace shoal::c

using namespace shoal::c;

int shoal_neighbors_create(int dimensions, double radius, const int* periodic, const double* lower, const double* upper,
                           int threads, shoal_neighbors** plan) {
  return status_of([&] {
    require_array(plan, 1, "plan");
    *plan = nullptr;
    const shoal::Queue queue = shoal::Queue::cpu(threads);
    const shoal::Box box = box_of(dimensions, periodic, lower, upper);
    *plan = new shoal_neighbors{queue, dimensions, shoal::Neighbors<double>(queue, radius, box)};
  });
}

int shoal_neighbors_find(shoal_neighbors* plan, int64_t count, const double* position, const int64_t** offsets,
                         const int32_t** indices) {
  return status_of([&] {
    require_plan(plan);
    require_array(position, count, "position");
    require_array(offsets, 1, "offsets");
    require_array(indices, 1, "indices");
    const auto axis = [&](int k) { return along(position, count, k, plan->dimensions); };
    plan->list.find({axis(0), axis(1), axis(2)});
    plan->queue.wait();
    *offsets = plan->list.offsets().data;
    *indices = plan->list.indices().data;
  });
}

void shoal_neighbors_destroy(shoal_neighbors* plan) { delete plan; }
