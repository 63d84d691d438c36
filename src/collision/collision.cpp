// SPDX-License-Identifier: Apache-2.0
#include <shoal/collision.hpp>

#include <algorithm>
#include <cmath>

#include "collision/collision_call.hpp"
#include "collision/distribution_backends.hpp"
#include "core/backends.hpp"
#include "core/check_views.hpp"
#include "core/text.hpp"

namespace shoal {

namespace {

/// Fractions of the density at the edge that are worth a warning, and widths in thermal speeds √(k T / m): less is cut
/// off or not resolved.
constexpr double most_at_edge = 1e-4;
constexpr double least_half_width = 3.5;
constexpr double most_spacing = 0.75;

StatusBlock::Explain explain_faults(const VelocityGrid& grid) {
  return [nodes = grid.node_count()](int kind, std::int64_t item, const double*) {
    const bool negative = kind == CollisionFault::negative;
    return text("collision: f is ", negative ? "negative" : "not finite", " at node ", item % nodes, " of cell ",
                item / nodes, ". ", negative ? "Repair it or set negative = \"accept\"." : "Repair it.");
  };
}

void add_warnings(const VelocityGrid& grid, std::int64_t cell, const VelocityMoments& moments, double edge,
                  std::vector<std::string>& warnings) {
  const double thermal = std::sqrt(moments.temperature);
  double drift = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
    drift = std::max(drift, std::abs(moments.velocity[axis] - grid.centre[axis]));
  const double wanted_width = drift + 5 * thermal;
  const auto wanted_nodes = static_cast<int>(std::ceil(2 * wanted_width / (most_spacing * thermal)));
  const std::string remedy =
      text(" Use a half width of ", wanted_width, " m/s and ", std::max(8, wanted_nodes), " nodes or more.");
  if (grid.half_width - drift < least_half_width * thermal)
    warnings.push_back(text("collision: cell ", cell, ": the box ends ", (grid.half_width - drift) / thermal,
                            " thermal speeds from the mean velocity, expected ", least_half_width, " or more.",
                            remedy));
  if (grid.spacing() > most_spacing * thermal)
    warnings.push_back(text("collision: cell ", cell, ": the spacing is ", grid.spacing() / thermal,
                            " thermal speeds, expected ", most_spacing, " or less.", remedy));
  if (edge > most_at_edge)
    warnings.push_back(text("collision: cell ", cell, ": a share of ", edge,
                            " of the density lies at the edge of the box, expected ", most_at_edge, " or less.",
                            remedy));
}

}  // namespace

template <class Real>
struct Collision<Real>::Plan {
  Queue queue;
  CollisionSetup setup;
  const CollisionMethod* method;
  Scratch scratch;
  std::unique_ptr<CollisionOperator<Real>> how;
  std::shared_ptr<StatusBlock> status;

  Plan(const Queue& on, const VelocityGrid& grid, const Molecules& molecules, const CollisionOptions& options)
      : queue(on),
        setup(grid, molecules, options),
        method(&find_collision_method(setup, on.device().kind)),
        scratch(on),
        how(method->maker(options.approach).of(Real())(setup, scratch)),
        status(watch_status(on, explain_faults(grid))) {}

  std::int64_t nodes() const { return setup.grid.node_count(); }

  std::int64_t cells_of(View<const Real> f) const {
    require(f.count % nodes() == 0, "collision: f has ", f.count, " elements, expected a multiple of ", nodes(),
            ", the nodes of the velocity grid.");
    require_view(queue, "collision", "f", f, f.count);
    return f.count / nodes();
  }

  /// Calls work(f, cell) with each cell's distribution in contiguous memory.
  template <class Work>
  void for_each_cell(View<const Real> f, bool accept_negative, Work work) {
    const std::int64_t cells = cells_of(f);
    ScratchFrame frame(scratch);
    Real* here = frame.array<Real>(nodes()).data;
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      cpu::take_distribution(queue, f, accept_negative, cell * nodes(), here, nodes(), status->device_pointer());
      work(here, cell);
    }
  }
  bool accepts_negative() const { return setup.options.negative == NegativeDistribution::accept; }

  /// The same, with work writing a cell's results to contiguous memory, which are then written to `out`.
  template <class Work>
  void map_cells(View<const Real> f, const char* name, View<Real> out, Work work) {
    require_view(queue, "collision", name, out, f.count);
    ScratchFrame frame(scratch);
    Real* result = frame.array<Real>(nodes()).data;
    for_each_cell(f, accepts_negative(), [&](const Real* here, std::int64_t cell) {
      work(here, result);
      for (std::int64_t i = 0; i < nodes(); ++i) out.data[(cell * nodes() + i) * out.stride] = result[i];
    });
  }

  void evaluate(const Real* f, Real* q) {
    const CollisionOptions& options = setup.options;
    how->evaluate(f, q);
    const bool needs_maxwellian =
        options.equilibrium_preserving || options.projection == CollisionProjection::maxwellian;
    ScratchFrame frame(scratch);
    const Real* weight = nullptr;
    if (needs_maxwellian) {
      Real* equilibrium = frame.array<Real>(nodes()).data;
      cpu::maxwellian(queue, setup.grid, cpu::moments_of(queue, setup.grid, f), equilibrium);
      if (options.equilibrium_preserving) {
        Real* at_rest = frame.array<Real>(nodes()).data;
        how->evaluate(equilibrium, at_rest);
        for (std::int64_t i = 0; i < nodes(); ++i) q[i] -= at_rest[i];
      }
      if (options.projection == CollisionProjection::maxwellian) weight = equilibrium;
    }
    if (options.projection != CollisionProjection::none) cpu::project(queue, setup.grid, weight, q);
  }

