// SPDX-License-Identifier: Apache-2.0
#include "papers/sph/sph_tables.hpp"

#include <fmt/format.h>
#include <shoal/io/stopwatch.hpp>
#include <shoal/io/text.hpp>

#include <algorithm>
#include <iostream>
#include <limits>
#include <numeric>
#include <span>

#include "support/sph_cases.hpp"

namespace shoal::benchmarks {

namespace {

/// Method of the measurements on one CPU core: the one with the paper's list, as in the paper.
constexpr const char* core_method = "list";
constexpr const char* one_core = "one CPU core";

/// Table 1 or 3.
struct TimesTable {
  const char* file;
  const char* title;
  std::span<const PaperSphCase> cases;
  sph::Case (*make)(int size);
};

/// Measured steps of a case, scaled to all of its steps.
struct ScaledTiming {
  SphTiming timing;
  std::int64_t steps = 0;  ///< number of steps of the whole case

  double seconds() const { return timing.step_seconds() * static_cast<double>(steps); }
  bool is_whole() const { return timing.steps.iterations == steps; }
};

/// Prints and writes the rows of one table.
class TimesRows {
 public:
  TimesRows(const SphTables& tables, const TimesTable& table)
      : csv_(tables.file(table.file, {"case", "scheme", "particles", "steps", "paper core [s]", "paper GPU [s]",
                                      "paper speed-up", "device", "method", "measured steps", "measured [s]",
                                      "scaled to all steps [s]", "speed-up over one core"})) {
    std::cout << fmt::format(
        "\n{}: seconds of all steps; the paper's on one core of a Xeon and on a Tesla C1060\n"
        "{:<18}{:<8}{:>10}{:>8}{:>11}{:>11}{:>11}  {:<14}{:<14}{:>10}{:>15}\n",
        table.title, "case", "scheme", "particles", "steps", "paper core", "paper GPU", "speed-up", "device", "method",
        "s", "over one core");
  }

  /// @param core_seconds  time of all steps on one core, s; NaN: not known
  void append(const PaperSphCase& paper, const PaperSphScheme& scheme, const char* device, const ScaledTiming& scaled,
              double core_seconds) {
    const SphTiming& timing = scaled.timing;
    if (!timing.failure.empty()) {
      std::cout << fmt::format("{:<18}{:<8}{} {} {}\n", paper.name, scheme.name, device, timing.method, timing.failure);
      return;
    }
    const double speed_up = core_seconds / scaled.seconds();
    std::cout << fmt::format("{:<18}{:<8}{:>10}{:>8}{:>11}{:>11}{:>11}  {:<14}{:<14}{:>10.4g}{:>15.4g}", paper.name,
                             scheme.name, io::grouped(timing.particles), io::grouped(paper.steps), paper.cpu, paper.gpu,
                             paper.speed_up, device, timing.method, scaled.seconds(), speed_up)
              << (scaled.is_whole() ? std::string()
                                    : fmt::format("   scaled from {} steps", io::grouped(timing.steps.iterations)))
              << std::endl;
    if (csv_)
      csv_->append(paper.name, scheme.name, timing.particles, paper.steps, paper.cpu, paper.gpu, paper.speed_up, device,
                   timing.method, timing.steps.iterations, timing.steps.seconds, scaled.seconds(), speed_up);
  }

