// SPDX-License-Identifier: Apache-2.0
// Distances to walls by every method on every device of this machine: boundary-layer points and far points of a surface of
// a given size, the circles of the paper (5,000 points are its extra-fine grid), an airfoil, six spheres, updates while a
// body passes, builds and refits. Methods that test every face are left out where they would take minutes.
#include <shoal/wall_distance.hpp>

#include <random>

#include "support/dented_sphere.hpp"
#include "support/google.hpp"
#include "support/wall_distance_problems.hpp"

namespace shoal::benchmarks {
namespace {

using namespace wall_distance;
using testing_support::dented_sphere_with;

/// Points and results on the device of a queue.
struct Query {
  Queue queue;
  WallMesh mesh;
  Array<double> x, y, z;  ///< [points] m
  Array<double> distance;
  Array<std::int64_t> face;

  Query(const Queue& queue_, const WallCase& host)
      : queue(queue_),
        mesh(host.mesh),
        x(to_device(queue, host.x)),
        y(to_device(queue, host.y)),
        z(to_device(queue, host.z)),
        distance(queue, x.count()),
        face(queue, x.count()) {}

  WallDistanceOutputs out() { return {.distance = distance, .face = face}; }
  void find(WallDistance& walls) {
    if (mesh.dimensions == 3)
      walls.find(x, y, z, out());
    else
      walls.find(x, y, out());
  }
};

/// Boundary-layer points over a dented sphere in the order of the mesh: a million on the CPU, on a GPU at least ten million.
Query boundary_layer_points(const Queue& queue, std::int64_t faces) {
  const bool on_cpu = queue.on_cpu();
  return {queue,
          boundary_layer_over(dented_sphere_with(faces), on_cpu ? 1 : 10'000'000, on_cpu ? 1'000'000 : all_points)};
}

/// Points uniform in a box ten times as wide as the sphere.
Query far_points(const Queue& queue, std::int64_t faces) {
  WallCase wall_case{dented_sphere_with(faces)};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> pick(-5, 5);
  for (int i = 0; i < (queue.on_cpu() ? 100'000 : 10'000'000); ++i)
    for (auto* coordinates : {&wall_case.x, &wall_case.y, &wall_case.z}) coordinates->push_back(pick(random));
  return {queue, wall_case};
}

/// Named points around walls.
struct Benchmark {
  const char* name;
  Query (*make)(const Queue& queue, std::int64_t size);
  std::vector<std::int64_t> sizes;
  bool for_brute_force = false;  ///< also measured with methods that test every face for every point
};

const Benchmark boundary_layer{"columns", boundary_layer_points, {10'000, 70'000, 106'000, 330'000}};
const Benchmark far_field{"far", far_points, {10'000, 70'000, 330'000}};
const Benchmark circles{"circle",
                        [](const Queue& queue, std::int64_t around) { return Query(queue, circle_case(around, 50)); },
                        {200, 1'000, 5'000},
                        true};
const Benchmark airfoil{
    "airfoil",
    [](const Queue& queue, std::int64_t around) { return Query(queue, naca0012_case(around, 129)); },
    {513},
    true};
const Benchmark six_spheres{"six_spheres",
                            [](const Queue& queue, std::int64_t faces) {
                              return Query(queue, six_spheres_case(faces, queue.on_cpu() ? 100'000 : 5'000'000));
                            },
                            {3'000, 60'000}};

/// Reports points, with the smallest possible traffic: coordinates in, distance and face out.
void report_points(benchmark::State& state, const Query& query, const WallDistance& walls) {
  report(state, query.queue, static_cast<double>(query.x.count()), query.mesh.dimensions * 8.0 + 16);
  state.counters["bytes_per_face"] = static_cast<double>(walls.bytes()) / static_cast<double>(walls.face_count());
}

void run_find(benchmark::State& state, const MethodInfo& method, const Benchmark& points) {
  Query query = points.make(queue_for(method.device), state.range(0));
  WallDistance walls(query.queue, query.mesh, {.method = method.name});
  measure(state, query.queue, [&] { query.find(walls); });
  report_points(state, query, walls);
}

void run_build(benchmark::State& state, const MethodInfo& method) {
  const WallMesh mesh = dented_sphere_with(state.range(0));
  const Queue queue = queue_for(method.device);
  measure(state, queue, [&] { WallDistance(queue, mesh, {.method = method.name}); });
  report(state, queue, static_cast<double>(mesh.face_count()), 72);
}

/// Builds a plan from arrays on the queue's device.
void run_build_from_arrays(benchmark::State& state, const MethodInfo& method) {
  const WallMesh mesh = dented_sphere_with(state.range(0));
  const Queue queue = queue_for(method.device);
  const TrianglesOnDevice triangles(queue, mesh);
  measure(state, queue, [&] { WallDistance(queue, triangles.arrays(), {.method = method.name}); });
  report(state, queue, static_cast<double>(mesh.face_count()), 72);
}

/// Fits a plan to other points in arrays on the queue's device.
void run_refit(benchmark::State& state, const MethodInfo& method) {
  const WallMesh mesh = dented_sphere_with(state.range(0));
  const Queue queue = queue_for(method.device);
  const Array<double> x = to_device(queue, mesh.x), y = to_device(queue, mesh.y), z = to_device(queue, mesh.z);
  WallDistance walls(queue, mesh, {.method = method.name});
  measure(state, queue, [&] { walls.refit(x, y, z); });
  report(state, queue, static_cast<double>(mesh.face_count()), 72);
}

/// Updates distances while a second sphere passes in steps of 1e-4 m.
void run_update(benchmark::State& state, const MethodInfo& method, const Benchmark& points) {
  Query query = points.make(queue_for(method.device), state.range(0));
  add_sphere(query.mesh, "passing", {1.5, 0, 0}, 0.4, 60, 30);
  WallDistance walls(query.queue, query.mesh,
                     {.method = method.name, .bodies = {{"body", {"passing"}}}, .motion = 1e-3});
  int step = 0;
  measure(state, query.queue, [&] {
    walls.move("body", RigidTransform::shift({0, 1e-4 * (++step % 100), 0}));
    walls.update(query.x, query.y, query.z, query.out());
  });
  report_points(state, query, walls);
  state.counters["reused"] = static_cast<double>(walls.reused()) / static_cast<double>(query.x.count());
}

template <class Run>
void add(const std::string& name, const MethodInfo& method, const std::vector<std::int64_t>& sizes, Run run) {
  auto* entry = benchmark::RegisterBenchmark(benchmark_name(name, method).c_str(), run);
  entry->UseRealTime()->Unit(benchmark::kMillisecond);
  for (const std::int64_t size : sizes) entry->Arg(size);
}

}  // namespace

void register_benchmarks() {
  for (const MethodInfo& method : methods("wall_distance")) {
    if (!is_available(method.device)) continue;
    if (method.name.starts_with("serial")) {
      add("circle", method, {200}, [=](benchmark::State& state) { run_find(state, method, circles); });
      continue;
    }
    const bool tests_every_face = method.name != "bvh";
    for (const Benchmark* points : {&boundary_layer, &far_field, &six_spheres, &circles, &airfoil})
      if (points->for_brute_force || !tests_every_face)
        add(points->name, method, points->sizes, [=](benchmark::State& state) { run_find(state, method, *points); });
    if (tests_every_face) continue;
    for (const Benchmark* points : {&boundary_layer, &far_field})
      add(std::string("update_") + points->name, method, {70'000},
          [=](benchmark::State& state) { run_update(state, method, *points); });
    const std::vector<std::int64_t> build_sizes = {70'000, 104'000, 330'000};
    add("build", method, build_sizes, [=](benchmark::State& state) { run_build(state, method); });
    add("build_from_arrays", method, build_sizes,
        [=](benchmark::State& state) { run_build_from_arrays(state, method); });
    add("refit", method, build_sizes, [=](benchmark::State& state) { run_refit(state, method); });
  }
}

}  // namespace shoal::benchmarks
