// SPDX-License-Identifier: Apache-2.0
#include "wall_distance_measure.hpp"

#include <shoal/io/stopwatch.hpp>
#include <shoal/wall_distance.hpp>

#include <algorithm>
#include <cmath>

#include "core/text.hpp"

namespace shoal::cli {

namespace {

/// Points of a case and their answers on a device.
struct Asked {
  Queue queue;
  Array<double> x, y, distance;
  Array<std::int64_t> face;

  Asked(const Queue& on, const std::vector<double>& its_x, const std::vector<double>& its_y)
      : queue(on), x(to_device(on, its_x)), y(to_device(on, its_y)), distance(on, x.count()), face(on, x.count()) {}

  void find(WallDistance& walls) {
    walls.find(x, y, {.distance = distance, .face = face});
    queue.wait();
  }
};

/// What `serial` says of every step-th point.
struct Expected {
  std::size_t step = 1;
  std::vector<double> distance = {};
  std::vector<std::int64_t> face = {};
  double seconds = 0;
};

Expected ask_serial(const WallCase& about, std::size_t step) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < about.x.size(); i += step) {
    x.push_back(about.x[i]);
    y.push_back(about.y[i]);
  }
  const Queue queue = Queue::cpu(1);
  Asked asked(queue, x, y);
  WallDistance walls(queue, about.mesh, {.method = "serial"});
  Expected expected{step};
  io::timed(expected.seconds, [&] { asked.find(walls); });
  expected.distance = to_host(queue, asked.distance);
  expected.face = to_host(queue, asked.face);
  return expected;
}

/// As many points as take `most_seconds`, by the time of some.
Expected ask_serial_for(const WallCase& about, double most_seconds) {
  constexpr std::size_t some = 64;
  if (most_seconds <= 0) return ask_serial(about, 1);
  const Expected first = ask_serial(about, std::max<std::size_t>(1, about.x.size() / some));
  const double all = first.seconds * static_cast<double>(about.x.size()) / static_cast<double>(first.face.size());
  return ask_serial(about, static_cast<std::size_t>(std::max(1.0, std::ceil(all / most_seconds))));
}

void require_same(const Asked& asked, const Expected& expected) {
  const std::vector<double> distance = to_host(asked.queue, asked.distance);
  const std::vector<std::int64_t> face = to_host(asked.queue, asked.face);
  for (std::size_t k = 0; k < expected.face.size(); ++k) {
    const std::size_t i = k * expected.step;
    require(distance[i] == expected.distance[k] && face[i] == expected.face[k], "point ", i, " is ", distance[i],
            " m from face ", face[i], ", and ", expected.distance[k], " m from face ", expected.face[k], " by serial.");
  }
}

WallMethodTimings measure_method(Asked& asked, const WallMesh& mesh, const std::string& method,
                                 const Expected& expected, const MeasureOptions& options) {
  const auto build = [&] {
    WallDistance walls(asked.queue, mesh, {.method = method});
    asked.queue.wait();
    return walls;
  };
  WallDistance walls = build();
  const WallMethodTimings timings{measure(build, options), measure([&] { asked.find(walls); }, options)};
  require_same(asked, expected);
  return timings;
}

}  // namespace

WallTimings measure_walls(const Queue& queue, const WallCase& about, const std::vector<std::string>& methods,
                          const MeasureOptions& options) {
  WallTimings timings;
  timings.points = about.point_count();
  timings.faces = about.mesh.face_count();
  const Expected expected = ask_serial_for(about, options.most_seconds);
  timings.serial_points = static_cast<std::int64_t>(expected.face.size());
  timings.serial = {
      1, expected.seconds * static_cast<double>(timings.points) / static_cast<double>(timings.serial_points)};
  const MeasureOptions once{1, options.most_seconds};
  Asked on_one_thread(Queue::cpu(1), about.x, about.y);
  timings.advancing = measure_method(on_one_thread, about.mesh, "advancing_boundary_linked_list", expected, once);
  Asked asked(queue, about.x, about.y);
  for (const std::string& method : methods) {
    timings.methods.emplace_back();
    try {
      timings.methods.back() = measure_method(asked, about.mesh, method, expected, options);
    } catch (const Error& error) {
      timings.failures.push_back(text(method, " with ", timings.faces, " faces: ", error.what()));
    }
  }
  return timings;
}

}  // namespace shoal::cli
