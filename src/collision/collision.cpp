// SPDX-License-Identifier: Apache-2.0
#include <shoal/collision.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "collision/collision_method.hpp"
#include "collision/distribution/distribution_backend.hpp"
#include "collision/frequency/frequency.hpp"
#include "collision/mixture/mixture_plan.hpp"
#include "core/memory/check_views.hpp"
#include "core/primitives/primitives.hpp"
#include "core/text.hpp"
#include "ranks/agree_naming_rank.hpp"

namespace shoal::collision {

namespace {

/// Limits for warnings: the share of the density at the edge, and lengths in thermal speeds √(k T / m). A smaller half
/// width cuts the distribution off, a larger spacing does not resolve it.
constexpr double max_edge_share = 1e-4;
constexpr double min_half_width = 3.5;
constexpr double max_spacing = 0.75;

StatusBlock::Explain explain_faults(const VelocityGrid& grid) {
  return [nodes = grid.node_count()](int kind, std::int64_t item, const double*) {
    const bool negative = kind == CollisionFault::negative;
    return text("collision: f is ", negative ? "negative" : "not finite", " at node ", item % nodes, " of cell ",
                item / nodes, ". ", negative ? "Repair it or set negative = \"accept\"." : "Repair it.");
  };
}

/// @param edge  share of the density at the edge of the support and beyond
void add_warnings(const VelocityGrid& grid, CollisionSupport support, std::int64_t cell, const VelocityMoments& moments,
                  double edge, std::vector<Warning>& warnings) {
  const double thermal = std::sqrt(moments.temperature);
  const bool ball = support == CollisionSupport::ball;
  double drift = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double component = std::abs(moments.velocity[axis] - grid.center[axis]);
    drift = ball ? std::hypot(drift, component) : std::max(drift, component);
  }
  const double suitable_width = drift + 5 * thermal;
  const auto suitable_nodes = static_cast<int>(std::ceil(2 * suitable_width / (max_spacing * thermal)));
  const std::string remedy =
      text("Use a half width of ", suitable_width, " m/s and ", std::max(8, suitable_nodes), " nodes or more.");
  if (grid.half_width - drift < min_half_width * thermal)
    warnings.push_back(
        {"half_width", (grid.half_width - drift) / thermal, min_half_width,
         text("collision: cell ", cell, ": the ", to_name(support), " ends ", (grid.half_width - drift) / thermal,
              " thermal speeds from the mean velocity, expected ", min_half_width, " or more."),
         remedy});
  if (grid.spacing() > max_spacing * thermal)
    warnings.push_back({"spacing", grid.spacing() / thermal, max_spacing,
                        text("collision: cell ", cell, ": the spacing is ", grid.spacing() / thermal,
                             " thermal speeds, expected ", max_spacing, " or less."),
                        remedy});
  if (edge > max_edge_share)
    warnings.push_back(
        {"edge_share", edge, max_edge_share,
         text("collision: cell ", cell, ": a share of ", edge, " of the density lies at the edge of the ",
              to_name(support), ball ? " or beyond" : "", ", expected ", max_edge_share, " or less."),
         remedy});
}

}  // namespace

template <class Real>
struct Collision<Real>::Plan {
  Queue queue;
  CollisionSetup setup;
  const CollisionMethod* method;
  Scratch scratch;
  std::unique_ptr<CollisionOperator<Real>> collision_operator;    ///< Null for a mixture.
  std::unique_ptr<MixturePlan<Real>> mixture;                     ///< Null for one gas.
  std::unique_ptr<CollisionFrequency<Real>> collision_frequency;  ///< Made at its first use.
  const DistributionBackend<Real>& distributions;
  std::shared_ptr<StatusBlock> status;
  std::int64_t evaluations = 0;

  Plan(const Queue& plan_queue, const VelocityGrid& grid, const Molecules& molecules, const CollisionOptions& options)
      : Plan(plan_queue, CollisionSetup(grid, molecules, options)) {
    collision_operator = method->factory(options.approach).template make<Real>(setup, scratch);
  }

  Plan(const Queue& plan_queue, const VelocityGrid& grid, const Mixture& gases, const CollisionOptions& options)
      : Plan(plan_queue, CollisionSetup(grid, gases.species[0], options)) {
    mixture = std::make_unique<MixturePlan<Real>>(MixtureSetup(setup, gases), *method, scratch);
  }

