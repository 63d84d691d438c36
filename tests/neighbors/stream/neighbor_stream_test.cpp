// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <shoal/neighbors/stream.hpp>

#include <cmath>

#include "core/memory/memory.hpp"
#include "neighbors/host_list.hpp"
#include "neighbors/neighbor_lists.hpp"
#include "support/messages.hpp"

namespace shoal::neighbors {
namespace {

using namespace testing_support;

const Box periodic_x{3, {true, false, false}, {0, 0, 0}, {1, 1, 1}};

template <class T>
void append(std::vector<T>& array, View<const T> part) {
  EXPECT_EQ(part.device, Device{});
  if (part.count > 0) array.insert(array.end(), part.data, part.data + part.count);
}

/// Joins slabs and checks that they are consecutive.
template <class Real>
struct Collector {
  HostList<Real> list;
  std::int64_t slabs = 0;

  void append_slab(const NeighborSlab<Real>& slab) {
    const View<const std::int64_t> offsets = slab.list.offsets;
    if (slabs == 0) list.offsets.push_back(0);
    ASSERT_EQ(slab.first_destination, static_cast<std::int64_t>(list.offsets.size()) - 1);
    ASSERT_EQ(offsets.data[0], list.offsets.back());
    ASSERT_EQ(slab.list.indices.count, offsets.data[slab.destinations()] - offsets.data[0]);
    list.offsets.insert(list.offsets.end(), offsets.data + 1, offsets.data + offsets.count);
    for (std::int64_t i = 0; i < slab.destinations(); ++i) {
      const std::span<const std::int32_t> row = slab.row(i);
      list.indices.insert(list.indices.end(), row.begin(), row.end());
    }
    append(list.wide_indices, slab.list.wide_indices);
    append(list.distances, slab.list.distances);
    append(list.dx, slab.list.displacements[0]);
    append(list.dy, slab.list.displacements[1]);
    append(list.dz, slab.list.displacements[2]);
    ++slabs;
  }
};

template <class Real>
Collector<Real> collected(const ReferenceSearch<Real>& search, std::int64_t slab_bytes) {
  Collector<Real> collector;
  NeighborStream<Real> stream(search.queue, search.radius, search.box, search.options, {slab_bytes});
  const auto append_slab = [&](const NeighborSlab<Real>& slab) { collector.append_slab(slab); };
  search.one_set ? stream.find(search.destinations, append_slab)
                 : stream.find(search.destinations, search.sources, append_slab);
  if (collector.slabs == 0) collector.list.offsets.push_back(0);
  return collector;
}

template <class Real>
HostList<Real> list_on_host(const ReferenceSearch<Real>& search, std::int64_t slab_bytes) {
  NeighborStream<Real> stream(search.queue, search.radius, search.box, search.options, {slab_bytes});
  const auto whole = search.one_set ? stream.find_to_host(search.destinations)
                                    : stream.find_to_host(search.destinations, search.sources);
  return on_host<Real>(Queue::cpu(1), whole.view());
}

template <class Real>
void expect_the_list_of_neighbors(const std::string& what, const ReferenceSearch<Real>& search) {
  const HostList<Real> expected = search.list();
  const std::int64_t n = search.destinations.count();
  for (const std::int64_t slab_bytes : {1, 600, 20'000, 0}) {
    const Collector<Real> collector = collected(search, slab_bytes);
    EXPECT_THAT(collector.list, SameList(expected)) << what << ", slab_bytes = " << slab_bytes;
    EXPECT_THAT(list_on_host(search, slab_bytes), SameList(expected))
        << what << ", find_to_host(), slab_bytes = " << slab_bytes;
    EXPECT_GE(collector.slabs, slab_bytes == 1 ? n : 0) << what;
    EXPECT_LE(collector.slabs, slab_bytes == 0 ? 1 : n) << what;
  }
}

class EveryNeighborStreamMethod : public NeighborsMethodTest {};
SHOAL_FOR_EVERY_NEIGHBORS_METHOD(EveryNeighborStreamMethod);

template <class Real>
void expect_one_set(const Queue& on, const NeighborsOptions& options, const Box& box, const std::string& what) {
  for (const std::int64_t n : {0, 1, 213}) {
    const DevicePoints<Real> points(on, shuffled(packed<Real>(n)));
    expect_the_list_of_neighbors<Real>(what + ", n = " + std::to_string(n),
                                       {on, 0.25, box, options, points.points(), {}, true});
  }
}

TEST_P(EveryNeighborStreamMethod, HasTheListOfOneSet) {
  expect_one_set<float>(queue(), options(), {}, "float");
  expect_one_set<double>(queue(), options(), periodic_x, "double");
}

TEST_P(EveryNeighborStreamMethod, HasTheListOfOneSetForAllOptions) {
  for (const bool include_self : {false, true})
    for (const bool half : {false, true}) {
      NeighborsOptions wanted = options();
      wanted.predicate = Predicate::inclusive;
      wanted.include_self = include_self;
      wanted.half = half;
      wanted.wide_indices = wanted.distances = wanted.displacements = true;
      const std::string what = std::string(include_self ? "with" : "without") + " self" + (half ? ", half" : "");
      expect_one_set<float>(queue(), wanted, periodic_x, what);
      expect_one_set<double>(queue(), wanted, {.dimensions = 2}, what + ", 2-D");
    }
}

TEST_P(EveryNeighborStreamMethod, HasTheListOfTwoSets) {
  const Queue on = queue();
  NeighborsOptions wanted = options();
  wanted.distances = true;
  for (const std::int64_t n : {0, 1, 113})
    for (const std::int64_t m : {0, 300}) {
      const DevicePoints<double> destinations(on, clustered<double>(n));
      const DevicePoints<double> sources(on, uniform<double>(m));
      expect_the_list_of_neighbors<double>(
          std::to_string(n) + " and " + std::to_string(m),
          {on, 0.2, periodic_x, wanted, destinations.points(), sources.points(), false});
    }
}

TEST_P(EveryNeighborStreamMethod, HasTheListOfPointsWithRadii) {
  const Queue on = queue();
  const DevicePoints<float> device(on, uniform<float>(150));
  std::vector<float> radius_values;
  for (int i = 0; i < 150; ++i) radius_values.push_back(0.02f * static_cast<float>(1 + i % 7));
  const Array<float> radii = to_device(on, radius_values);
  Points<float> points = device.points();
  points.radius = radii;
  for (const Radius radius : {Radius::gather, Radius::scatter, Radius::symmetric})
    for (const bool half : {false, true}) {
      NeighborsOptions wanted = options();
      wanted.radius = radius;
      wanted.half = half;
      for (const bool one_set : {true, false})
        expect_the_list_of_neighbors<float>(std::string(to_name(radius)), {on, 2, {}, wanted, points, points, one_set});
    }
}

TEST_P(EveryNeighborStreamMethod, ReadsArraysOfStructures) {
  const Queue on = queue();
  const auto points = uniform<double>(131);
  std::vector<double> interleaved;
  for (std::size_t i = 0; i < points.x.size(); ++i)
    interleaved.insert(interleaved.end(), {points.x[i], points.y[i], points.z[i]});
  const Array<double> array = to_device(on, interleaved);
  const auto member = [&](int k) { return View<const double>(array.data() + k, 131, on.device(), 3); };
  expect_the_list_of_neighbors<double>("strided",
                                       {on, 0.3, {}, options(), {member(0), member(1), member(2)}, {}, true});
}

TEST_P(EveryNeighborStreamMethod, SlabsFitTheirMemory) {
  const Queue on = queue();
  const DevicePoints<float> points(on, sorted(clustered<float>(2'000)));
  NeighborStream<float> stream(on, 0.02, {}, options(), {50'000});
  std::int64_t slabs = 0;
  stream.find(points.points(), [&](const NeighborSlab<float>& slab) {
    ++slabs;
    if (slab.destinations() > 1) {
      EXPECT_LE(4 * slab.list.indices.count, 50'000);
    }
  });
  EXPECT_GT(slabs, 5);
}

TEST_P(EveryNeighborStreamMethod, DoesNotGrowInASecondSearchOfEqualSize) {
  const Queue on = queue();
  const DevicePoints<float> points(on, uniform<float>(1'009));
  NeighborStream<float> stream(on, 0.2, {}, options(), {20'000});
  const auto nothing = [](const NeighborSlab<float>&) {};
  stream.find(points.points(), nothing);
  const std::int64_t before = stream.device_bytes();
  stream.find(points.points(), nothing);
  EXPECT_EQ(stream.device_bytes(), before);
}

TEST_P(EveryNeighborStreamMethod, AnExceptionOfTheConsumerEndsTheSearch) {
  const Queue on = queue();
  const DevicePoints<float> points(on, uniform<float>(500));
  NeighborStream<float> stream(on, 0.2, {}, options(), {2'000});
  int calls = 0;
  EXPECT_THROW(stream.find(points.points(),
                           [&](const NeighborSlab<float>&) {
                             if (++calls == 3) throw std::string("enough");
                           }),
               std::string);
  EXPECT_EQ(calls, 3);
  const auto whole = stream.find_to_host(points.points());
  EXPECT_THAT(on_host<float>(Queue::cpu(1), whole.view()),
              SameList(ReferenceSearch<float>{on, 0.2, {}, options(), points.points(), {}, true}.list()));
}

TEST_P(EveryNeighborStreamMethod, BadPointsAreNamedBeforeTheFirstSlab) {
  const Queue on = queue();
  Distribution<float> points = uniform<float>(60);
  const DevicePoints<float> good(on, points);
  points.x[50] = std::nanf("");
  const DevicePoints<float> bad(on, points);
  NeighborStream<float> stream(on, 0.1, {}, options(), {1'000});
  int calls = 0;
  const auto count = [&](const NeighborSlab<float>&) { ++calls; };
  EXPECT_EQ(message_of([&] { stream.find(bad.points(), count); }),
            "neighbors: point 50: x is not a number. Repair or remove it.");
  EXPECT_EQ(message_of([&] { stream.find(bad.points(), good.points(), count); }),
            "neighbors: destination 50: x is not a number. Repair or remove it.");
  EXPECT_EQ(message_of([&] { stream.find(good.points(), bad.points(), count); }),
            "neighbors: source 50: x is not a number. Repair or remove it.");
  EXPECT_EQ(calls, 0);
  EXPECT_NO_THROW(stream.find(good.points(), count));
  EXPECT_GT(calls, 0);
}

TEST(NeighborStreamBadCalls, AreReported) {
  const Queue queue = Queue::cpu(1);
  EXPECT_EQ(message_of([&] { NeighborStream<float>(queue, 0.1, {}, {}, {-1}); }),
            "neighbors: slab_bytes = -1, expected 0 (choose) or a positive number of bytes.");
  for (const NeighborsOptions& options : {NeighborsOptions{.edge_index = true}, NeighborsOptions{.shifts = true}})
    EXPECT_EQ(
        message_of([&] { NeighborStream<float>(queue, 0.1, {}, options); }),
        "neighbors: edge_index or shifts of a NeighborStream, whose lists are compressed rows without shifts. Use "
        "Neighbors.");
  NeighborStream<float> stream(queue, 0.1);
  const std::vector<float> three(3);
  EXPECT_EQ(message_of([&] {
              stream.find({three, three, three}, nullptr);
            }),
            "neighbors: the consumer of a stream is empty, expected a function.");
  EXPECT_EQ(message_of([&] { stream.find_to_host({three, three}); }), "neighbors: z has 0 elements, expected 3.");
}

/// Points at all integer positions of a periodic cube, x fastest.
struct Lattice {
  std::int64_t edge;
  Distribution<float> points{"lattice", {}, {}, {}};

  explicit Lattice(std::int64_t edge_) : edge(edge_) {
    for (std::int64_t i = 0; i < edge * edge * edge; ++i) {
      const auto coordinate = [&](std::int64_t k) { return static_cast<double>(k % edge); };
      points.add(coordinate(i), coordinate(i / edge), coordinate(i / edge / edge));
    }
  }

  Box box() const {
    const auto length = static_cast<double>(edge);
    return {3, {true, true, true}, {0, 0, 0}, {length, length, length}};
  }

  /// The points at less than √8.5 from point i: 6 + 12 + 8 + 6 + 24 + 24 + 12 = 92, ascending.
  std::vector<std::int32_t> neighbors_of(std::int64_t i) const {
    std::vector<std::int32_t> near;
    const auto wrapped = [&](std::int64_t k) { return (k + edge) % edge; };
    for (int dz = -2; dz <= 2; ++dz)
      for (int dy = -2; dy <= 2; ++dy)
        for (int dx = -2; dx <= 2; ++dx) {
          const int squared = dx * dx + dy * dy + dz * dz;
          if (squared == 0 || squared > 8) continue;
          const std::int64_t x = wrapped(i % edge + dx);
          const std::int64_t y = wrapped(i / edge % edge + dy);
          const std::int64_t z = wrapped(i / edge / edge + dz);
          near.push_back(static_cast<std::int32_t>((z * edge + y) * edge + x));
        }
    std::sort(near.begin(), near.end());
    return near;
  }
};

constexpr double lattice_radius = 2.9154759474226504;  ///< √8.5

/// Streams a lattice; checks that every row has 92 entries in ascending order, and every `step`-th row entry by entry.
std::int64_t stream_lattice(NeighborStream<float>& stream, const Points<float>& points, const Lattice& lattice,
                            std::int64_t step) {
  std::int64_t entries = 0;
  std::int64_t wrong = 0;
  stream.find(points, [&](const NeighborSlab<float>& slab) {
    for (std::int64_t i = 0; i < slab.destinations(); ++i) {
      const std::int64_t destination = slab.first_destination + i;
      const std::span<const std::int32_t> row = slab.row(i);
      if (row.size() != 92 || slab.list.offsets.data[i] != 92 * destination || row.front() >= row.back()) ++wrong;
      if (destination % step != 0) continue;
      const std::vector<std::int32_t> expected = lattice.neighbors_of(destination);
      if (!std::equal(row.begin(), row.end(), expected.begin(), expected.end())) ++wrong;
    }
    entries += slab.list.indices.count;
  });
  EXPECT_EQ(wrong, 0);
  return entries;
}

class NeighborStreamDevice : public DeviceTest {};
INSTANTIATE_TEST_SUITE_P(AllDevices, NeighborStreamDevice, every_device, device_test_name);

TEST_P(NeighborStreamDevice, FindsTheNeighborsOfALattice) {
  const Queue on = queue();
  const Lattice lattice(20);
  const DevicePoints<float> points(on, lattice.points);
  NeighborStream<float> stream(on, lattice_radius, lattice.box(), {}, {500'000});
  EXPECT_EQ(stream_lattice(stream, points.points(), lattice, 1), 92 * 8'000);
}

TEST_P(NeighborStreamDevice, FindsMoreThanTwoToThe31Neighbors) {
  if (GetParam() == DeviceKind::cpu) GTEST_SKIP() << "takes long on the cpu";
  const Queue on = queue();
  const Lattice lattice(288);
  const DevicePoints<float> points(on, lattice.points);
  NeighborStream<float> stream(on, lattice_radius, lattice.box());
  const std::int64_t entries = stream_lattice(stream, points.points(), lattice, 997);
  EXPECT_EQ(entries, std::int64_t{92} * 288 * 288 * 288);
  EXPECT_GT(entries, std::int64_t{1} << 31);
}

TEST_P(NeighborStreamDevice, UsesSmallerSlabsWhenMemoryIsShort) {
  if (GetParam() == DeviceKind::cpu) GTEST_SKIP() << "the host may grant memory that it does not have";
  const Queue on = queue();
  const Lattice lattice(160);
  const DevicePoints<float> points(on, lattice.points);
  NeighborStream<float> stream(on, lattice_radius, lattice.box(), {}, {std::int64_t{1} << 40});
  // Leaves 1.5 GB for the sorted points (0.2 GB), the search of a slab and its list (1.5 GB if there is only one).
  const auto free = static_cast<std::int64_t>(memory_info(on).free);
  const Array<std::byte> reserved(on, free - 1'500'000'000);
  EXPECT_EQ(stream_lattice(stream, points.points(), lattice, 101), std::int64_t{92} * 160 * 160 * 160);
}

}  // namespace
}  // namespace shoal::neighbors
