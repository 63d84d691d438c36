// SPDX-License-Identifier: Apache-2.0
// Searches with about 60 neighbors a point: a new list (find), a list in the memory of the plan (update; graph: captured
// in a CUDA graph), and a sum over neighbors without a list (visit). The method that `auto` selects runs on all points and
// sizes; the other methods run on small sets for comparison. Further, all images in a triclinic cell (triclinic), in 100
// points each of many such cells (systems), and the 16 nearest points (nearest).
#include <shoal/cells.hpp>
#include <shoal/neighbors.hpp>
#include <shoal/neighbors/nearest.hpp>
#include <shoal/neighbors/periodic.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "support/distributions.hpp"
#include "support/google.hpp"
#include "support/kept.hpp"
#include "support/problems.hpp"
#ifdef SHOAL_BENCHMARK_GRAPHS
#include "support/replay.hpp"
#endif

namespace shoal::benchmarks {
namespace {

using namespace testing_support;

/// Probability that two random points in a unit cube are nearer than r ≤ 1: distribution of distances in a cube (Philip,
/// 2007).
double near_in_cube(double r) {
  return r * r * r * (unit_sphere - r * (3 * std::numbers::pi / 2 - r * (8.0 / 5.0 - r / 6.0)));
}

/// Radius for the same number of pairs as with uniform points, if half of the points are in a cube of edge 0.1: pairs
/// within the cube, within the rest, and between the two.
double radius_of_clump(std::int64_t n) {
  const double target = near_in_cube(radius_of_uniform(n));
  double low = 0;
  double high = 0.1;
  for (int halving = 0; halving < 60; ++halving) {
    const double r = (low + high) / 2;
    const double near = near_in_cube(10 * r) / 4 + near_in_cube(r) / 4 + unit_sphere * r * r * r / 2;
    (near < target ? low : high) = r;
  }
  return low;
}

double radius_of_sheet(std::int64_t n) {
  const double area = std::sqrt(1 + 2 * 0.3 * 0.3);
  return std::sqrt(neighbors_per_point * area / (std::numbers::pi * static_cast<double>(n)));
}

template <class Real>
struct Cloud {
  const char* name;
  Distribution<Real> (*make)(std::int64_t n, unsigned seed);
  double (*radius)(std::int64_t n);
  bool in_order;  ///< Sorted by cells of the radius; else in random order.
};

template <class Real>
const Cloud<Real> clouds[] = {
    {"uniform_shuffled", uniform<Real>, radius_of_uniform, false},
    {"uniform_sorted", uniform<Real>, radius_of_uniform, true},
    {"clump", half_in_a_clump<Real>, radius_of_clump, false},
    {"sheet", tilted_sheet<Real>, radius_of_sheet, false},
};

template <class Real>
const Distribution<Real>& points_of(const Cloud<Real>& cloud, std::int64_t n) {
  return kept(std::pair(cloud.make, n), [&] { return cloud.make(n, 1); });
}

template <class Real>
DevicePoints<Real> points_on(const Queue& queue, const Cloud<Real>& cloud, std::int64_t n) {
  DevicePoints<Real> points(queue, points_of(cloud, n));
  if (!cloud.in_order) return points;
  DevicePoints<Real> sorted(queue, points_of(cloud, n));
  Cells<Real> cells(queue, Grid::fill(3, {0, 0, 0}, {1, 1, 1}, cloud.radius(n)));
  cells.bin(points.x, points.y, points.z);
  cells.reorder(points.x, sorted.x);
  cells.reorder(points.y, sorted.y);
  cells.reorder(points.z, sorted.z);
  queue.wait();
  return sorted;
}

/// A plan after its first find(), and its measurements.
template <class Real>
class Bench {
 public:
  Bench(const MethodInfo& method, const Cloud<Real>& cloud, std::int64_t n)
      : queue_(queue_for(method.device)),
        points_(points_on(queue_, cloud, n)),
        neighbors_(queue_, cloud.radius(n), {}, {.method = method.name}),
        weights_(to_device(queue_, std::vector<Real>(static_cast<std::size_t>(n), 1))),
        sums_(queue_, n) {
    neighbors_.find(points_.points());
    entries_ = static_cast<double>(neighbors_.indices().count);
  }

  void find(benchmark::State& state) {
    measure(state, queue_, [&] { neighbors_.find(points_.points()); });
    report_list(state);
  }