  Plan(const Queue& plan_queue, CollisionSetup plan_setup)
      : queue(plan_queue),
        setup(std::move(plan_setup)),
        method(&find_collision_method(setup, queue.device().kind)),
        scratch(queue),
        distributions(backend<DistributionBackend<Real>>(queue)),
        status(watch_status(queue, explain_faults(setup.grid))) {}

  /// Lets ranks share the work of each cell. All ranks call it.
  void share_work(const Communicator& ranks) {
    if (ranks.size() == 1) return;
    setup.ranks = ranks;
    setup.transport = ranks.group().transport(queue);
  }

  /// Checks the arguments of a call of all ranks.
  void agree_on_cells(View<const Real> f, const char* name, View<Real> out) {
    agree_naming_rank(setup.ranks, [&] {
      cell_count(f);
      require_view(queue, "collision", name, out, f.count);
    });
    if (setup.ranks.size() == 1) return;
    std::array<std::uint64_t, 2> counts{static_cast<std::uint64_t>(f.count), ~static_cast<std::uint64_t>(f.count)};
    setup.ranks.group().all_max(counts);
    require(counts[0] == ~counts[1], "collision: f has ", ~counts[1] / static_cast<std::uint64_t>(nodes()),
            " cells on one rank and ", counts[0] / static_cast<std::uint64_t>(nodes()),
            " on another. Give all ranks the same f.");
  }

  std::int64_t nodes() const { return setup.grid.node_count(); }
  bool accepts_negative() const { return setup.options.negative == NegativeDistribution::accept; }

  int species() const { return mixture ? 2 : 1; }

  /// Number of cells of f, those of both species of a mixture.
  std::int64_t cell_count(View<const Real> f) const {
    require(f.count % (species() * nodes()) == 0, "collision: f has ", f.count, " elements, expected a multiple of ",
            species() * nodes(), ", the nodes of the velocity grid", mixture ? " for each of two species." : ".");
    require_view(queue, "collision", "f", f, f.count);
    return f.count / nodes();
  }

  /// Copies f to contiguous memory of the frame.
  Real* load(ScratchFrame& frame, View<const Real> f, bool accept_negative) {
    cell_count(f);
    Real* values = frame.array<Real>(f.count).data;
    distributions.load(queue, f, accept_negative, values, status->device_pointer());
    return values;
  }

  void clear_outside_support(std::int64_t count, Real* values) {
    if (!setup.support().is_box()) distributions.clear_outside(queue, setup.support(), count, values);
  }

  /// Calls evaluate(values, result, cells) with contiguous memory of all cells, in which f is 0 at nodes that take no
  /// part, and copies the result to `out`.
  template <class Evaluate>
  void map_cells(View<const Real> f, const char* name, View<Real> out, Evaluate evaluate) {
    require_view(queue, "collision", name, out, f.count);
    ScratchFrame frame(scratch);
    Real* values = load(frame, f, accepts_negative());
    clear_outside_support(f.count, values);
    Real* result = frame.array<Real>(f.count).data;
    evaluate(values, result, f.count / nodes());
    distributions.store(queue, result, out);
  }

  void evaluate_cells(const Real* f, Real* q, std::int64_t cells) {
    if (mixture) return mixture->evaluate(f, q, cells / 2);
    collision_operator->evaluate_cells(f, q, cells, nodes());
  }

  /// Maxwellian of each cell; those of both gases of a mixture have its velocity and temperature.
  void find_equilibrium(const Real* f, std::int64_t cells, Real* equilibrium) {
    ScratchFrame frame(scratch);
    GasState* gas = distributions.gas_states(frame, queue, setup.grid, f, cells);
    if (mixture) distributions.equalize(queue, mixture->shares(), cells / 2, gas);
    distributions.maxwellian(queue, setup.grid, gas, cells, equilibrium);
  }

  void project(const Real* weight, std::int64_t cells, Real* q) {
    if (mixture) return distributions.project_pairs(scratch, setup.grid, mixture->shares(), weight, cells / 2, q);
    distributions.project(scratch, setup.grid, setup.support(), weight, cells, q);
  }

