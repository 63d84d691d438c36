// SPDX-License-Identifier: Apache-2.0
// Prints a hash of the results of every method on the CPU, on small problems, so that two processors can be compared:
// tools/test-aarch64 does. All input comes from additions, multiplications and divisions, which round alike everywhere.
#include <shoal/cells.hpp>
#include <shoal/collision.hpp>
#include <shoal/deposit.hpp>
#include <shoal/methods.hpp>
#include <shoal/neighbors.hpp>
#include <shoal/sph.hpp>
#include <shoal/wall_distance.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <random>

namespace {

using namespace shoal;

/// Prints the FNV-1a hash of values.
template <class T>
void print_hash(const std::string& what, const std::string& method, const std::vector<T>& values) {
  std::uint64_t hash = 14695981039346656037U;
  for (const T& value : values) {
    unsigned char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    for (const unsigned char byte : bytes) hash = (hash ^ byte) * 1099511628211U;
  }
  std::printf("%-28s %-36s %016" PRIx64 "\n", what.c_str(), method.c_str(), hash);
}

/// Values in [0, 1).
template <class Real>
std::vector<Real> random_values(std::size_t n, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Real> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(static_cast<Real>(random() >> 41U) * Real(0x1p-23));
  return values;
}

/// Calls work(method) for each method of an operation on the CPU.
template <class Work>
void for_each_method(const char* operation, Work work) {
  for (const MethodInfo& method : methods(operation))
    if (method.device == DeviceKind::cpu) work(method.name);
}

template <class Real>
void print_particles(const Queue& queue, const std::string& precision) {
  const std::size_t n = 3000;
  const auto x = random_values<Real>(n, 1), y = random_values<Real>(n, 2), z = random_values<Real>(n, 3);
  const auto value = random_values<Real>(n, 4);
  const Grid grid = Grid::fill(3, {0, 0, 0}, {1, 1, 1}, 0.125);
  for_each_method("cells", [&](const std::string& method) {
    Cells<Real> cells(queue, grid, {.method = method});
    cells.bin(x, y, z);
    print_hash("cells, " + precision, method, to_host(queue, cells.order()));
  });
  for_each_method("neighbors", [&](const std::string& method) {
    Neighbors<Real> neighbors(queue, 0.125, {}, {.method = method});
    neighbors.find(Points<Real>{x, y, z});
    print_hash("neighbors, " + precision, method, to_host(queue, neighbors.indices()));
  });
  for_each_method("deposit", [&](const std::string& method) {
    Deposit<Real> deposit(queue, grid, {.method = method});
    std::vector<Real> nodes(static_cast<std::size_t>(grid.node_count()));
    deposit.bin(x, y, z);
    deposit.to_nodes(View<const Real>(value), View<Real>(nodes));
    print_hash("deposit, " + precision, method, nodes);
  });
}

/// A bowl of triangles, z = x² + y², on a square of n × n.
WallMesh bowl(int n) {
  WallMesh mesh;
  const std::int32_t wall = mesh.add_wall("bowl");
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const double x = static_cast<double>(i) / n, y = static_cast<double>(j) / n;
      mesh.add_point(x, y, x * x + y * y);
    }
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const std::int64_t corner = j * (n + 1) + i;
      mesh.add_face({corner, corner + 1, corner + n + 1}, wall);
      mesh.add_face({corner + 1, corner + n + 2, corner + n + 1}, wall);
    }
  return mesh;
}

void print_walls(const Queue& queue) {
  const std::size_t n = 500;
  const auto x = random_values<double>(n, 1), y = random_values<double>(n, 2), z = random_values<double>(n, 3);
  for_each_method("wall_distance", [&](const std::string& method) {
    std::vector<double> distance(n);
    WallDistance(queue, bowl(30), {.method = method}).find(x, y, z, {.distance = View<double>(distance)});
    print_hash("wall_distance", method, distance);
  });
}

/// All approaches but `carleman`, whose coefficients are sines and cosines: the system's library rounds them as it likes.
void print_collisions(const Queue& queue) {
  const std::pair<const char*, CollisionApproach> approaches[] = {{"interpolated", CollisionApproach::interpolated},
                                                                  {"conservative", CollisionApproach::conservative},
                                                                  {"spectral", CollisionApproach::spectral}};
  const VelocityGrid grid{8, 6, {}};
  for (const auto& [name, approach] : approaches)
    for_each_method("collision", [&, what = std::string("collision, ") + name,
                                  approach_of = approach](const std::string& method) {
      std::vector<double> f(static_cast<std::size_t>(grid.nodes * grid.nodes * grid.nodes)), q(f.size());
      for (std::size_t i = 0; i < f.size(); ++i) {
        const auto node = static_cast<int>(i);
        const double v[3] = {grid.velocity(0, node % 8), grid.velocity(1, node / 8 % 8), grid.velocity(2, node / 64)};
        f[i] = 1 / (1 + v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      }
      try {
        Collision<double> collision(queue, grid, {.rate = 1}, {.approach = approach_of, .method = method});
        collision.evaluate(View<const double>(f), View<double>(q));
      } catch (const Error&) {
        return;  // the method has not this approach
      }
      print_hash(what, method, q);
    });
}

void print_sph(const Queue& queue) {
  sph::Case column;
  column.dimensions = 3;
  column.spacing = 0.1;
  sph::Material water;
  water.name = "water";
  water.density = 1000;
  water.sound_speed = 50;
  column.materials = {water};
  column.bodies = {{.material = "water", .box = {.from = {0, 0, 0}, .to = {1, 0.5, 1}}}};
  column.walls = {{.name = "tank", .box = {.from = {0, 0, 0}, .to = {2, 0.5, 1.5}}, .open = {sph::Side::top}}};
  column.domain = sph::Box{{-0.5, -0.5, -0.5}, {2.5, 1, 2}};
  column.scheme.gravity = {0, 0, -9.81};
  for (const sph::Precision precision : {sph::Precision::float_, sph::Precision::double_})
    for_each_method("sph", [&](const std::string& method) {
      column.method = method;
      column.precision = precision;
      sph::Solver solver(queue, column);
      solver.advance_steps(50);
      print_hash("sph, " + std::string(to_name(precision)), method, solver.fields().density);
    });
}

}  // namespace

int main() {
  try {
    const Queue queue = Queue::cpu(2);
    print_particles<float>(queue, "float");
    print_particles<double>(queue, "double");
    print_walls(queue);
    print_collisions(queue);
    print_sph(queue);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "result_hashes: %s\n", error.what());
    return 1;
  }
}
