// SPDX-License-Identifier: Apache-2.0
// What tests of `neighbors` share: searches, their lists on the host, and tests that run for every method.
#pragma once
#include <shoal/neighbors.hpp>

#include <string>
#include <vector>

#include "support/devices.hpp"
#include "support/distributions.hpp"

namespace shoal::testing_support {

/// A list on the host.
struct List {
  std::vector<std::int64_t> offsets;
  std::vector<std::int32_t> indices;

  bool operator==(const List&) const = default;
  std::size_t rows() const { return offsets.size() - 1; }
  std::vector<std::int32_t> row(std::size_t i) const {
    return {indices.begin() + offsets[i], indices.begin() + offsets[i + 1]};
  }
  void add_row(const std::vector<std::int32_t>& row) {
    if (offsets.empty()) offsets.push_back(0);
    indices.insert(indices.end(), row.begin(), row.end());
    offsets.push_back(static_cast<std::int64_t>(indices.size()));
  }
};

/// Those entries of an array that a list has; there may be room for more.
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

inline Search with(Search search, const std::string& method) {
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
  const DevicePoints<Real> to(queue, destinations);
  const DevicePoints<Real> from(queue, sources);
  neighbors.find(to.points(), from.points());
  return list_of(queue, neighbors);
}

const Box unit_periodic{3, {true, true, true}, {0, 0, 0}, {1, 1, 1}};

template <class Real>
Distribution<Real> on_a_line(const std::vector<double>& places) {
  Distribution<Real> points{"line", {}, {}, {}};
  for (const double x : places) points.add(x, 0, 0);
  return points;
}

/// Runs for every row of the table whose device is there.
class NeighborsMethodTest : public testing::TestWithParam<MethodInfo> {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(GetParam().device); }
  Queue queue() const { return queue_on(GetParam().device); }
  Search mine(const Search& search) const { return with(search, GetParam().name); }
};

}  // namespace shoal::testing_support

#define SHOAL_FOR_EVERY_NEIGHBORS_METHOD(Suite)                                  \
  INSTANTIATE_TEST_SUITE_P(Rows, Suite, testing::ValuesIn(methods("neighbors")), \
                           [](const auto& row) { return row.param.name + "_" + device_word(row.param.device); })