  void evaluate(const Real* f, Real* q, std::int64_t cells) {
    const CollisionOptions& options = setup.options;
    if (collision_operator) collision_operator->evaluation = static_cast<std::uint64_t>(evaluations);
    ++evaluations;
    evaluate_cells(f, q, cells);
    const bool needs_maxwellian =
        options.equilibrium_preserving || options.projection == CollisionProjection::maxwellian;
    ScratchFrame frame(scratch);
    const Real* weight = nullptr;
    if (needs_maxwellian) {
      Real* equilibrium = frame.array<Real>(cells * nodes()).data;
      find_equilibrium(f, cells, equilibrium);
      if (options.equilibrium_preserving) {
        Real* equilibrium_q = frame.array<Real>(cells * nodes()).data;
        clear_outside_support(cells * nodes(), equilibrium);
        evaluate_cells(equilibrium, equilibrium_q, cells);
        distributions.subtract(queue, equilibrium_q, cells * nodes(), q);
      }
      if (options.projection == CollisionProjection::maxwellian) weight = equilibrium;
    }
    if (options.projection != CollisionProjection::none) project(weight, cells, q);
  }

  /// Sums of terms over each cell, on the host.
  template <class Terms>
  std::vector<double> host_sums(CellSums<Terms> cell_sums, const Terms& terms, std::int64_t cells) {
    ScratchFrame frame(scratch);
    const double* sums = cell_sums(frame, queue, setup.grid, terms, cells);
    return to_host(queue, View<const double>(sums, cells * Terms::count, queue.device()));
  }

  std::vector<VelocityMoments> moments(const Real* f, std::int64_t cells) {
    ScratchFrame frame(scratch);
    const double* device_low = distributions.low_moments(frame, queue, setup.grid, {f}, cells);
    const std::vector<double> high = host_sums(distributions.high_moments, {f, device_low}, cells);
    const std::vector<double> low = to_host(queue, View<const double>(device_low, 4 * cells, queue.device()));
    std::vector<VelocityMoments> result;
    for (std::int64_t cell = 0; cell < cells; ++cell) {
      const double* cell_high = high.data() + 9 * cell;
      const GasState gas = GasState::from_moments(low.data() + 4 * cell, cell_high);
      VelocityMoments& moments = result.emplace_back();
      moments.density = gas.density;
      moments.temperature = gas.temperature;
      std::copy_n(gas.velocity, 3, moments.velocity.begin());
      std::copy_n(cell_high, 6, moments.stress.begin());
      std::copy_n(cell_high + 6, 3, moments.heat_flux.begin());
    }
    return result;
  }

  void evaluate_frequency(const Real* f, Real* frequency, std::int64_t cells) {
    if (mixture) return mixture->evaluate_frequency(f, frequency, cells / 2);
    if (!collision_frequency) collision_frequency = make_frequency<Real>(setup, scratch);
    collision_frequency->evaluate(f, cells, frequency);
    clear_outside_support(cells * nodes(), frequency);
  }
};

template <class Real>
Collision<Real>::Collision(const Queue& queue, const VelocityGrid& grid, const Molecules& molecules,
                           const CollisionOptions& options)
    : plan_(std::make_unique<Plan>(queue, grid, molecules, options)) {}
template <class Real>
Collision<Real>::Collision(const Queue& queue, const VelocityGrid& grid, const Mixture& mixture,
                           const CollisionOptions& options)
    : plan_(std::make_unique<Plan>(queue, grid, mixture, options)) {}
template <class Real>
Collision<Real>::Collision(const Queue& queue, const VelocityGrid& grid, const Molecules& molecules,
                           const CollisionOptions& options, const Communicator& ranks) {
  ranks.agree([&] {
    plan_ = std::make_unique<Plan>(queue, grid, molecules, options);
    require(plan_->method->deterministic || ranks.size() == 1, "collision: method ", plan_->method->name,
            " adds in another order on every run, and ranks that share the work of a cell need the same bits. Use "
            "another method, or share out cells: each rank evaluates its own.");
  });
  plan_->share_work(ranks);
}
template <class Real>
Collision<Real>::~Collision() = default;
template <class Real>
Collision<Real>::Collision(Collision&&) noexcept = default;
template <class Real>
Collision<Real>& Collision<Real>::operator=(Collision&&) noexcept = default;

template <class Real>
void Collision<Real>::evaluate(View<const Real> f, View<Real> q) {
  plan_->agree_on_cells(f, "q", q);
  plan_->map_cells(
      f, "q", q, [&](const Real* values, Real* result, std::int64_t cells) { plan_->evaluate(values, result, cells); });
}

template <class Real>
void Collision<Real>::frequency(View<const Real> f, View<Real> frequency) {
  plan_->map_cells(f, "frequency", frequency, [&](const Real* values, Real* result, std::int64_t cells) {
    plan_->evaluate_frequency(values, result, cells);
  });
}

