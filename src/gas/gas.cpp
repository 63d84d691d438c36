// SPDX-License-Identifier: Apache-2.0
#include <shoal/gas.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "collision/distribution/distribution_backend.hpp"
#include "core/device/queue_order.hpp"
#include "core/memory/check_views.hpp"
#include "core/text.hpp"
#include "gas/mixture/mixture_rates.hpp"
#include "gas/ranks/warnings_of_ranks.hpp"
#include "gas/setup/gas_setup.hpp"
#include "gas/steady/steady_iteration.hpp"
#include "gas/stepping/stepper.hpp"

namespace shoal::gas {

template <class Real>
struct Gas<Real>::Plan {
  Queue queue;
  GasSetup setup;
  std::unique_ptr<Stepper<Real>> stepper;
  StatusBlock start_status;  ///< First node of a start that is not valid.
  GasClock clock;
  bool started = false;

  Plan(const Queue& plan_queue, const VelocityGrid& velocities, const GasSetup::AxisFaces& faces,
       const std::vector<GasBoundary>& boundaries, const Molecules& molecules, const GasOptions& options,
       const Communicator& ranks, const std::optional<Mixture>& mixture = {})
      : queue(plan_queue),
        setup(velocities, faces, boundaries, molecules, options, ranks, mixture),
        stepper(backend<StepperBackend<Real>>(queue).make(queue, setup)),
        start_status(queue, [this](int, std::int64_t node, const double*) { return start_fault(node); }) {}

  static std::unique_ptr<Plan> make(const Queue& queue, const VelocityGrid& velocities,
                                    const GasSetup::AxisFaces& faces, const std::vector<GasBoundary>& boundaries,
                                    const Molecules& molecules, const GasOptions& options, const Communicator& ranks,
                                    const std::optional<Mixture>& mixture = {}) {
    std::unique_ptr<Plan> plan;
    ranks.agree([&] {
      plan = std::make_unique<Plan>(queue, velocities, faces, boundaries, molecules, options, ranks, mixture);
    });
    plan->stepper->connect();
    return plan;
  }

  void require_started() const { require(started, "gas: there is no distribution yet. Call start() first."); }

  void start(const std::vector<VelocityMoments>& states) {
    started = false;
    setup.ranks.agree([&] {
      const auto cells = static_cast<std::size_t>(setup.all_cells());
      require(states.size() == setup.species() || states.size() == cells, "gas: ", states.size(),
              " states to start from, expected ", cells, ", the number of cells, or ", setup.species(),
              setup.mixture ? ", one for each species." : " for all.");
      std::vector<Real> values(static_cast<std::size_t>(setup.node_count()));
      const auto cells_of_state = static_cast<std::int64_t>(cells / states.size());
      const std::int64_t all_cells = setup.all_cells() / static_cast<std::int64_t>(setup.species());
      std::size_t state_of_values = 0;
      for (std::int64_t cell = 0; cell < setup.cells(); ++cell) {
        const SpeciesCell place = setup.cell_of(setup.first_cell() + cell);
        const std::int64_t number = static_cast<std::int64_t>(place.species) * all_cells + place.cell;
        const auto next = static_cast<std::size_t>(number / cells_of_state);
        if (cell == 0 || next != state_of_values) {
          const VelocityMoments& state = states[next];
          fill(values, setup.maxwellian(state.density, state.velocity, state.temperature,
                                        text("the start in ", setup.cell_name(place))));
          state_of_values = next;
        }
        copy(queue, View<const Real>(values), nodes_of_cell(cell));
      }
      queue.wait();
    });
    finish_start({});
  }

  View<Real> nodes_of_cell(std::int64_t cell) {
    return {stepper->own_f() + cell * setup.node_count(), setup.node_count(), queue.device()};
  }

  void fill(std::vector<Real>& values, const DiscreteMaxwellian& maxwellian) const {
    const int n = setup.nodes.n;
    std::size_t i = 0;
    for (int z = 0; z < n; ++z)
      for (int y = 0; y < n; ++y)
        for (int x = 0; x < n; ++x) values[i++] = static_cast<Real>(maxwellian.value(x, y, z));
  }

  static void require_clock(const GasClock& given) {
    require(std::isfinite(given.time), "gas: the time at the start is ", given.time, " s, expected a finite number.");
    require(given.iterations >= 0 && given.steps >= given.iterations && given.evaluations >= 0, "gas: ", given.steps,
            " steps, ", given.iterations, " iterations and ", given.evaluations,
            " evaluations at the start, expected numbers of 0 or more, and no more iterations than steps.");
    for (const double mass : {given.steady_mass, given.second_steady_mass})
      require(std::isfinite(mass) && mass >= 0, "gas: the iteration keeps a mass of ", mass,
              " 1/m2, expected a finite number of 0 or more.");
    for (const GasFlux& sum : given.transfers)
      for (const double value : {sum.mass, sum.momentum[0], sum.momentum[1], sum.momentum[2], sum.energy})
        require(std::isfinite(value), "gas: a transfer at the start is ", value, ", expected a finite number.");
  }

