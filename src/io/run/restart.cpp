// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/restart.hpp>
#include <shoal/version.hpp>

#include <algorithm>
#include <exception>
#include <sstream>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"
#include "io/formats/binary/hdf5.hpp"
#include "io/formats/checked_read.hpp"
#include "io/formats/file_checksum.hpp"
#include "io/formats/whole_file.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/ranks/rank_rows.hpp"

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

std::vector<RowArray> arrays_of(const sph::Snapshot& snapshot) {
  std::vector<RowArray> arrays;
  for_each_array(snapshot, [&]<class T>(const std::string& name, const std::vector<T>& values) {
    const auto count = static_cast<std::int64_t>(values.size());
    arrays.push_back({name, values.data(), sizeof(T), count, &hdf5::type_of<T>});
  });
  return arrays;
}

/// Creates a dataset of `count` values. Its chunks have at most 65536.
hdf5::Rows create_array(hid_t file, const std::string& name, hid_t type, std::int64_t count, bool is_shared) {
  const hsize_t chunk = std::min<hsize_t>(static_cast<hsize_t>(count) + 1, 1 << 16);
  hdf5::Rows array(file, name, {.type = type, .chunk_rows = chunk, .is_shared = is_shared});
  array.grow(static_cast<hsize_t>(count));
  return array;
}

void write_characters(hid_t file, const std::string& name, const std::string& characters) {
  const auto count = static_cast<std::int64_t>(characters.size());
  const hdf5::Rows array = create_array(file, name, H5T_NATIVE_UINT8, count, false);
  if (count > 0) array.write(characters.data(), H5T_NATIVE_UINT8, 0, characters.size());
}

/// Writes an array piece by piece.
void write_pieces(const hdf5::Rows& array, const std::string& name, hid_t type, RankRows& rows) {
  hsize_t first = 0;
  rows.for_each_piece(name, [&](const void* values, std::int64_t piece) {
    const auto count = static_cast<hsize_t>(piece);
    array.write(values, type, first, count);
    first += count;
  });
}

/// Writes everything, or everything but the values of arrays, for which all ranks write the targets that it returns.
std::vector<SharedTarget> write_content(hid_t file, const Restart& restart, RankRows& rows, bool is_shared) {
  const sph::Snapshot& snapshot = restart.snapshot;
  std::vector<SharedTarget> targets;
  hdf5::write_scalar_attribute(file, "format_version", format_version);
  hdf5::write_text_attribute(file, "shoal_version", std::string(version()));
  for_each_number(snapshot.clock,
                  [&](const char* name, auto value) { hdf5::write_scalar_attribute(file, name, value); });
  for_each_array(snapshot, [&]<class T>(const std::string& name, const std::vector<T>&) {
    const std::int64_t count = rows.count(name);
    const hdf5::Rows array = create_array(file, name, hdf5::type_of<T>(), count, true);
    if (!is_shared)
      write_pieces(array, name, hdf5::type_of<T>(), rows);
    else if (count > 0)
      targets.push_back({.array = name, .dataset = name});
  });
  write_characters(file, "case", restart.case_text);
  write_characters(file, "outputs", text_of(restart.outputs));
  return targets;
}

void write_file(const std::filesystem::path& file, const Restart& restart, RankRows& rows) {
  const hdf5::Quiet quiet;
  write_whole(file, [&](const std::filesystem::path& partial) {
    const bool is_shared = rows.can_share(partial);
    std::vector<SharedTarget> targets;
    {
      const hdf5::Handle content = hdf5::create_journaled(partial);
      targets = write_content(content, restart, rows, is_shared);
      hdf5::finish_journaled(content);
    }
    if (!is_shared) return append_checksum(partial);
    rows.write_shared(partial, targets);
    append_checksum(partial, rows.crc_of_shared(partial));
  });
}

std::string read_characters(const hdf5::Handle& file, const std::string& dataset) {
  const auto characters = hdf5::Rows(file, dataset).read<std::uint8_t>();
  return {characters.begin(), characters.end()};
}

/// Restart file that one rank reads for all ranks.
struct OpenRestart {
  std::filesystem::path name;
  hdf5::Handle file;
  Restart content;                   ///< everything but the arrays
  std::vector<std::int64_t> counts;  ///< numbers of values of the arrays
};

/// Numbers of values of the arrays: that of the particles, also of those that left the domain, or 0.
std::vector<std::int64_t> counts_in(const hdf5::Handle& file, const std::string& name) {
  std::vector<std::int64_t> counts;
  const sph::Snapshot names;
  for_each_array(names, [&](const std::string& array, const auto&) {
    const auto count = static_cast<std::int64_t>(hdf5::Rows(file, array).count());
    counts.push_back(count);
    require(count == counts.front() || count == 0, name, ": this restart file is damaged: `", array, "` has ", count,
            " values for ", counts.front(), " particles. Take an earlier restart, or run the case again.");
  });
  return counts;
}

/// Returns `read()`. Errors of HDF5 become an error that names the file.
template <class Read>
auto reading(const std::filesystem::path& file, const Read& read) {
  const std::string name = file.string();
  const hdf5::Quiet quiet;
  try {
    return checked_read(file, read);
  } catch (const OutOfMemory&) {
    throw;
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.starts_with(name + ": this")) throw;
    const std::string reason = message.starts_with(name + ": ") ? message.substr(name.size() + 2) : message;
    throw Error(text(name, ": this is no whole restart file (truncated, or of another kind): ", reason));
  }
}