  template <class Result, class Of>
  std::vector<Result> of_each_cell(View<const Real> f, Of of) {
    std::vector<Result> results;
    for_each_cell(f, true, [&](const Real* here, std::int64_t cell) { results.push_back(of(here, cell)); });
    queue.wait();
    return results;
  }
};

template <class Real>
Collision<Real>::Collision(const Queue& queue, const VelocityGrid& grid, const Molecules& molecules,
                           const CollisionOptions& options)
    : plan_(std::make_unique<Plan>(queue, grid, molecules, options)) {}
template <class Real>
Collision<Real>::~Collision() = default;
template <class Real>
Collision<Real>::Collision(Collision&&) noexcept = default;
template <class Real>
Collision<Real>& Collision<Real>::operator=(Collision&&) noexcept = default;

template <class Real>
void Collision<Real>::evaluate(View<const Real> f, View<Real> q) {
  plan_->map_cells(f, "q", q, [&](const Real* here, Real* result) { plan_->evaluate(here, result); });
}

template <class Real>
void Collision<Real>::frequency(View<const Real> f, View<Real> frequency) {
  plan_->map_cells(f, "frequency", frequency, [&](const Real* here, Real* result) {
    cpu::collision_frequency(plan_->queue, plan_->setup, here, result);
  });
}

template <class Real>
void Collision<Real>::loss(View<const Real> f, View<Real> loss) {
  plan_->map_cells(f, "loss", loss, [&](const Real* here, Real* result) {
    cpu::collision_frequency(plan_->queue, plan_->setup, here, result);
    for (std::int64_t i = 0; i < plan_->nodes(); ++i) result[i] *= here[i];
  });
}

template <class Real>
double Collision<Real>::step_bound(View<const Real> f) {
  ScratchFrame frame(plan_->scratch);
  const View<Real> rate = frame.array<Real>(f.count);
  frequency(f, rate);
  plan_->queue.wait();
  double most = 0;
  for (std::int64_t i = 0; i < rate.count; ++i) most = std::max(most, static_cast<double>(rate.data[i]));
  return 1 / most;
}

template <class Real>
void Collision<Real>::require_step(View<const Real> f, double step) {
  require(step > 0, "collision: a time step of ", step, " s, expected a positive one.");
  const double bound = step_bound(f);
  require(step <= bound, "collision: a time step of ", step, " s is above the stability bound 1 / max ν = ", bound,
          " s. Take a shorter one.");
}

template <class Real>
std::vector<VelocityMoments> Collision<Real>::moments(View<const Real> f) {
  return plan_->template of_each_cell<VelocityMoments>(
      f, [&](const Real* here, std::int64_t) { return cpu::moments_of(plan_->queue, plan_->setup.grid, here); });
}

template <class Real>
std::vector<double> Collision<Real>::entropy(View<const Real> f) {
  return plan_->template of_each_cell<double>(f, [&](const Real* here, std::int64_t) {
    return cpu::entropy_of<Real>(plan_->queue, plan_->setup.grid, here, nullptr);
  });
}

template <class Real>
std::vector<double> Collision<Real>::entropy_production(View<const Real> f, View<const Real> q) {
  require_view(plan_->queue, "collision", "q", q, f.count);
  ScratchFrame frame(plan_->scratch);
  const std::int64_t nodes = plan_->nodes();
  const View<Real> rate = frame.array<Real>(nodes);
  return plan_->template of_each_cell<double>(f, [&](const Real* here, std::int64_t cell) {
    for (std::int64_t i = 0; i < nodes; ++i) rate.data[i] = q.data[(cell * nodes + i) * q.stride];
    return cpu::entropy_of<Real>(plan_->queue, plan_->setup.grid, here, rate.data);
  });
}

template <class Real>
std::vector<CollisionDefects> Collision<Real>::defects(View<const Real> q) {
  return plan_->template of_each_cell<CollisionDefects>(
      q, [&](const Real* here, std::int64_t) { return cpu::defects_of(plan_->queue, plan_->setup.grid, here); });
}

template <class Real>
std::vector<std::string> Collision<Real>::warnings(View<const Real> f) {
  std::vector<std::string> warnings;
  plan_->for_each_cell(f, plan_->accepts_negative(), [&](const Real* here, std::int64_t cell) {
    const VelocityGrid& grid = plan_->setup.grid;
    add_warnings(grid, cell, cpu::moments_of(plan_->queue, grid, here), cpu::edge_share(grid, here), warnings);
  });
  plan_->queue.wait();
  return warnings;
}

template <class Real>
const VelocityGrid& Collision<Real>::grid() const {
  return plan_->setup.grid;
}
template <class Real>
const Directions& Collision<Real>::directions() const {
  return plan_->setup.directions;
}
template <class Real>
MethodInfo Collision<Real>::method() const {
  return method_info("collision", *plan_->method);
}

template class Collision<float>;
template class Collision<double>;

}  // namespace shoal