  void start(View<const Real> f, const GasClock& start_clock) {
    started = false;
    setup.ranks.agree([&] {
      load(f);
      require_clock(start_clock);
    });
    finish_start(start_clock);
  }

  void load(View<const Real> f) {
    require(f.count == setup.cells() * setup.node_count(), "gas: f has ", f.count, " elements, expected ",
            setup.cells() * setup.node_count(), ": ", setup.cells(), " cells of ", setup.node_count(), " nodes.");
    require_view(queue, "gas", "f", f, f.count);
    backend<collision::DistributionBackend<Real>>(queue).load(queue, f, setup.accepts_negative(),
                                                              stepper->memory_to_load(), start_status.device_pointer());
    queue.wait();
    if (const std::optional<std::string> fault = start_status.take()) throw Error(*fault);
    stepper->finish_load();
  }

  std::string start_fault(std::int64_t node) {
    const Real value = to_host(queue, View<const Real>(stepper->memory_to_load() + node, 1, queue.device()))[0];
    const std::int64_t cell = node / setup.node_count(), cells = own_cells().count;
    const SpeciesCell place{static_cast<std::size_t>(cell / cells), own_cells().first + cell % cells};
    return text("gas: f is ", value, " at node ", node % setup.node_count(), " of ", setup.cell_name(place),
                ", expected a finite number", setup.accepts_negative() ? "." : " of 0 or more.");
  }

  /// Cells of this rank, of each species.
  Share own_cells() const {
    return {setup.slab.first * setup.species_cells(), setup.slab.count * setup.species_cells()};
  }

  void finish_start(const GasClock& start_clock) {
    clock = start_clock;
    if (stepper->term() != nullptr) stepper->term()->set_evaluations(clock.evaluations);
    stepper->changed();
    stepper->hold_mass({clock.steady_mass, clock.second_steady_mass});
    started = true;
  }

  void count_evaluations() {
    if (stepper->term() != nullptr) clock.evaluations = stepper->term()->evaluations();
  }

  void advance_to(double end, const Observer& observer) {
    setup.ranks.agree([&] {
      require_started();
      require(std::isfinite(end) && end >= clock.time, "gas: cannot advance to ", end, " s, the time is ", clock.time,
              " s.");
    });
    if (clock.time < end) {
      clock.steady_mass = clock.second_steady_mass = 0;
      stepper->hold_mass({});
    }
    while (clock.time < end) {
      const double remaining = end - clock.time;
      constexpr double rounding = 1e-9;  // share of a step
      const double count =
          std::max(1.0, std::ceil(remaining / (setup.options.step_share * stepper->longest_step()) - rounding));
      stepper->take_step(remaining / count, clock.transfers);
      clock.time = count == 1 ? end : clock.time + remaining / count;
      ++clock.steps;
      count_evaluations();
      if (!observer) continue;
      wait_for_work(queue);
      if (!observer()) break;
    }
    stepper->finish_steps(clock.transfers);
  }

  SteadyResult advance_to_steady(const SteadyOptions& options, const Observer& observer) {
    setup.ranks.agree([&] {
      require_started();
      require_valid(setup, options);
    });
    return SteadyIteration<Real>(queue, setup, *stepper, clock, options).run(observer);
  }

  double free_path(const std::vector<VelocityMoments>& moments, std::size_t cell) const {
    if (!setup.mixture)
      return mean_free_path(MeanFreePath::viscosity, setup.molecules, moments[cell].density, moments[cell].temperature);
    const std::size_t cells = moments.size() / 2, place = cell % cells;
    return mean_free_path(*setup.mixture, cell / cells, {moments[place], moments[cells + place]});
  }

