// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gmock/gmock.h>
#include <shoal/io/restart.hpp>
#include <shoal/io/run.hpp>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "io/formats/binary/hdf5.hpp"
#include "io/run/sample_state.hpp"
#include "support/messages.hpp"
#include "support/scratch_folder.hpp"

namespace shoal::testing_support {

/// Simulation with steps of at most 0.03 s, in which every value is a function of time.
class ScriptedSimulation : public io::Simulation {
 public:
  std::int64_t particles = 10;
  double unstable_at = 1e9, loses_one_at = 1e9, speed = 1;
  double softness = 0;        ///< root mean square of the density change at 1 s
  double watts_a_second = 0;  ///< rate of change of the power of walls in W/s

  void advance_to(double time, const sph::Solver::Observer& observer) override {
    while (clock_.time < time) {
      const double dt = std::min(0.03, time - clock_.time);
      if (clock_.time + dt > unstable_at) throw Error("sph: unstable: particle 3 moves 3.1 m/step.");
      const bool ends_here = clock_.time + 0.03 >= time;
      clock_.time = ends_here ? time : clock_.time + dt;
      clock_.dt = dt;
      ++clock_.step;
      if (!observer(clock())) return;
    }
  }
  sph::Clock clock() const override {
    sph::Clock now = clock_;
    now.lost = now.time >= loses_one_at ? 1 : 0;
    now.particles = particles - now.lost;
    return now;
  }
  sph::Fields fields() const override {
    std::vector<std::int64_t> ids(static_cast<std::size_t>(clock().particles));
    std::iota(ids.begin(), ids.end(), 0);
    sph::Fields now = sample_fields(clock_.time, ids);
    now.clock = clock();
    return now;
  }
  sph::Balance balance() const override {
    sph::Balance now;
    now.clock = clock();
    now.mass = 100.0 * static_cast<double>(clock().particles);
    now.kinetic = now.mass * speed * speed / 2;
    now.momentum = {now.mass * speed, 0, 0};
    now.density_error = softness * clock_.time;
    now.wall_power = watts_a_second * clock_.time;
    now.added = 3;
    now.removed = 1.5;
    return now;
  }
  std::vector<double> measure(const std::vector<sph::Probe>& probes) const override {
    std::vector<double> values;
    for (const sph::Probe& probe : probes)
      values.push_back(probe.kind == sph::ProbeKind::surge_front ? 9 + clock_.time : 1000 * clock_.time);
    return values;
  }
  sph::Snapshot snapshot() const override {
    sph::Snapshot now = random_snapshot(static_cast<std::size_t>(clock().particles));
    now.clock = clock();
    return now;
  }
  void continue_from(const sph::Clock& clock) { clock_ = clock; }

 private:
  sph::Clock clock_;
};

inline sph::Case case_with_probes() {
  sph::Case simulation = sample_case();
  simulation.probes = {{"front", sph::ProbeKind::surge_front, {}, 0.1}, {"gauge", sph::ProbeKind::pressure, {}, 0}};
  return simulation;
}

/// Fixture that runs the scripted simulation and reads the output.
struct RunTest : testing::Test {
  ScratchFolder folder;
  ScriptedSimulation simulation;
  sph::Case description = case_with_probes();
  io::RunOptions options{.folder = folder.path(), .device = "cpu"};

  io::RunReport run_it() { return io::run(simulation, description, options); }
  std::filesystem::path file(const std::string& name) const { return folder / name; }
  std::string text_of(const std::string& name) const { return read_text(file(name)); }

  std::vector<double> field_times() const {
    const io::hdf5::Handle in = io::hdf5::open_for_reading(file("fields.vtkhdf"));
    return io::hdf5::Rows(in, "VTKHDF/Steps/Values").read<double>();
  }
  /// First column of a table.
  std::vector<double> times_in(const std::string& name) const {
    std::istringstream in(text_of(name));
    std::vector<double> times;
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) times.push_back(std::stod(line));
    return times;
  }
};

}  // namespace shoal::testing_support