OpenRestart open_content(const std::filesystem::path& file) {
  const std::string name = file.string();
  OpenRestart restart;
  restart.name = file;
  require_checksum(file);
  restart.file = hdf5::open_for_reading(file);
  const hdf5::Handle& in = restart.file;
  const auto format = hdf5::read_scalar_attribute<std::int64_t>(in, "format_version");
  require(format == format_version, name, ": this restart file has format ", format, ", this version of shoal (",
          version(), ") reads ", format_version, ". Resume with the shoal that wrote it, ",
          hdf5::read_text_attribute(in, "shoal_version"), ".");
  for_each_number(restart.content.snapshot.clock,
                  [&]<class T>(const char* key, T& value) { value = hdf5::read_scalar_attribute<T>(in, key); });
  restart.counts = counts_in(in, name);
  restart.content.case_text = read_characters(in, "case");
  restart.content.outputs = counts_of(read_characters(in, "outputs"));
  return restart;
}

/// Sends everything but the arrays from rank 0 to the others.
void share_content(const Communicator& ranks, OpenRestart& restart) {
  if (ranks.size() == 1) return;
  for_each_number(restart.content.snapshot.clock,
                  [&](const char*, auto& value) { ranks.group().broadcast(&value, sizeof value, 0); });
  std::string outputs = text_of(restart.content.outputs);
  broadcast_text(ranks, outputs);
  restart.content.outputs = counts_of(outputs);
  broadcast_text(ranks, restart.content.case_text);
  std::uint64_t arrays = restart.counts.size();
  ranks.group().broadcast(&arrays, sizeof arrays, 0);
  restart.counts.resize(arrays);
  ranks.group().broadcast(restart.counts.data(), arrays * sizeof(std::int64_t), 0);
}

/// First row of a rank of `size` ranks that share `count` rows.
std::int64_t first_row(std::int64_t count, int rank, int size) { return count * rank / size; }

/// Rows [first, first + count) of an array.
template <class T>
std::vector<T> rows_in(const OpenRestart& restart, const std::string& array, std::int64_t first, std::int64_t count) {
  return reading(restart.name, [&] {
    return hdf5::Rows(restart.file, array).read<T>(static_cast<hsize_t>(first), static_cast<hsize_t>(count));
  });
}

/// The same; zeros if they cannot be read, with the error in `failure`.
template <class T>
std::vector<T> rows_or_zeros(const OpenRestart& restart, const std::string& array, std::int64_t first,
                             std::int64_t count, std::exception_ptr& failure) {
  try {
    return rows_in<T>(restart, array, first, count);
  } catch (...) {
    failure = std::current_exception();
    return std::vector<T>(static_cast<std::size_t>(count));
  }
}

/// Sends the values of one rank from rank 0, piece by piece. All ranks call it, because all take part in each exchange.
/// @param values  memory for the values on that rank
template <class T>
void send_rows(const Communicator& ranks, const OpenRestart& restart, const std::string& array, int receiver,
               std::int64_t begin, std::int64_t end, T* values, std::exception_ptr& failure) {
  for (std::int64_t first = begin; first < end; first += RankRows::most_rows) {
    const std::int64_t count = std::min(RankRows::most_rows, end - first);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(T);
    std::vector<T> piece;
    std::vector<SentPiece> sent;
    std::vector<ReceivedPiece> received;
    if (ranks.rank() == 0) {
      piece = rows_or_zeros<T>(restart, array, first, count, failure);
      sent.push_back({piece.data(), bytes, receiver});
    } else if (ranks.rank() == receiver) {
      received.push_back({values + (first - begin), bytes, 0});
    }
    ranks.group().exchange(sent, received);
  }
}

/// Reads an array of `total` values: each rank gets its part.
template <class T>
void read_array(const Communicator& ranks, const OpenRestart& restart, const std::string& array, std::int64_t total,
                std::vector<T>& values) {
  const auto first = [&](int rank) { return first_row(total, rank, ranks.size()); };
  std::exception_ptr failure;
  ranks.agree([&] {
    if (ranks.rank() == 0)
      values = rows_in<T>(restart, array, 0, first(1));
    else
      values.resize(static_cast<std::size_t>(first(ranks.rank() + 1) - first(ranks.rank())));
  });
  for (int rank = 1; rank < ranks.size(); ++rank)
    send_rows(ranks, restart, array, rank, first(rank), first(rank + 1), values.data(), failure);
  ranks.agree([&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace

void write_restart(const std::filesystem::path& file, const Restart& restart, const Communicator& ranks) {
  RankRows rows(ranks, arrays_of(restart.snapshot));
  rows.read([&] {
    try {
      write_file(file, restart, rows);
    } catch (const std::exception& error) {
      throw Error(text(file.string(), ": writing the restart failed: ", error.what()));
    }
  });
}

Restart read_restart(const std::filesystem::path& file, const Communicator& ranks) {
  OpenRestart restart;
  ranks.agree([&] {
    if (ranks.rank() != 0) return;
    require(std::filesystem::is_regular_file(file), file.string(), ": there is no such restart file.");
    restart = reading(file, [&] { return open_content(file); });
  });
  share_content(ranks, restart);
  auto count = restart.counts.begin();
  for_each_array(restart.content.snapshot, [&]<class T>(const std::string& array, std::vector<T>& values) {
    read_array(ranks, restart, array, *count++, values);
  });
  sph::Snapshot& snapshot = restart.content.snapshot;
  snapshot.total = restart.counts.front();  // of the ids, the first array
  snapshot.first = first_row(snapshot.total, ranks.rank(), ranks.size());
  return std::move(restart.content);
}

}  // namespace shoal::io
