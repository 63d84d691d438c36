// SPDX-License-Identifier: Apache-2.0
#include "papers/neighbors/neighbors_dam_break.hpp"

#include <fmt/format.h>
#include <shoal/io/text.hpp>
#include <shoal/sph.hpp>

#include <algorithm>
#include <ostream>

#include "papers/result_csv.hpp"
#include "papers/tables.hpp"
#include "sph/physics/pairs/kernel_item.hpp"
#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

namespace {

constexpr double times[] = {0, 0.25, 0.5, 0.75, 1};  // s; the water reaches the opposite wall in between
constexpr std::int64_t max_steps = 100;              // of a measurement, in which the water moves little

sph::Case tall_column(std::int64_t particles) {
  sph::Case column = column_case(particles, 3);
  column.domain->to[2] = 4;  // m, room for water that rises at the wall
  return column;
}

SharedParticles particles_of(const sph::Solver& solver) {
  const sph::Case& simulation = solver.simulation();
  const std::vector<double> positions = solver.fields().position;
  SearchParticles particles;
  particles.radius = sph::kernel_radius(simulation.scheme.kernel) * simulation.smoothing * simulation.spacing;
  for (std::size_t i = 0; i < positions.size(); i += 3) {
    particles.x.push_back(static_cast<float>(positions[i]));
    particles.y.push_back(static_cast<float>(positions[i + 1]));
    particles.z.push_back(static_cast<float>(positions[i + 2]));
  }
  return std::make_shared<const SearchParticles>(std::move(particles));
}

/// Measures steps of a copy of the run.
Timing measure_steps(const Queue& queue, const sph::Solver& solver, const MeasureOptions& options) {
  sph::Solver copy(queue, solver.simulation(), solver.snapshot());
  const auto advance = [&](std::int64_t steps) {
    copy.advance_steps(steps);
    queue.wait();
  };
  return measure_batches(advance, {std::min(options.iterations, max_steps), options.most_seconds});
}

void write_heading(const DamBreak& dam, std::int64_t particles, double radius, std::ostream& out) {
  out << fmt::format(
      "Dam break in 3-D, {} particles, radius {:.4g} m: time of a search [ms]; below it, in steps of the solver\n"
      "({})\n",
      io::grouped(particles), radius, dam.solver);
  for (std::size_t k = 0; k < dam.names.size(); ++k) out << fmt::format("{:>4}  {}\n", k + 1, dam.names[k]);
  out << fmt::format("{:>10}{:>11}", "time [s]", "step [ms]");
  for (std::size_t k = 0; k < dam.names.size(); ++k) out << fmt::format("{:>11}", k + 1);
  out << std::endl;
}

void write_state(const DamBreakState& state, std::ostream& out) {
  const double step = state.step.milliseconds();
  out << fmt::format("{:>10}{:>11}", state.time, or_dash(step));
  for (const Timing& search : state.searches) out << fmt::format("{:>11}", or_dash(search.milliseconds()));
  out << fmt::format("\n{:>21}", "steps");
  for (const Timing& search : state.searches) out << fmt::format("{:>11}", or_dash(search.milliseconds() / step));
  out << std::endl;
}

}  // namespace

DamBreak measure_dam_break(const Queue& queue, std::int64_t particles, const std::vector<Configuration>& configurations,
                           const MeasureOptions& options, std::ostream& out) {
  sph::Solver solver(queue, tall_column(particles));
  DamBreak dam{solver.method().name + " on " + queue.name(), {}, {}, {}};
  for (const Configuration& configuration : configurations) dam.names.push_back(configuration.name);
  for (const double time : times) {
    solver.advance_to(time);
    const SharedParticles now = particles_of(solver);
    if (dam.states.empty()) write_heading(dam, now->count(), now->radius, out);
    DamBreakState state{time, now->count(), measure_steps(queue, solver, options), {}};
    for (const Configuration& configuration : configurations) {
      Timing timing;
      try {
        timing = measure(configuration.prepare(now), options);
      } catch (const Error& error) {
        dam.failures.push_back(fmt::format("{} at {} s: {}", configuration.name, time, error.what()));
      }
      state.searches.push_back(timing);
    }
    write_state(state, out);
    dam.states.push_back(std::move(state));
  }
  for (const std::string& failure : dam.failures) out << failure << '\n';
  return dam;
}

void write_dam_break(const DamBreak& dam, const std::filesystem::path& folder) {
  ResultCsv csv(folder / "dam_break.csv",
                {"configuration", "time of the run [s]", "particles", "search [ms]", "step [ms]", "search [steps]"});
  for (const DamBreakState& state : dam.states)
    for (std::size_t k = 0; k < dam.names.size(); ++k) {
      const double search = state.searches[k].milliseconds(), step = state.step.milliseconds();
      csv.append(dam.names[k], state.time, state.particles, or_nothing(search), or_nothing(step),
                 or_nothing(search / step));
    }
}

}  // namespace shoal::benchmarks