template <class Real>
void Collision<Real>::loss(View<const Real> f, View<Real> loss) {
  plan_->map_cells(f, "loss", loss, [&](const Real* values, Real* result, std::int64_t cells) {
    plan_->evaluate_frequency(values, result, cells);
    plan_->distributions.multiply(plan_->queue, values, cells * plan_->nodes(), result);
  });
}

template <class Real>
double Collision<Real>::step_bound(View<const Real> f) {
  ScratchFrame frame(plan_->scratch);
  const View<Real> rate = frame.array<Real>(f.count);
  frequency(f, rate);
  const View<Real> largest = frame.array<Real>(1);
  reduce(plan_->scratch, Reduction::max, View<const Real>(rate), largest);
  return 1 / static_cast<double>(to_host(plan_->queue, largest)[0]);
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
  return plan_->moments(plan_->load(frame, f, true), plan_->cell_count(f));
}

template <class Real>
std::vector<double> Collision<Real>::entropy(View<const Real> f) {
  ScratchFrame frame(plan_->scratch);
  const EntropyTerm<Real> term{plan_->load(frame, f, true), nullptr};
  return plan_->host_sums(plan_->distributions.entropy, term, plan_->cell_count(f));
}

template <class Real>
std::vector<double> Collision<Real>::entropy_production(View<const Real> f, View<const Real> q) {
  require_view(plan_->queue, "collision", "q", q, f.count);
  ScratchFrame frame(plan_->scratch);
  const Real* distribution = plan_->load(frame, f, true);
  const EntropyTerm<Real> term{distribution, plan_->load(frame, q, true)};
  return plan_->host_sums(plan_->distributions.entropy, term, plan_->cell_count(f));
}

template <class Real>
std::vector<CollisionDefects> Collision<Real>::defects(View<const Real> q) {
  ScratchFrame frame(plan_->scratch);
  const Real* values = plan_->load(frame, q, true);
  const std::vector<double> sums = plan_->host_sums(plan_->distributions.defects, {values}, plan_->cell_count(q));
  std::vector<CollisionDefects> defects;
  for (auto s = sums.begin(); s != sums.end(); s += 8)
    defects.push_back({s[0], {s[1], s[2], s[3]}, s[4], s[5], s[6], s[7]});
  return defects;
}

template <class Real>
std::optional<Warning> Collision<Real>::method_warning() const {
  const CollisionOptions& options = plan_->setup.options;
  if (options.method != "auto" || plan_->method->name != oracle_method) return std::nullopt;
  return Warning{"method", 0, 0,
                 text("collision: the only method of this build for approach ", to_name(options.approach), " on ",
                      (plan_->queue.device().kind == DeviceKind::cpu ? "cpu" : "cuda"), " is ", oracle_method,
                      ", the slow oracle of the tests, so auto selects it."),
                 is_fourier(options.approach)
                     ? "Build shoal with a library for Fourier transforms, FFTW or kissfft, or choose another approach."
                     : "Choose another approach or other molecules."};
}

template <class Real>
std::vector<Warning> Collision<Real>::warnings(View<const Real> f, std::int64_t first_cell) {
  ScratchFrame frame(plan_->scratch);
  const Real* values = plan_->load(frame, f, plan_->accepts_negative());
  const std::int64_t cells = plan_->cell_count(f);
  const std::vector<VelocityMoments> moments = plan_->moments(values, cells);
  const std::vector<double> edge = plan_->host_sums(plan_->distributions.edge, {values, plan_->setup.support()}, cells);
  std::vector<Warning> warnings;
  if (const std::optional<Warning> warning = method_warning()) warnings.push_back(*warning);
  for (std::size_t cell = 0; cell < moments.size(); ++cell)
    add_warnings(plan_->setup.grid, plan_->setup.options.support, first_cell + static_cast<std::int64_t>(cell),
                 moments[cell], edge[2 * cell] / edge[2 * cell + 1], warnings);
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
int Collision<Real>::species() const {
  return plan_->species();
}
template <class Real>
MethodInfo Collision<Real>::method() const {
  return method_info("collision", *plan_->method);
}
template <class Real>
std::int64_t Collision<Real>::evaluations() const {
  return plan_->evaluations;
}
template <class Real>
void Collision<Real>::set_evaluations(std::int64_t number) {
  require(number >= 0, "collision: ", number, " evaluations, expected 0 or more.");
  plan_->evaluations = number;
}

template class Collision<float>;
template class Collision<double>;

}  // namespace shoal::collision
