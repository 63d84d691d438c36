// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/restart.hpp>
#include <shoal/version.hpp>

#include <sstream>

#include "core/text.hpp"
#include "io/formats/binary/hdf5.hpp"
#include "io/formats/checked_read.hpp"
#include "io/formats/file_checksum.hpp"
#include "io/formats/whole_file.hpp"

namespace shoal::io {

namespace {

constexpr std::int64_t format_version = 4;

/// Calls `visit(name, vector)` for each array of a snapshot, const or not.
template <class Snapshot, class Visit>
void for_each_array(Snapshot& snapshot, Visit visit) {
  visit("id", snapshot.id);
  visit("tag", snapshot.tag);
  constexpr const char* axis_names[] = {"x", "y", "z"};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    visit(text("coordinate_", axis_names[axis]), snapshot.coordinate[axis]);
    visit(text("velocity_", axis_names[axis]), snapshot.velocity[axis]);
  }
  visit("density_deviation", snapshot.density_deviation);
  visit("stress", snapshot.pressure_over_density2);
  visit("energy", snapshot.energy);
  visit("smoothing_length", snapshot.smoothing_length);
  visit("sound_speed", snapshot.sound_speed);
  for (std::size_t axis = 0; axis < 3; ++axis)
    visit(text("earlier_velocity_", axis_names[axis]), snapshot.previous_velocity[axis]);
  visit("earlier_density_deviation", snapshot.previous_density_deviation);
  visit("earlier_energy", snapshot.previous_energy);
}

/// Calls `visit(name, number)` for each number of a clock.
template <class Clock, class Visit>
void for_each_number(Clock& clock, Visit visit) {
  visit("time", clock.time);
  visit("step", clock.step);
  visit("dt", clock.dt);
  visit("next_dt", clock.next_dt);
  visit("particles", clock.particles);
  visit("lost", clock.lost);
}

/// One line "COUNT NAME" for each output file.
std::string text_of(const OutputCounts& outputs) {
  std::string lines;
  for (const auto& [name, count] : outputs) lines += text(count, ' ', name, '\n');
  return lines;
}

OutputCounts counts_of(const std::string& lines) {
  OutputCounts outputs;
  std::istringstream in(lines);
  std::int64_t count = 0;
  for (std::string name; in >> count && std::getline(in >> std::ws, name);) outputs[name] = count;
  return outputs;
}

hdf5::Handle file_of(const Restart& restart) {
  hdf5::Handle file = hdf5::create_in_memory();
  const sph::Snapshot& snapshot = restart.snapshot;
  hdf5::write_scalar_attribute(file, "format_version", format_version);
  hdf5::write_text_attribute(file, "shoal_version", std::string(version()));
  for_each_number(snapshot.clock,
                  [&](const char* name, auto value) { hdf5::write_scalar_attribute(file, name, value); });
  const auto write_array = [&]<class T>(const std::string& name, const std::vector<T>& values) {
    const hsize_t chunk = std::min<hsize_t>(values.size() + 1, 1 << 16);
    hdf5::Rows(file, name, {hdf5::type_of<T>(), 0, chunk}).append(values);
  };
  for_each_array(snapshot, write_array);
  write_array("case", std::vector<std::uint8_t>(restart.case_text.begin(), restart.case_text.end()));
  const std::string outputs = text_of(restart.outputs);
  write_array("outputs", std::vector<std::uint8_t>(outputs.begin(), outputs.end()));
  return file;
}

void require_consistent(const Restart& restart, const std::string& name) {
  const std::size_t particles = restart.snapshot.id.size();  // includes particles that left the domain
  for_each_array(restart.snapshot, [&](const std::string& array, const auto& values) {
    const bool is_whole = values.size() == particles || values.empty();
    require(is_whole, name, ": this restart file is damaged: `", array, "` has ", values.size(), " values for ",
            particles, " particles. Take an earlier restart, or run the case again.");
  });
}

std::string read_characters(const hdf5::Handle& file, const std::string& dataset) {
  const auto characters = hdf5::Rows(file, dataset).read<std::uint8_t>();
  return {characters.begin(), characters.end()};
}

/// Content of a file that exists.
Restart read_content(const std::filesystem::path& file) {
  const std::string name = file.string();
  const hdf5::Quiet quiet;
  try {
    require_checksum(file);
    const hdf5::Handle in = hdf5::open_for_reading(file);
    const auto format = hdf5::read_scalar_attribute<std::int64_t>(in, "format_version");
    require(format == format_version, name, ": this restart file has format ", format, ", this version of shoal (",
            version(), ") reads ", format_version, ". Resume with the shoal that wrote it, ",
            hdf5::read_text_attribute(in, "shoal_version"), ".");
    Restart restart;
    for_each_number(restart.snapshot.clock,
                    [&]<class T>(const char* key, T& value) { value = hdf5::read_scalar_attribute<T>(in, key); });
    for_each_array(restart.snapshot, [&]<class T>(const std::string& array, std::vector<T>& values) {
      values = hdf5::Rows(in, array).template read<T>();
    });
    restart.case_text = read_characters(in, "case");
    restart.outputs = counts_of(read_characters(in, "outputs"));
    require_consistent(restart, name);
    return restart;
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.starts_with(name + ": this")) throw;
    const std::string reason = message.starts_with(name + ": ") ? message.substr(name.size() + 2) : message;
    throw Error(text(name, ": this is no whole restart file (truncated, or of another kind): ", reason));
  }
}

}  // namespace

void write_restart(const std::filesystem::path& file, const Restart& restart) {
  const hdf5::Quiet quiet;
  try {
    const hdf5::Handle content = file_of(restart);
    const std::span<const char> image = hdf5::image_of(content);
    write_whole(file, [&](const std::filesystem::path& partial) { write_with_checksum(partial, image); });
  } catch (const std::exception& error) {
    throw Error(text(file.string(), ": writing the restart failed: ", error.what()));
  }
}

Restart read_restart(const std::filesystem::path& file) {
  require(std::filesystem::is_regular_file(file), file.string(), ": there is no such restart file.");
  return checked_read(file, [&] { return read_content(file); });
}

}  // namespace shoal::io
