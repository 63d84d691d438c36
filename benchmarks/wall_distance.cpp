// SPDX-License-Identifier: Apache-2.0
// Distances to walls: near-wall columns and far points over a surface of the size given, the paper's circles and the
// six spheres; every method on every device that is there. `serial` is left out where it would take minutes.
#include <shoal/wall_cases.hpp>
#include <shoal/wall_distance.hpp>

#include <cmath>
#include <random>

#include "support/measure.hpp"

namespace shoal::benchmarks {
namespace {

/// A sphere with dents of about so many triangles.
WallMesh dented_sphere(std::int64_t faces) {
  WallMesh mesh;
  const auto parallels = static_cast<std::int64_t>(std::sqrt(static_cast<double>(faces) / 4));
  add_sphere(mesh, "dented", {0, 0, 0}, 0.5, 2 * parallels, parallels);
  for (std::size_t i = 0; i < mesh.x.size(); ++i) {
    const double size = 1 + 0.1 * std::sin(9 * mesh.x[i]) * std::sin(11 * mesh.y[i]) + 0.1 * std::sin(13 * mesh.z[i]);
    mesh.x[i] *= size;
    mesh.y[i] *= size;
    mesh.z[i] *= size;
  }
  return mesh;
}

/// Columns of 40 cells from 1e-5 m on growing by 1.25, as many as make about a million points.
WallCase columns(std::int64_t faces) {
  WallCase all = columns_case(dented_sphere(faces), 40, 1e-5, 1.25);
  const std::size_t kept = std::min<std::size_t>(all.x.size(), 1'000'000);
  for (auto* coordinates : {&all.x, &all.y, &all.z}) coordinates->resize(kept);
  return all;
}

WallCase far_points(std::int64_t faces) {
  WallCase all{dented_sphere(faces)};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> pick(-5, 5);
  for (int i = 0; i < 100'000; ++i)
    for (auto* coordinates : {&all.x, &all.y, &all.z}) coordinates->push_back(pick(random));
  return all;
}

struct Named {
  const char* name;
  WallCase (*make)(std::int64_t size);
  std::vector<std::int64_t> sizes;
};

const Named cases[] = {
    {"columns", columns, {10'000, 70'000, 330'000}},
    {"far", far_points, {10'000, 70'000, 330'000}},
    {"six_spheres", [](std::int64_t faces) { return six_spheres_case(faces, 100'000); }, {3'000, 60'000}},
    {"circle", [](std::int64_t around) { return circle_case(around, 50); }, {200, 1'000, 5'000}},
    {"aerofoil", [](std::int64_t around) { return naca0012_case(around, 129); }, {513}},
};

/// Points and answers on the device of a queue.
struct Asked {
  Queue queue;
  WallCase about;
  Array<double> x, y, z, distance;
  Array<std::int64_t> face;

  Asked(const MethodInfo& method, WallCase of)
      : queue(queue_for(method.device)),
        about(std::move(of)),
        x(to_device(queue, about.x)),
        y(to_device(queue, about.y)),
        z(to_device(queue, about.z)),
        distance(queue, x.count()),
        face(queue, x.count()) {}

  WallDistanceOutputs out() { return {.distance = distance, .face = face}; }
  void find(WallDistance& walls) {
    if (about.mesh.dimensions == 3)
      walls.find(x, y, z, out());
    else
      walls.find(x, y, out());
  }
};

/// Coordinates in, distance and face out.
void report_points(benchmark::State& state, const Asked& asked, const WallDistance& walls) {
  report(state, asked.queue, static_cast<double>(asked.x.count()), asked.about.mesh.dimensions * 8.0 + 16);
  state.counters["bytes_per_face"] = static_cast<double>(walls.bytes()) / static_cast<double>(walls.face_count());
}

void run_find(benchmark::State& state, const MethodInfo& method, const Named& one) {
  Asked asked(method, one.make(state.range(0)));
  WallDistance walls(asked.queue, asked.about.mesh, {.method = method.name});
  measure(state, asked.queue, [&] { asked.find(walls); });
  report_points(state, asked, walls);
}

void run_build(benchmark::State& state, const MethodInfo& method) {
  const WallMesh mesh = dented_sphere(state.range(0));
  const Queue queue = queue_for(method.device);
  measure(state, queue, [&] { WallDistance(queue, mesh, {.method = method.name}); });
  report(state, queue, static_cast<double>(mesh.face_count()), 72);
}

/// A second sphere passes in steps of 1e-4 m.
void run_update(benchmark::State& state, const MethodInfo& method, const Named& one) {
  WallCase about = one.make(state.range(0));
  add_sphere(about.mesh, "passing", {1.5, 0, 0}, 0.4, 60, 30);
  Asked asked(method, std::move(about));
  WallDistance walls(asked.queue, asked.about.mesh,
                     {.method = method.name, .bodies = {{"body", {"passing"}}}, .motion = 1e-3});
  int step = 0;
  measure(state, asked.queue, [&] {
    walls.move("body", RigidTransform::shift({0, 1e-4 * (++step % 100), 0}));
    walls.update(asked.x, asked.y, asked.z, asked.out());
  });
  report_points(state, asked, walls);
  state.counters["reused"] = static_cast<double>(walls.reused()) / static_cast<double>(asked.x.count());
}

template <class Run>
void add(const std::string& name, const MethodInfo& method, const std::vector<std::int64_t>& sizes, Run run) {
  auto* row = benchmark::RegisterBenchmark(benchmark_name(name, method).c_str(), run);
  row->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const std::int64_t size : sizes) row->Arg(size);
}

}  // namespace

void register_benchmarks() {
  for (const MethodInfo& method : methods("wall_distance")) {
    if (!is_here(method.device)) continue;
    if (method.name == "serial") {
      add("circle", method, {200}, [=](benchmark::State& state) { run_find(state, method, cases[3]); });
      continue;
    }
    for (const Named& one : cases)
      add(one.name, method, one.sizes, [=, &one](benchmark::State& state) { run_find(state, method, one); });
    for (const Named* one : {&cases[0], &cases[1]})
      add(std::string("update_") + one->name, method, {70'000},
          [=](benchmark::State& state) { run_update(state, method, *one); });
    add("build", method, {70'000, 330'000}, [=](benchmark::State& state) { run_build(state, method); });
  }
}

}  // namespace shoal::benchmarks