 private:
  std::optional<ResultCsv> csv_;
};

void measure_case(const SphTables& tables, const PaperSphCase& paper, const PaperSphScheme& scheme,
                  const sph::Case& simulation, TimesRows& rows) {
  const std::int64_t steps = tables.most_steps > 0 ? std::min(tables.most_steps, paper.steps) : paper.steps;
  const Queue core = Queue::cpu(1);
  const ScaledTiming on_core{measure_sph(core, simulation, core_method, {steps, tables.core_seconds}), paper.steps};
  const double core_seconds =
      on_core.timing.failure.empty() ? on_core.seconds() : std::numeric_limits<double>::quiet_NaN();
  rows.append(paper, scheme, one_core, on_core, core_seconds);
  const std::string device = tables.queue.on_cpu() ? fmt::format("{} CPU threads", tables.queue.threads()) : "GPU";
  for (const std::string& method : tables.methods)
    rows.append(paper, scheme, device.c_str(), {measure_sph(tables.queue, simulation, method, {steps, 0}), paper.steps},
                core_seconds);
}

const PaperSphCase& profiled_case(const SphTables& tables) {
  return paper_dam_breaks[static_cast<std::size_t>(tables.cases.back() - 1)];
}

/// Run whose kernels are measured.
struct ProfiledRun {
  const PaperSphScheme& scheme;
  bool energy;  ///< the case integrates energy, so that the kernel of energy runs
};

void measure_profile(const SphTables& tables, const ProfiledRun& run, const std::string& method,
                     std::optional<ResultCsv>& csv) {
  constexpr std::int64_t most_steps = 100;
  sph::Case dam = run.scheme.apply(dam_break_case(profiled_case(tables).size));
  dam.method = method;
  dam.scheme.energy = run.energy;
  sph::Solver solver(tables.queue, dam);
  const io::Stopwatch watch;
  const std::vector<sph::KernelProfile> kernels = solver.profile(
      most_steps, std::numeric_limits<double>::infinity(),
      [&](const sph::Clock&) { return tables.most_seconds <= 0 || watch.seconds() < tables.most_seconds; });
  const auto steps = static_cast<double>(solver.clock().step);
  const double total = std::accumulate(kernels.begin(), kernels.end(), 0.0,
                                       [](double sum, const sph::KernelProfile& k) { return sum + k.seconds; });
  const char* energy = run.energy ? "yes" : "no";
  for (const sph::KernelProfile& k : kernels) {
    const double share = k.seconds / total, us = 1e6 * k.seconds / steps;
    const double launches = static_cast<double>(k.launches) / steps;
    std::cout << fmt::format("{:<8}{:<8}{:<14}{:<24}{:>8.1f}%{:>12.3g}{:>10.3g}", run.scheme.name, energy, method,
                             k.name, 100 * share, us, launches)
              << (k.registers > 0 ? fmt::format("{:>9}{:>11}{:>10.0f}%\n", k.threads, k.registers, 100 * k.occupancy)
                                  : "\n");
    if (csv)
      csv->append(run.scheme.name, energy, method, k.name, share, us, launches, k.threads, k.registers, k.occupancy);
  }
}

}  // namespace

void measure_times(const SphTables& tables) {
  const TimesTable dam_breaks{"table1", "Table 1, dam break", paper_dam_breaks, dam_break_case};
  const TimesTable pressure_waves{"table3", "Table 3, pressure wave", paper_pressure_waves, pressure_wave_case};
  for (const TimesTable& table : {dam_breaks, pressure_waves}) {
    TimesRows rows(tables, table);
    for (const int number : tables.cases) {
      const PaperSphCase& paper = table.cases[static_cast<std::size_t>(number - 1)];
      for (const PaperSphScheme& scheme : paper_sph_schemes())
        measure_case(tables, paper, scheme, scheme.apply(table.make(paper.size)), rows);
    }
  }
}

void measure_profiles(const SphTables& tables) {
  std::cout << fmt::format(
      "\nTable 2: where the time of a step goes, {}. The paper, with 256 threads in all kernels:\n"
      "balanceMassMomentum 63.71 %, updateList 20.8 %, updateParticles 3.54 %, balanceEnergy 0.53 %.\n"
      "{:<8}{:<8}{:<14}{:<24}{:>9}{:>12}{:>10}{:>9}{:>11}{:>11}\n",
      profiled_case(tables).name, "scheme", "energy", "method", "kernel", "share", "us a step", "launches", "threads",
      "registers", "occupancy");
  std::optional<ResultCsv> csv =
      tables.file("table2", {"scheme", "energy", "method", "kernel", "share", "time a step [us]", "launches a step",
                             "threads a block", "registers", "occupancy"});
  const PaperSphScheme &paper = paper_sph_schemes()[0], &shoal = paper_sph_schemes()[1];
  for (const ProfiledRun& run : {ProfiledRun{paper, false}, ProfiledRun{paper, true}, ProfiledRun{shoal, false}})
    for (const std::string& method : tables.methods) measure_profile(tables, run, method, csv);
}

}  // namespace shoal::benchmarks