  /// Warning about the cell with the most collisions of a molecule that crosses it at thermal speed.
  std::vector<Warning> warnings() {
    require_started();
    std::vector<Warning> list;
    if (stepper->term() == nullptr) return list;
    const std::vector<VelocityMoments> moments = stepper->moments();
    const std::size_t cells = moments.size() / setup.species();
    double most = 0;
    std::size_t worst = 0;
    for (std::size_t cell = 0; cell < moments.size(); ++cell) {
      const double path = free_path(moments, cell);
      double width = 0;
      for (std::size_t axis = 0; axis < setup.dimensions(); ++axis)
        width = std::max(width, setup.width(axis, static_cast<std::int64_t>(cell)));
      const double paths = width / path;
      if (paths > most) most = paths, worst = cell;
    }
    if (most > 1)
      list.push_back(
          {"cell_width", most, 1,
           text("gas: ", setup.cell_name({worst / cells, static_cast<std::int64_t>(worst % cells)}), " is ", most,
                " mean free paths wide, expected at most 1: the scheme adds "
                "viscosity."),
           text("Use ", std::ceil(most), " times as many cells there.")});
    std::vector<Warning> own_warnings;
    setup.ranks.agree([&] { own_warnings = stepper->term()->warnings(stepper->f_by_species()); });
    for (Warning& warning : warnings_of_ranks(setup.ranks, std::move(own_warnings))) list.push_back(std::move(warning));
    return list;
  }
};

template <class Real>
Gas<Real>::Gas(const Queue& queue, const VelocityGrid& velocities, const std::vector<double>& faces,
               const std::array<GasBoundary, 2>& boundaries, const Molecules& molecules, const GasOptions& options,
               const Communicator& ranks)
    : plan_(Plan::make(queue, velocities, GasSetup::AxisFaces{faces}, std::vector(boundaries.begin(), boundaries.end()),
                       molecules, options, ranks)) {}
template <class Real>
Gas<Real>::Gas(const Queue& queue, const VelocityGrid& velocities, const std::array<std::vector<double>, 2>& faces,
               const std::array<GasBoundary, 4>& boundaries, const Molecules& molecules, const GasOptions& options,
               const Communicator& ranks)
    : plan_(Plan::make(queue, velocities, GasSetup::AxisFaces(faces.begin(), faces.end()),
                       std::vector(boundaries.begin(), boundaries.end()), molecules, options, ranks)) {}
template <class Real>
Gas<Real>::Gas(const Queue& queue, const VelocityGrid& velocities, const std::vector<double>& faces,
               const std::array<GasBoundary, 2>& boundaries, const Mixture& mixture, const GasOptions& options,
               const Communicator& ranks)
    : plan_(Plan::make(queue, velocities, GasSetup::AxisFaces{faces}, std::vector(boundaries.begin(), boundaries.end()),
                       mixture.species[0], options, ranks, mixture)) {}
template <class Real>
Gas<Real>::Gas(const Queue& queue, const VelocityGrid& velocities, const std::array<std::vector<double>, 2>& faces,
               const std::array<GasBoundary, 4>& boundaries, const Mixture& mixture, const GasOptions& options,
               const Communicator& ranks)
    : plan_(Plan::make(queue, velocities, GasSetup::AxisFaces(faces.begin(), faces.end()),
                       std::vector(boundaries.begin(), boundaries.end()), mixture.species[0], options, ranks,
                       mixture)) {}
template <class Real>
Gas<Real>::~Gas() = default;
template <class Real>
Gas<Real>::Gas(Gas&&) noexcept = default;
template <class Real>
Gas<Real>& Gas<Real>::operator=(Gas&&) noexcept = default;

template <class Real>
void Gas<Real>::start(const std::vector<VelocityMoments>& states) {
  plan_->start(states);
}
template <class Real>
void Gas<Real>::start(View<const Real> f, const GasClock& clock) {
  plan_->start(f, clock);
}
template <class Real>
void Gas<Real>::advance_to(double time, const Observer& observer) {
  plan_->advance_to(time, observer);
}
template <class Real>
SteadyResult Gas<Real>::advance_to_steady(const SteadyOptions& options, const Observer& observer) {
  return plan_->advance_to_steady(options, observer);
}
template <class Real>
double Gas<Real>::residual() {
  plan_->require_started();
  return plan_->stepper->residual();
}
template <class Real>
std::vector<VelocityMoments> Gas<Real>::moments() {
  plan_->require_started();
  return plan_->stepper->moments();
}
template <class Real>
std::vector<GasFlux> Gas<Real>::fluxes() {
  plan_->require_started();
  return plan_->stepper->fluxes();
}
template <class Real>
std::vector<GasFlux> Gas<Real>::side_fluxes(int side) {
  plan_->require_started();
  const auto sides = static_cast<int>(plan_->setup.sides());
  require(side >= 0 && side < sides, "gas: there is no side ", side, ", expected 0 to ", sides - 1, ".");
  return plan_->stepper->side_fluxes(static_cast<std::size_t>(side));
}
template <class Real>
const GasClock& Gas<Real>::clock() const {
  return plan_->clock;
}
template <class Real>
View<const Real> Gas<Real>::f() const {
  return plan_->stepper->f_by_species();
}
template <class Real>
Share Gas<Real>::own_cells() const {
  return plan_->own_cells();
}
template <class Real>
int Gas<Real>::species() const {
  return static_cast<int>(plan_->setup.species());
}
template <class Real>
int Gas<Real>::dimensions() const {
  return static_cast<int>(plan_->setup.dimensions());
}
template <class Real>
const std::vector<double>& Gas<Real>::faces(int axis) const {
  require(axis >= 0 && axis < dimensions(), "gas: there is no axis ", axis, " of cells, expected 0 to ",
          dimensions() - 1, ".");
  return plan_->setup.faces[static_cast<std::size_t>(axis)];
}
template <class Real>
const VelocityGrid& Gas<Real>::velocities() const {
  return plan_->setup.velocities;
}
template <class Real>
std::vector<Warning> Gas<Real>::warnings() {
  return plan_->warnings();
}

template class Gas<float>;
template class Gas<double>;

}  // namespace shoal::gas
