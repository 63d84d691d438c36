// SPDX-License-Identifier: Apache-2.0
#include <shoal/collision.hpp>

#include <algorithm>
#include <cmath>

#include "collision/collision_method.hpp"
#include "collision/distribution/distribution_backend.hpp"
#include "collision/frequency/frequency.hpp"
#include "core/memory/check_views.hpp"
#include "core/primitives/primitives.hpp"
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

void add_warnings(const VelocityGrid& grid, CollisionSupport support, std::int64_t cell, const VelocityMoments& moments,
                  double edge, std::vector<std::string>& warnings) {
  const double thermal = std::sqrt(moments.temperature);
  const bool ball = support == CollisionSupport::ball;
  double drift = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double along = std::abs(moments.velocity[axis] - grid.center[axis]);
    drift = ball ? std::hypot(drift, along) : std::max(drift, along);
  }
  const double wanted_width = drift + 5 * thermal;
  const auto wanted_nodes = static_cast<int>(std::ceil(2 * wanted_width / (most_spacing * thermal)));
  const std::string remedy =
      text(" Use a half width of ", wanted_width, " m/s and ", std::max(8, wanted_nodes), " nodes or more.");
  if (grid.half_width - drift < least_half_width * thermal)
    warnings.push_back(text("collision: cell ", cell, ": the ", to_name(support), " ends ",
                            (grid.half_width - drift) / thermal, " thermal speeds from the mean velocity, expected ",
                            least_half_width, " or more.", remedy));
  if (grid.spacing() > most_spacing * thermal)
    warnings.push_back(text("collision: cell ", cell, ": the spacing is ", grid.spacing() / thermal,
                            " thermal speeds, expected ", most_spacing, " or less.", remedy));
  if (edge > most_at_edge)
    warnings.push_back(text("collision: cell ", cell, ": a share of ", edge, " of the density lies at the edge of the ",
                            to_name(support), ball ? " or beyond" : "", ", expected ", most_at_edge, " or less.",
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
  std::unique_ptr<CollisionFrequency<Real>> how_often;  ///< made when it is first asked for
  std::shared_ptr<StatusBlock> status;

  Plan(const Queue& on, const VelocityGrid& grid, const Molecules& molecules, const CollisionOptions& options)
      : queue(on),
        setup(grid, molecules, options),
        method(&find_collision_method(setup, on.device().kind)),
        scratch(on),
        how(method->maker(options.approach).of(Real())(setup, scratch)),
        status(watch_status(on, explain_faults(grid))) {}

  std::int64_t nodes() const { return setup.grid.node_count(); }
  bool accepts_negative() const { return setup.options.negative == NegativeDistribution::accept; }

  std::int64_t cells_of(View<const Real> f) const {
    require(f.count % nodes() == 0, "collision: f has ", f.count, " elements, expected a multiple of ", nodes(),
            ", the nodes of the velocity grid.");
    require_view(queue, "collision", "f", f, f.count);
    return f.count / nodes();
  }

  /// f in contiguous memory.
  Real* take(ScratchFrame& frame, View<const Real> f, bool accept_negative) {
    cells_of(f);
    Real* here = frame.array<Real>(f.count).data;
    SHOAL_RUN(queue, take_distribution(queue, f, accept_negative, here, status->device_pointer()));
    return here;
  }

  void keep_support(std::int64_t count, Real* values) {
    if (setup.support().is_box()) return;
    SHOAL_RUN(queue, keep_support(queue, setup.support(), count, values));
  }

  /// Calls work(f, result, cells) with contiguous memory of all cells, f 0 where no node takes part, and writes the
  /// results to `out`.
  template <class Work>
  void map_cells(View<const Real> f, const char* name, View<Real> out, Work work) {
    require_view(queue, "collision", name, out, f.count);
    ScratchFrame frame(scratch);
    Real* here = take(frame, f, accepts_negative());
    keep_support(f.count, here);
    Real* result = frame.array<Real>(f.count).data;
    work(here, result, f.count / nodes());
    SHOAL_RUN(queue, put_distribution(queue, result, out));
  }

  void evaluate(const Real* f, Real* q, std::int64_t cells) {
    const CollisionOptions& options = setup.options;
    how->evaluate_cells(f, q, cells, nodes());
    const bool needs_maxwellian =
        options.equilibrium_preserving || options.projection == CollisionProjection::maxwellian;
    ScratchFrame frame(scratch);
    const Real* weight = nullptr;
    if (needs_maxwellian) {
      Real* equilibrium = frame.array<Real>(cells * nodes()).data;
      const GasState* gas = SHOAL_RUN(queue, gas_of(frame, queue, setup.grid, f, cells));
      SHOAL_RUN(queue, maxwellian(queue, setup.grid, gas, cells, equilibrium));
      if (options.equilibrium_preserving) {
        Real* at_rest = frame.array<Real>(cells * nodes()).data;
        keep_support(cells * nodes(), equilibrium);
        how->evaluate_cells(equilibrium, at_rest, cells, nodes());
        SHOAL_RUN(queue, subtract(queue, at_rest, cells * nodes(), q));
      }
      if (options.projection == CollisionProjection::maxwellian) weight = equilibrium;
    }
    if (options.projection != CollisionProjection::none)
      SHOAL_RUN(queue, project(scratch, setup.grid, setup.support(), weight, cells, q));
  }

  /// Sums of terms over each cell, on the host.
  template <class Terms>
  std::vector<double> sums(const Terms& terms, std::int64_t cells) {
    ScratchFrame frame(scratch);
    const double* sums = SHOAL_RUN(queue, sums_of(frame, queue, setup.grid, terms, cells));
    return to_host(queue, View<const double>(sums, cells * Terms::count, queue.device()));
  }

  std::vector<VelocityMoments> moments_of(const Real* f, std::int64_t cells) {
    ScratchFrame frame(scratch);
    const double* on_device = SHOAL_RUN(queue, sums_of(frame, queue, setup.grid, LowMoments<Real>{f}, cells));
    const std::vector<double> high = sums(HighMoments<Real>{f, on_device}, cells);
    const std::vector<double> low = to_host(queue, View<const double>(on_device, 4 * cells, queue.device()));
    std::vector<VelocityMoments> moments;
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      const double* of_high = high.data() + 9 * cell;
      const GasState gas = GasState::of(low.data() + 4 * cell, of_high);
      VelocityMoments& here = moments.emplace_back();
      here.density = gas.density;
      here.temperature = gas.temperature;
      std::copy_n(gas.velocity, 3, here.velocity.begin());
      std::copy_n(of_high, 6, here.stress.begin());
      std::copy_n(of_high + 6, 3, here.heat_flux.begin());
    }
    return moments;
  }

  void frequency_of(const Real* f, Real* frequency, std::int64_t cells) {
    if (!how_often) how_often = SHOAL_RUN(queue, make_frequency<Real>(setup, scratch));
    how_often->evaluate(f, cells, frequency);
    keep_support(cells * nodes(), frequency);
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
  plan_->map_cells(f, "q", q,
                   [&](const Real* here, Real* result, std::int64_t cells) { plan_->evaluate(here, result, cells); });
}

template <class Real>
void Collision<Real>::frequency(View<const Real> f, View<Real> frequency) {
  plan_->map_cells(f, "frequency", frequency, [&](const Real* here, Real* result, std::int64_t cells) {
    plan_->frequency_of(here, result, cells);
  });
}

template <class Real>
void Collision<Real>::loss(View<const Real> f, View<Real> loss) {
  plan_->map_cells(f, "loss", loss, [&](const Real* here, Real* result, std::int64_t cells) {
    plan_->frequency_of(here, result, cells);
    SHOAL_RUN(plan_->queue, multiply(plan_->queue, here, cells * plan_->nodes(), result));
  });
}

template <class Real>
double Collision<Real>::step_bound(View<const Real> f) {
  ScratchFrame frame(plan_->scratch);
  const View<Real> rate = frame.array<Real>(f.count);
  frequency(f, rate);
  const View<Real> most = frame.array<Real>(1);
  reduce(plan_->scratch, Reduction::max, View<const Real>(rate), most);
  return 1 / static_cast<double>(to_host(plan_->queue, most)[0]);
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
  ScratchFrame frame(plan_->scratch);
  return plan_->moments_of(plan_->take(frame, f, true), plan_->cells_of(f));
}

template <class Real>
std::vector<double> Collision<Real>::entropy(View<const Real> f) {
  ScratchFrame frame(plan_->scratch);
  const EntropyTerm<Real> term{plan_->take(frame, f, true), nullptr};
  return plan_->sums(term, plan_->cells_of(f));
}

template <class Real>
std::vector<double> Collision<Real>::entropy_production(View<const Real> f, View<const Real> q) {
  require_view(plan_->queue, "collision", "q", q, f.count);
  ScratchFrame frame(plan_->scratch);
  const Real* distribution = plan_->take(frame, f, true);
  const EntropyTerm<Real> term{distribution, plan_->take(frame, q, true)};
  return plan_->sums(term, plan_->cells_of(f));
}

template <class Real>
std::vector<CollisionDefects> Collision<Real>::defects(View<const Real> q) {
  ScratchFrame frame(plan_->scratch);
  const std::vector<double> sums = plan_->sums(DefectTerms<Real>{plan_->take(frame, q, true)}, plan_->cells_of(q));
  std::vector<CollisionDefects> defects;
  for (auto s = sums.begin(); s != sums.end(); s += 8)
    defects.push_back({s[0], {s[1], s[2], s[3]}, s[4], s[5], s[6], s[7]});
  return defects;
}

template <class Real>
std::vector<std::string> Collision<Real>::warnings(View<const Real> f) {
  ScratchFrame frame(plan_->scratch);
  const Real* here = plan_->take(frame, f, plan_->accepts_negative());
  const std::int64_t cells = plan_->cells_of(f);
  const std::vector<VelocityMoments> moments = plan_->moments_of(here, cells);
  const std::vector<double> edge = plan_->sums(EdgeTerms<Real>{here, plan_->setup.support()}, cells);
  std::vector<std::string> warnings;
  for (std::size_t cell = 0; cell < moments.size(); ++cell)
    add_warnings(plan_->setup.grid, plan_->setup.options.support, static_cast<std::int64_t>(cell), moments[cell],
                 edge[2 * cell] / edge[2 * cell + 1], warnings);
  return warnings;
}

template <class Real>
const Queue& Collision<Real>::queue() const {
  return plan_->queue;
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
