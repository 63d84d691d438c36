// SPDX-License-Identifier: Apache-2.0
// One evaluation of the collision integral, for every approach and every method that supports it, on every available
// device: Maxwell molecules, 16 directions of the half sphere (6 for `spectral_6`), 16 radii (32 for `spectral_vss`, whose
// molecules scatter anisotropically); one cell, or 128 cells in a call if the name says so. The error is the largest
// difference from the exact right-hand side over the largest value of the latter; `spectral_vss` has none.
#include <shoal/collision.hpp>

#include "collision/collision_method.hpp"
#include "support/exact_collision.hpp"
#include "support/google.hpp"
#include "support/problems.hpp"

namespace shoal::benchmarks {
namespace {

using namespace testing_support;

/// vss, α = 1.4, with a collision frequency of about 1.
Molecules soft_spheres() {
  return {.model = MoleculeModel::vss,
          .diameter = 0.4,
          .viscosity_exponent = 0.81,
          .reference_temperature = 1,
          .mass = 1.380649e-23,
          .scattering_exponent = 1.4};
}

template <class Real>
void run(benchmark::State& state, DeviceKind device, const CollisionOptions& options, const Molecules& molecules,
         int cells) {
  const Queue queue = queue_for(device);
  const VelocityGrid grid = velocity_grid(options.approach, static_cast<int>(state.range(0)));
  Collision<Real> plan(queue, grid, molecules, options);
  const std::vector<Real> cell_f = Bkw{}.on<Real>(grid), cell_rate = Bkw{}.rate_on<Real>(grid);
  std::vector<Real> all_f, all_rates;
  for (int cell = 0; cell < cells; ++cell) {
    all_f.insert(all_f.end(), cell_f.begin(), cell_f.end());
    all_rates.insert(all_rates.end(), cell_rate.begin(), cell_rate.end());
  }
  const Array<Real> f = to_device(queue, all_f);
  Array<Real> q(queue, f.count());
  measure(state, queue, [&] { plan.evaluate(f, q); });
  if (molecules.model == MoleculeModel::maxwell)
    state.counters["error"] = relative_difference(to_host(queue, q), all_rates);
  state.counters["directions"] = plan.directions().count();
}

template <class Real>
void add(const std::string& name, const collision::CollisionMethod& entry, CollisionOptions options,
         const Molecules& molecules, int cells) {
  const MethodInfo method = method_info("collision", entry);
  options.method = method.name;
  auto* benchmark = benchmark::RegisterBenchmark(
      benchmark_name(name, method).c_str(),
      [=, device = entry.device](benchmark::State& state) { run<Real>(state, device, options, molecules, cells); });
  benchmark->UseRealTime()->Unit(benchmark::kMillisecond);
  const bool slow = method.name == "serial" || method.name == "pairs";
  if (slow) {
    benchmark->Arg(8);
    return;
  }
  benchmark->Arg(16)->Arg(32);
  const bool by_pairs = method.name == "lerp" || method.name == "texture" || method.name == "atomic";
  const bool fast =
      method.name == "fftw" || method.name == "kissfft" || (entry.device == DeviceKind::cuda && !by_pairs);
  if (fast && cells == 1) benchmark->Arg(64);
}

template <class Real>
void add_all(const std::string& precision) {
  for (const collision::CollisionMethod& entry : collision::collision_method_table()) {
    if (!is_available(entry.device)) continue;
    const auto add_one = [&](const std::string& name, const CollisionOptions& options, int cells = 1,
                             const Molecules& molecules = {.rate = 1}) {
      if (entry.supports(options.approach)) add<Real>(name + "_" + precision, entry, options, molecules, cells);
    };
    add_one("interpolated", {.approach = CollisionApproach::interpolated});
    add_one("interpolated_cubic",
            {.approach = CollisionApproach::interpolated, .interpolation = VelocityInterpolation::cubic});
    add_one("conservative", {.approach = CollisionApproach::conservative});
    add_one("conservative_loss_only", {.approach = CollisionApproach::conservative, .symmetrized = false});
    add_one("spectral_6", {.approach = CollisionApproach::spectral, .directions = {.degree = 5}});
    add_one("spectral", {.approach = CollisionApproach::spectral});
    add_one("spectral_32_radii", {.approach = CollisionApproach::spectral, .radii = 32});
    add_one("spectral_vss", {.approach = CollisionApproach::spectral, .radii = 32}, 1, soft_spheres());
    add_one("carleman", {.approach = CollisionApproach::carleman});
    add_one("carleman_128_cells", {.approach = CollisionApproach::carleman}, 128);
  }
}

}  // namespace

void register_benchmarks() {
  add_all<double>("double");
  add_all<float>("float");
}

}  // namespace shoal::benchmarks
