// SPDX-License-Identifier: Apache-2.0
// Distances to walls: near-wall columns and far points over a surface of the size given, the paper's circles (the one
// of 5,000 points is its extra-fine grid), an airfoil, six spheres, updates while a body passes, and builds; every
// method on every device that is there. Methods that see every face are left out where they would take minutes.
#include <shoal/wall_cases.hpp>
#include <shoal/wall_distance.hpp>

#include <cmath>
#include <random>

#include "support/dented_sphere.hpp"
#include "support/measure.hpp"

namespace shoal::benchmarks {
namespace {

/// A sphere with dents of about so many triangles.
WallMesh dented_sphere_of(std::int64_t faces) {
  return testing_support::dented_sphere(2 * static_cast<std::int64_t>(std::sqrt(static_cast<double>(faces) / 4)));
}

/// Points and answers on the device of a queue.
struct Asked {
  Queue queue;
  WallMesh mesh;
  WallPoints at;
  Array<double> distance;
  Array<std::int64_t> face;

  Asked(const Queue& on, WallMesh its_mesh, WallPoints points)
      : queue(on),
        mesh(std::move(its_mesh)),
        at(std::move(points)),
        distance(on, at.x.count()),
        face(on, at.x.count()) {}
  Asked(const Queue& on, const WallCase& about)
      : Asked(on, about.mesh, {to_device(on, about.x), to_device(on, about.y), to_device(on, about.z)}) {}

  WallDistanceOutputs out() { return {.distance = distance, .face = face}; }
  void find(WallDistance& walls) {
    if (mesh.dimensions == 3)
      walls.find(at.x, at.y, at.z, out());
    else
      walls.find(at.x, at.y, out());
  }
};

/// Columns of 40 points from 1e-5 m on growing by 1.25, in the order of the mesh: a million points on the CPU, and at
/// least ten million on a GPU, where faces have as many columns as that takes.
Asked columns(const Queue& queue, std::int64_t faces) {
  WallMesh mesh = dented_sphere_of(faces);
  ColumnOptions options;
  const auto once = static_cast<double>(mesh.face_count() * options.layers);
  if (!queue.on_cpu()) options.split = static_cast<std::int64_t>(std::ceil(std::sqrt(1e7 / once)));
  WallPoints points = make_columns(queue, mesh, options);
  const std::int64_t kept = queue.on_cpu() ? std::min<std::int64_t>(points.x.count(), 1'000'000) : points.x.count();
  for (Array<double>* coordinates : {&points.x, &points.y, &points.z}) coordinates->resize(kept);
  return {queue, std::move(mesh), std::move(points)};
}

/// Anywhere in a box ten times as wide as the sphere.
Asked far_points(const Queue& queue, std::int64_t faces) {
  WallCase all{dented_sphere_of(faces)};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> pick(-5, 5);
  for (int i = 0; i < (queue.on_cpu() ? 100'000 : 10'000'000); ++i)
    for (auto* coordinates : {&all.x, &all.y, &all.z}) coordinates->push_back(pick(random));
  return {queue, all};
}

struct Named {
  const char* name;
  Asked (*make)(const Queue& queue, std::int64_t size);
  std::vector<std::int64_t> sizes;
  bool for_brute_force = false;  ///< also measured with rows that see every face for every point
};

const Named near_columns{"columns", columns, {10'000, 70'000, 106'000, 330'000}};
const Named far_away{"far", far_points, {10'000, 70'000, 330'000}};
const Named circles{"circle",
                    [](const Queue& queue, std::int64_t around) { return Asked(queue, circle_case(around, 50)); },
                    {200, 1'000, 5'000},
                    true};
const Named airfoil{"airfoil",
                    [](const Queue& queue, std::int64_t around) { return Asked(queue, naca0012_case(around, 129)); },
                    {513},
                    true};
const Named six_spheres{"six_spheres",
                        [](const Queue& queue, std::int64_t faces) {
                          return Asked(queue, six_spheres_case(faces, queue.on_cpu() ? 100'000 : 5'000'000));
                        },
                        {3'000, 60'000}};

/// Coordinates in, distance and face out.
void report_points(benchmark::State& state, const Asked& asked, const WallDistance& walls) {
  report(state, asked.queue, static_cast<double>(asked.at.x.count()), asked.mesh.dimensions * 8.0 + 16);
  state.counters["bytes_per_face"] = static_cast<double>(walls.bytes()) / static_cast<double>(walls.face_count());
}

void run_find(benchmark::State& state, const MethodInfo& method, const Named& one) {
  Asked asked = one.make(queue_for(method.device), state.range(0));
  WallDistance walls(asked.queue, asked.mesh, {.method = method.name});
  measure(state, asked.queue, [&] { asked.find(walls); });
  report_points(state, asked, walls);
}

void run_build(benchmark::State& state, const MethodInfo& method) {
  const WallMesh mesh = dented_sphere_of(state.range(0));
  const Queue queue = queue_for(method.device);
  measure(state, queue, [&] { WallDistance(queue, mesh, {.method = method.name}); });
  report(state, queue, static_cast<double>(mesh.face_count()), 72);
}

/// A second sphere passes in steps of 1e-4 m.
void run_update(benchmark::State& state, const MethodInfo& method, const Named& one) {
  Asked asked = one.make(queue_for(method.device), state.range(0));
  add_sphere(asked.mesh, "passing", {1.5, 0, 0}, 0.4, 60, 30);
  WallDistance walls(asked.queue, asked.mesh,
                     {.method = method.name, .bodies = {{"body", {"passing"}}}, .motion = 1e-3});
  int step = 0;
  measure(state, asked.queue, [&] {
    walls.move("body", RigidTransform::shift({0, 1e-4 * (++step % 100), 0}));
    walls.update(asked.at.x, asked.at.y, asked.at.z, asked.out());
  });
  report_points(state, asked, walls);
  state.counters["reused"] = static_cast<double>(walls.reused()) / static_cast<double>(asked.at.x.count());
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
      add("circle", method, {200}, [=](benchmark::State& state) { run_find(state, method, circles); });
      continue;
    }
    const bool sees_every_face = method.name != "bvh";
    for (const Named* one : {&near_columns, &far_away, &six_spheres, &circles, &airfoil})
      if (one->for_brute_force || !sees_every_face)
        add(one->name, method, one->sizes, [=](benchmark::State& state) { run_find(state, method, *one); });
    if (sees_every_face) continue;
    for (const Named* one : {&near_columns, &far_away})
      add(std::string("update_") + one->name, method, {70'000},
          [=](benchmark::State& state) { run_update(state, method, *one); });
    add("build", method, {70'000, 330'000}, [=](benchmark::State& state) { run_build(state, method); });
  }
}

}  // namespace shoal::benchmarks
