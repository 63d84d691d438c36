// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/gas.hpp>

#include <array>

#include "io/formats/file_checksum.hpp"
#include "io/formats/whole_file.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/restart/gas_restart.hpp"

namespace shoal::io::gas {

namespace {

constexpr const char* distribution = "distribution";

/// Calls `visit(name, number)` for each number of a clock, const or not.
template <class Clock, class Visit>
void for_each_number(Clock& clock, Visit visit) {
  visit("time", clock.time);
  visit("steps", clock.steps);
  visit("iterations", clock.iterations);
  visit("evaluations", clock.evaluations);
  visit("steady_mass", clock.steady_mass);
  visit("second_steady_mass", clock.second_steady_mass);
  constexpr std::array sides = {"left",        "right",        "bottom",        "top",
                                "second_left", "second_right", "second_bottom", "second_top"};
  for (std::size_t side = 0; side < sides.size(); ++side) {
    auto& sum = clock.transfers[side];
    const auto visit_sum = [&](const char* quantity, auto& value) {
      visit(text(sides[side], '_', quantity).c_str(), value);
    };
    visit_sum("mass", sum.mass);
    visit_sum("momentum_x", sum.momentum[0]);
    visit_sum("momentum_y", sum.momentum[1]);
    visit_sum("momentum_z", sum.momentum[2]);
    visit_sum("energy", sum.energy);
  }
}

void write_content(hid_t file, const Restart& restart) {
  write_restart_head(file);
  for_each_number(restart.clock,
                  [&](const char* name, auto value) { hdf5::write_scalar_attribute(file, name, value); });
  hdf5::write_scalar_attribute<std::int64_t>(file, "finished", restart.finished ? 1 : 0);
  std::visit(
      [&]<class Real>(const std::vector<Real>& f) {
        const hid_t type = hdf5::type_of<Real>();
        const auto count = static_cast<std::int64_t>(f.size());
        const hdf5::Rows array = create_restart_array(file, distribution, type, count, false);
        if (count > 0) array.write(f.data(), type, 0, f.size());
      },
      restart.f);
  write_restart_tail(file, restart.case_text, restart.outputs);
}

/// Clock and f of a restart.
Restart state_of(const RestartFile& file) {
  const hdf5::Handle& in = file.content;
  Restart restart;
  for_each_number(restart.clock,
                  [&]<class T>(const char* name, T& value) { value = hdf5::read_scalar_attribute<T>(in, name); });
  restart.finished = hdf5::read_scalar_attribute<std::int64_t>(in, "finished") != 0;
  const hdf5::Rows f(in, distribution);
  if (f.is_single_precision())
    restart.f = f.read<float>();
  else
    restart.f = f.read<double>();
  return restart;
}

}  // namespace

void write_restart(const std::filesystem::path& file, const Restart& restart) {
  const hdf5::Quiet quiet;
  writing_restart(file, [&] {
    write_whole(file, [&](const std::filesystem::path& partial) {
      {
        const hdf5::Handle content = hdf5::create_journaled(partial);
        write_content(content, restart);
        hdf5::finish_journaled(content);
      }
      append_checksum(partial);
    });
  });
}

Restart read_restart(const std::filesystem::path& file) {
  return gas::read_restart(open_restart(file), Communicator::alone());
}

Restart read_restart(const RestartFile& file, const Communicator& ranks) {
  Restart restart;
  on_first_rank(ranks, [&] { restart = reading_restart(file.name, [&] { return state_of(file); }); });
  ranks.group().broadcast(&restart.clock, sizeof restart.clock, 0);
  ranks.group().broadcast(&restart.finished, sizeof restart.finished, 0);
  std::uint64_t is_single = std::holds_alternative<std::vector<float>>(restart.f) ? 1 : 0;
  ranks.group().broadcast(&is_single, sizeof is_single, 0);
  if (ranks.rank() > 0 && is_single == 0) restart.f = std::vector<double>();
  restart.case_text = file.case_text;
  restart.outputs = file.outputs;
  return restart;
}

}  // namespace shoal::io::gas
