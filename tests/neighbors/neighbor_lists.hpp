// SPDX-License-Identifier: Apache-2.0
// Common parts of the tests of `neighbors`: searches, their lists on the host, and tests that run for every method.
#pragma once
#include <shoal/neighbors.hpp>

#include <ostream>
#include <string>
#include <vector>

#include "neighbors/neighbors_method.hpp"
#include "support/distributions.hpp"
#include "support/method_suite.hpp"
#include "support/same_list.hpp"

namespace shoal::testing_support {

/// List of neighbors on the host.
struct List {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> indices;

  bool operator==(const List&) const = default;
  std::size_t row_count() const { return offsets.size() - 1; }
  std::vector<std::int32_t> row(std::size_t i) const {
    return {indices.begin() + offsets[i], indices.begin() + offsets[i + 1]};
  }
  void add_row(const std::vector<std::int32_t>& row) {
    if (offsets.empty()) offsets.push_back(0);
    indices.insert(indices.end(), row.begin(), row.end());
    offsets.push_back(static_cast<std::int64_t>(indices.size()));
  }
};

inline void PrintTo(const List& list, std::ostream* out) {
  *out << "a list of " << list.offsets.size() << " offsets and " << list.indices.size() << " indices";
}

inline List list_of_rows(const std::vector<std::vector<std::int32_t>>& rows) {
  List list{{0}, {}};
  for (const auto& row : rows) list.add_row(row);
  return list;
}

/// Entries of an array that the list uses; there may be room for more.
template <class T>
std::vector<T> entries(const Queue& queue, View<const T> array, const List& list) {
  return to_host(queue, View<const T>(array.data, list.offsets.back(), array.device));
}

template <class Real>
List list_of(const Queue& queue, const Neighbors<Real>& neighbors) {
  List list{to_host(queue, neighbors.offsets()), {}};
  list.indices = entries(queue, neighbors.indices(), list);
  return list;
}

struct Search {
  double radius = 0.1;
  Box box{};
  NeighborsOptions options{};
};

inline Search with_method(Search search, const std::string& method) {
  search.options.method = method;
  return search;
}

template <class Real>
Neighbors<Real> plan(const Queue& queue, const Search& search) {
  return Neighbors<Real>(queue, search.radius, search.box, search.options);
}

template <class Real>
List find(const Queue& queue, const Search& search, const Distribution<Real>& points) {
  Neighbors<Real> neighbors = plan<Real>(queue, search);
  const DevicePoints<Real> device(queue, points);
  neighbors.find(device.points());
  return list_of(queue, neighbors);
}

template <class Real>
List find(const Queue& queue, const Search& search, const Distribution<Real>& destinations,
          const Distribution<Real>& sources) {
  Neighbors<Real> neighbors = plan<Real>(queue, search);
  const DevicePoints<Real> device_destinations(queue, destinations);
  const DevicePoints<Real> device_sources(queue, sources);
  neighbors.find(device_destinations.points(), device_sources.points());
  return list_of(queue, neighbors);
}

/// The list of `serial`, the reference of all other methods.
/// @{
template <class Real>
List serial_list(const Search& search, const Distribution<Real>& points) {
  return find(Queue::cpu(1), with_method(search, "serial"), points);
}
template <class Real>
List serial_list(const Search& search, const Distribution<Real>& destinations, const Distribution<Real>& sources) {
  return find(Queue::cpu(1), with_method(search, "serial"), destinations, sources);
}
/// @}

const Box unit_periodic{3, {true, true, true}, {0, 0, 0}, {1, 1, 1}};

template <class Real>
Distribution<Real> on_a_line(const std::vector<double>& coordinates) {
  Distribution<Real> points{"line", {}, {}, {}};
  for (const double x : coordinates) points.add(x, 0, 0);
  return points;
}

/// Returns true if a method can update without waiting.
inline bool replays(const MethodInfo& method) {
  for (const neighbors::NeighborsMethod& entry : neighbors::neighbors_method_table())
    if (entry.name == method.name && entry.device == method.device) return entry.replays;
  return false;
}

/// Test of every method in the table whose device is available.
class NeighborsMethodTest : public MethodTest {
 protected:
  NeighborsOptions options() const { return {.method = GetParam().name}; }
  Search with_this_method(const Search& search) const { return with_method(search, GetParam().name); }
};

/// Test of every method that can update without waiting.
class NeighborsUpdateTest : public NeighborsMethodTest {
 protected:
  void SetUp() override {
    NeighborsMethodTest::SetUp();
    if (!IsSkipped() && !replays(GetParam())) GTEST_SKIP() << "this method cannot update";
  }
};

}  // namespace shoal::testing_support

#define SHOAL_FOR_EVERY_NEIGHBORS_METHOD(Suite) \
  INSTANTIATE_TEST_SUITE_P(AllMethods, Suite, testing::ValuesIn(methods("neighbors")), method_test_name)