  void update(benchmark::State& state) {
    measure(
        state, queue_, [&] { neighbors_.update(points_.points()); }, batch());
    report_list(state);
  }

#ifdef SHOAL_BENCHMARK_GRAPHS
  void graph(benchmark::State& state) {
    neighbors_.update(points_.points());
    queue_.wait();
    const auto replay = captured(queue_, [&] { neighbors_.update(points_.points()); });
    measure(state, queue_, replay, batch());
    report_list(state);
  }
#endif

  void visit(benchmark::State& state) {
    const auto work = [&] {
      neighbors_.prepare(points_.points());
      neighbors_.sum(weights_, sums_);
    };
    measure(state, queue_, work, batch());
    report(state, 5 * sizeof(Real));  // coordinates and weight in, sum out
  }

 private:
  int batch() const { return queue_.on_cpu() ? 1 : 10; }

  /// Reports the minimum traffic of a list: coordinates in, offset and indices out.
  void report_list(benchmark::State& state) const {
    report(state, 3 * sizeof(Real) + sizeof(std::int64_t) + 4 * neighbors_each());
  }

  void report(benchmark::State& state, double bytes_per_point) const {
    benchmarks::report(state, queue_, static_cast<double>(sums_.count()), bytes_per_point);
    state.counters["neighbors_each"] = neighbors_each();
    state.counters["scratch_each"] =
        static_cast<double>(neighbors_.scratch_bytes()) / static_cast<double>(sums_.count());
    state.counters["entries"] =
        benchmark::Counter(entries_ * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
  }

  double neighbors_each() const { return entries_ / static_cast<double>(sums_.count()); }

  Queue queue_;
  DevicePoints<Real> points_;
  Neighbors<Real> neighbors_;
  Array<Real> weights_;
  Array<Real> sums_;
  double entries_ = 0;
};

template <class Real>
void add(const std::string& what, const MethodInfo& method, const Cloud<Real>& cloud, std::int64_t n,
         void (Bench<Real>::*run)(benchmark::State&)) {
  const std::string precision = sizeof(Real) == 4 ? "float" : "double";
  const std::string name = benchmark_name(what + "_" + precision + "_" + cloud.name, method);
  benchmark::RegisterBenchmark(name.c_str(),
                               [=, &cloud](benchmark::State& state) {
                                 Bench<Real> bench(method, cloud, n);
                                 (bench.*run)(state);
                               })
      ->UseRealTime()
      ->Unit(benchmark::kMillisecond)
      ->MinTime(0.2)
      ->Arg(n);
}

bool is_selected_by_auto(const MethodInfo& method) {
  return Neighbors<float>(queue_for(method.device), 1).method().name == method.name;
}

template <class Real>
void add_all(const MethodInfo& method, const Cloud<Real>& cloud, std::int64_t n) {
  const bool on_cuda = method.device == DeviceKind::cuda;
  if (n > (on_cuda ? 10'000'000 : 500'000)) return;
  add("find", method, cloud, n, &Bench<Real>::find);
  add("update", method, cloud, n, &Bench<Real>::update);
  add("visit", method, cloud, n, &Bench<Real>::visit);
#ifdef SHOAL_BENCHMARK_GRAPHS
  if (on_cuda && n <= 1'000'000) add("graph", method, cloud, n, &Bench<Real>::graph);
#endif
}

template <class Real>
void add_small(const MethodInfo& method, const Cloud<Real>& cloud, std::int64_t n) {
  const std::int64_t max_points = method.name == "serial" ? 10'000 : 100'000;
  const bool is_first = &cloud == &clouds<Real>[0];
  if (is_first && n <= max_points) add("find", method, cloud, n, &Bench<Real>::find);
}

template <class Real>
void register_clouds() {
  for (const Cloud<Real>& cloud : clouds<Real>)
    for (const std::int64_t n : {10'000, 100'000, 500'000, 1'000'000, 10'000'000})
      for (const MethodInfo& method : methods("neighbors")) {
        if (!is_available(method.device)) continue;
        is_selected_by_auto(method) ? add_all(method, cloud, n) : add_small(method, cloud, n);
      }
}

constexpr PeriodicCell triclinic{{{{1, 0, 0}, {0.3, 0.9, 0}, {-0.2, 0.1, 1.1}}}, {true, true, true}};
constexpr double triclinic_volume = 0.99;  ///< m³

/// Points that are uniform in the triclinic cell.
template <class Real>
Distribution<Real> uniform_in_cell(std::int64_t n, unsigned seed) {
  const Distribution<Real> fractions = uniform<Real>(n, seed);
  Distribution<Real> points{"triclinic", {}, {}, {}};
  for (std::size_t i = 0; i < fractions.x.size(); ++i) {
    double position[3] = {};
    for (std::size_t axis = 0; axis < 3; ++axis)
      position[axis] = static_cast<double>(fractions.x[i]) * triclinic.vectors[0][axis] +
                       static_cast<double>(fractions.y[i]) * triclinic.vectors[1][axis] +
                       static_cast<double>(fractions.z[i]) * triclinic.vectors[2][axis];
    points.add(position[0], position[1], position[2]);
  }
  return points;
}

/// Searches all images in systems of `size` points, each in a triclinic cell of its own.
template <class Real>
void find_images(benchmark::State& state, DeviceKind device, std::int64_t size) {
  const std::int64_t n = state.range(0);
  const Queue queue = queue_for(device);
  const double radius = std::cbrt(neighbors_per_point * triclinic_volume / (unit_sphere * static_cast<double>(size)));
  const DevicePoints<Real> points(queue, kept(n, [&] { return uniform_in_cell<Real>(n, 1); }));
  std::vector<std::int64_t> starts;
  for (std::int64_t start = 0; start <= n; start += size) starts.push_back(start);
  const std::vector<PeriodicCell> cells(starts.size() - 1, triclinic);
  PeriodicNeighbors<Real> neighbors(queue, radius);
  measure(state, queue, [&] { neighbors.find(points.points(), starts, cells); });
  const auto count = static_cast<double>(n);
  const double pairs_each = static_cast<double>(neighbors.pair_count()) / count;
  // Coordinates in, offset, both numbers and shift of each pair out.
  report(state, queue, count, 3 * sizeof(Real) + sizeof(std::int64_t) + (2 * sizeof(std::int64_t) + 12) * pairs_each);
  state.counters["neighbors_each"] = pairs_each;
  state.counters["images_each"] = static_cast<double>(neighbors.image_count()) / count;
  state.counters["scratch_each"] = static_cast<double>(neighbors.scratch_bytes()) / count;
}

template <class Real>
void find_nearest(benchmark::State& state, DeviceKind device) {
  constexpr int nearest_count = 16;
  const std::int64_t n = state.range(0);
  const Queue queue = queue_for(device);
  const DevicePoints<Real> points(queue, points_of(clouds<Real>[0], n));
  NearestNeighbors<Real> nearest(queue, nearest_count);
  measure(state, queue, [&] { nearest.find(points.points()); });
  const auto count = static_cast<double>(n);
  report(state, queue, count, 3 * sizeof(Real) + nearest_count * (sizeof(std::int32_t) + sizeof(Real)));
  state.counters["scratch_each"] = static_cast<double>(nearest.scratch_bytes()) / count;
}

void add(const std::string& what, const std::string& method, DeviceKind device, std::int64_t n,
         const std::function<void(benchmark::State&)>& run) {
  const std::string name = what + "/" + method + (device == DeviceKind::cpu ? "/cpu" : "/cuda");
  benchmark::RegisterBenchmark(name.c_str(), run)->UseRealTime()->Unit(benchmark::kMillisecond)->MinTime(0.2)->Arg(n);
}

template <class Real>
void register_images_and_nearest() {
  const std::string precision = sizeof(Real) == 4 ? "float" : "double";
  for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::cuda}) {
    if (!is_available(device)) continue;
    const std::string method = PeriodicNeighbors<Real>(queue_for(device), 1).method().name;
    for (const std::int64_t n : {100'000, 1'000'000}) {
      if (device == DeviceKind::cpu && n > 500'000) continue;
      add("triclinic_" + precision, method, device, n,
          [=](benchmark::State& state) { find_images<Real>(state, device, n); });
      add("systems_" + precision, method, device, n,
          [=](benchmark::State& state) { find_images<Real>(state, device, 100); });
      add("nearest_" + precision, "tree", device, n,
          [=](benchmark::State& state) { find_nearest<Real>(state, device); });
    }
  }
}

}  // namespace

void register_benchmarks() {
  register_clouds<float>();
  register_clouds<double>();
  register_images_and_nearest<float>();
  register_images_and_nearest<double>();
}

}  // namespace shoal::benchmarks
