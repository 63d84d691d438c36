// SPDX-License-Identifier: Apache-2.0
#include "io/run/restart/restart_file.hpp"

#include <shoal/version.hpp>

#include <algorithm>
#include <sstream>

#include "io/formats/file_checksum.hpp"
#include "io/run/ranks/first_rank.hpp"

namespace shoal::io {

namespace {

constexpr std::int64_t format_version = 10;

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

void write_characters(hid_t file, const std::string& name, const std::string& characters) {
  const auto count = static_cast<std::int64_t>(characters.size());
  const hdf5::Rows array = create_restart_array(file, name, H5T_NATIVE_UINT8, count, false);
  if (count > 0) array.write(characters.data(), H5T_NATIVE_UINT8, 0, characters.size());
}

std::string read_characters(const hdf5::Handle& file, const std::string& dataset) {
  const auto characters = hdf5::Rows(file, dataset).read<std::uint8_t>();
  return {characters.begin(), characters.end()};
}

RestartFile open_on_first_rank(const std::filesystem::path& file) {
  const std::string name = file.string();
  require_checksum(file);
  RestartFile restart{file, hdf5::open_for_reading(file), {}, {}};
  const hdf5::Handle& in = restart.content;
  const auto format = hdf5::read_scalar_attribute<std::int64_t>(in, "format_version");
  require(format == format_version, name, ": this restart file has format ", format, ", this version of shoal (",
          version(), ") reads ", format_version, ". Resume with the shoal that wrote it, ",
          hdf5::read_text_attribute(in, "shoal_version"), ".");
  restart.case_text = read_characters(in, "case");
  restart.outputs = counts_of(read_characters(in, "outputs"));
  return restart;
}

}  // namespace

void write_restart_head(hid_t file) {
  hdf5::write_scalar_attribute(file, "format_version", format_version);
  hdf5::write_text_attribute(file, "shoal_version", std::string(version()));
}

hdf5::Rows create_restart_array(hid_t file, const std::string& name, hid_t type, std::int64_t count, bool is_shared) {
  const hsize_t chunk = std::min<hsize_t>(static_cast<hsize_t>(count) + 1, 1 << 16);
  hdf5::Rows array(file, name, {.type = type, .chunk_rows = chunk, .is_shared = is_shared});
  array.grow(static_cast<hsize_t>(count));
  return array;
}

void write_restart_tail(hid_t file, const std::string& case_text, const OutputCounts& outputs) {
  write_characters(file, "case", case_text);
  write_characters(file, "outputs", text_of(outputs));
}

RestartFile open_restart(const std::filesystem::path& file, const Communicator& ranks) {
  RestartFile restart{file, {}, {}, {}};
  on_first_rank(ranks, [&] {
    require(std::filesystem::is_regular_file(file), file.string(), ": there is no such restart file.");
    restart = reading_restart(file, [&] { return open_on_first_rank(file); });
  });
  if (ranks.size() == 1) return restart;
  std::string outputs = text_of(restart.outputs);
  broadcast_text(ranks, outputs);
  restart.outputs = counts_of(outputs);
  broadcast_text(ranks, restart.case_text);
  return restart;
}

}  // namespace shoal::io
