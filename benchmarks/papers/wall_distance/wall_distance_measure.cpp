// SPDX-License-Identifier: Apache-2.0
#include "papers/wall_distance/wall_distance_measure.hpp"

#include <shoal/wall_distance.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace shoal::benchmarks {

namespace {

/// Points of a case and their results on a device.
struct Query {
  Queue queue;
  Array<double> x, y, distance;
  Array<std::int64_t> face;

  Query(const Queue& queue_, const std::vector<double>& host_x, const std::vector<double>& host_y)
      : queue(queue_),
        x(to_device(queue, host_x)),
        y(to_device(queue, host_y)),
        distance(queue, x.count()),
        face(queue, x.count()) {}

  void find(WallDistance& walls) {
    walls.find(x, y, {.distance = distance, .face = face});
    queue.wait();
  }
};

/// Results of `serial` for every step-th point.
struct Expected {
  std::size_t step = 1;
  std::vector<double> distance = {};
  std::vector<std::int64_t> face = {};
  Timing timing = {};
};

Expected run_serial(const WallCase& wall_case, std::size_t step) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < wall_case.x.size(); i += step) {
    x.push_back(wall_case.x[i]);
    y.push_back(wall_case.y[i]);
  }
  const Queue queue = Queue::cpu(1);
  Query query(queue, x, y);
  WallDistance walls(queue, wall_case.mesh, {.method = "serial"});
  Expected expected{step};
  expected.timing = measure_once([&] { query.find(walls); });
  expected.distance = to_host(queue, query.distance);
  expected.face = to_host(queue, query.face);
  return expected;
}

/// Runs `serial` with as many points as it can process in `most_seconds`, by the time of a sample.
Expected run_serial_for(const WallCase& wall_case, double most_seconds) {
  constexpr std::size_t sample = 64;
  if (most_seconds <= 0) return run_serial(wall_case, 1);
  const Expected first = run_serial(wall_case, std::max<std::size_t>(1, wall_case.x.size() / sample));
  const double total =
      first.timing.seconds * static_cast<double>(wall_case.x.size()) / static_cast<double>(first.face.size());
  return run_serial(wall_case, static_cast<std::size_t>(std::max(1.0, std::ceil(total / most_seconds))));
}

/// Throws unless the distances of `serial_double` are within its error bound, for faces shorter than 1 m.
void require_close(const Query& query, const Expected& expected) {
  const std::vector<double> distance = to_host(query.queue, query.distance);
  for (std::size_t k = 0; k < expected.face.size(); ++k) {
    const double result = distance[k * expected.step], exact = expected.distance[k];
    require(std::abs(result - exact) <= 0x1p-46 * (exact + 1), "point ", k * expected.step, " is at ", result,
            " m, expected ", exact, " m as by serial, within the error bound of serial_double.");
  }
}

void require_same(const Query& query, const Expected& expected) {
  const std::vector<double> distance = to_host(query.queue, query.distance);
  const std::vector<std::int64_t> face = to_host(query.queue, query.face);
  for (std::size_t k = 0; k < expected.face.size(); ++k) {
    const std::size_t i = k * expected.step;
    require(distance[i] == expected.distance[k] && face[i] == expected.face[k], "point ", i, " is ", distance[i],
            " m from face ", face[i], ", expected ", expected.distance[k], " m from face ", expected.face[k],
            " as by serial.");
  }
}

WallMethodTimings measure_method(Query& query, const WallMesh& mesh, const WallMethod& method, const Expected& expected,
                                 const MeasureOptions& options) {
  const auto build = [&] {
    WallDistance walls(query.queue, mesh, {.method = method.name, .auxiliary_cells = method.auxiliary_cells});
    query.queue.wait();
    return walls;
  };
  WallDistance walls = build();
  const WallMethodTimings timings{measure(build, options), measure([&] { query.find(walls); }, options)};
  method.name == "serial_double" ? require_close(query, expected) : require_same(query, expected);
  return timings;
}

}  // namespace

WallTimings measure_walls(const Queue& queue, const WallCase& wall_case, const std::vector<WallMethod>& methods,
                          const MeasureOptions& options) {
  WallTimings timings;
  timings.points = wall_case.point_count();
  timings.faces = wall_case.mesh.face_count();
  const Expected expected = run_serial_for(wall_case, options.most_seconds);
  timings.serial_points = static_cast<std::int64_t>(expected.face.size());
  timings.serial = {
      1, expected.timing.seconds * static_cast<double>(timings.points) / static_cast<double>(timings.serial_points)};
  const MeasureOptions once{1, options.most_seconds};
  Query on_device(queue, wall_case.x, wall_case.y), on_one_thread(Queue::cpu(1), wall_case.x, wall_case.y),
      on_all_threads(Queue::cpu(), wall_case.x, wall_case.y);
  for (const WallMethod& method : methods) {
    const bool is_serial = method.processor == Processor::cpu_thread;
    Query& query = is_serial ? on_one_thread : method.processor == Processor::cpu_threads ? on_all_threads : on_device;
    timings.methods.emplace_back();
    try {
      timings.methods.back() = measure_method(query, wall_case.mesh, method, expected, is_serial ? once : options);
    } catch (const Error& error) {
      timings.failures.push_back(text(method.name, " with ", timings.faces, " faces: ", error.what()));
    }
  }
  return timings;
}

}  // namespace shoal::benchmarks
