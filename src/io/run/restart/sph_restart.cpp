// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/restart.hpp>

#include <algorithm>
#include <exception>

#include "core/communication/rank_group.hpp"
#include "core/text.hpp"
#include "io/formats/binary/hdf5.hpp"
#include "io/formats/file_checksum.hpp"
#include "io/formats/whole_file.hpp"
#include "io/run/ranks/first_rank.hpp"
#include "io/run/ranks/rank_rows.hpp"
#include "io/run/restart/restart_file.hpp"

namespace shoal::io {

namespace {

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
  visit("viscosity", snapshot.viscosity);
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

/// Calls `visit(name, number)` for each number of the changes by programs.
template <class Changes, class Visit>
void for_each_number_of_changes(Changes& changes, Visit visit) {
  visit("particles_added", changes.added);
  visit("particles_removed", changes.removed);
  visit("mass_added", changes.added_mass);
}

/// Calls `visit(name, number)` for each number of rigid body k.
template <class Body, class Visit>
void for_each_number(Body& body, std::size_t k, Visit visit) {
  const auto each = [&](const char* name, auto& vector) {
    for (std::size_t i = 0; i < vector.size(); ++i) visit(text("rigid_body_", k, "_", name, "_", i), vector[i]);
  };
  each("center", body.center);
  each("velocity", body.velocity);
  each("rotation", body.rotation);
  each("angular_momentum", body.angular_momentum);
  each("earlier_velocity", body.previous_velocity);
  each("earlier_angular_momentum", body.previous_angular_momentum);
}

void write_rigid_bodies(hid_t file, const std::vector<sph::RigidBodyState>& bodies) {
  hdf5::write_scalar_attribute(file, "rigid_bodies", static_cast<std::int64_t>(bodies.size()));
  for (std::size_t k = 0; k < bodies.size(); ++k)
    for_each_number(bodies[k], k, [&](const std::string& name, double value) {
      hdf5::write_scalar_attribute(file, name.c_str(), value);
    });
}

/// Number of parts of which a file has a state each.
std::size_t count_of(const RestartFile& file, const char* name, const char* parts) {
  constexpr std::int64_t most = 256;  // far above what a case may have
  const auto count = hdf5::read_scalar_attribute<std::int64_t>(file.content, name);
  require(count >= 0 && count <= most, file.name.string(), ": this restart file is damaged: it has ", count, " ", parts,
          ". Take an earlier restart, or run the case again.");
  return static_cast<std::size_t>(count);
}

std::vector<sph::RigidBodyState> read_rigid_bodies(const RestartFile& file) {
  std::vector<sph::RigidBodyState> bodies(count_of(file, "rigid_bodies", "rigid bodies"));
  for (std::size_t k = 0; k < bodies.size(); ++k)
    for_each_number(bodies[k], k, [&](const std::string& name, double& value) {
      value = hdf5::read_scalar_attribute<double>(file.content, name.c_str());
    });
  return bodies;
}

/// Calls `visit(name, number)` for each number of the active absorption of paddle k.
template <class State, class Visit>
void for_each_number_of_paddle(State& paddle, std::size_t k, Visit visit) {
  visit(text("absorption_", k, "_displacement"), paddle.displacement);
  visit(text("absorption_", k, "_velocity"), paddle.velocity);
  visit(text("absorption_", k, "_acceleration"), paddle.acceleration);
  visit(text("absorption_", k, "_still_level"), paddle.still_level);
}

void write_absorption(hid_t file, const std::vector<sph::AbsorptionState>& paddles) {
  hdf5::write_scalar_attribute(file, "absorption", static_cast<std::int64_t>(paddles.size()));
  for (std::size_t k = 0; k < paddles.size(); ++k)
    for_each_number_of_paddle(paddles[k], k, [&](const std::string& name, double value) {
      hdf5::write_scalar_attribute(file, name.c_str(), value);
    });
}

std::vector<sph::AbsorptionState> read_absorption(const RestartFile& file) {
  std::vector<sph::AbsorptionState> paddles(count_of(file, "absorption", "wavemakers with absorption"));
  for (std::size_t k = 0; k < paddles.size(); ++k)
    for_each_number_of_paddle(paddles[k], k, [&](const std::string& name, double& value) {
      value = hdf5::read_scalar_attribute<double>(file.content, name.c_str());
    });
  return paddles;
}

std::vector<RowArray> arrays_of(const sph::Snapshot& snapshot) {
  std::vector<RowArray> arrays;
  for_each_array(snapshot, [&]<class T>(const std::string& name, const std::vector<T>& values) {
    const auto count = static_cast<std::int64_t>(values.size());
    arrays.push_back({name, values.data(), sizeof(T), count, &hdf5::type_of<T>});
  });
  return arrays;
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
  write_restart_head(file);
  for_each_number(snapshot.clock,
                  [&](const char* name, auto value) { hdf5::write_scalar_attribute(file, name, value); });
  for_each_number_of_changes(snapshot.changes,
                             [&](const char* name, auto value) { hdf5::write_scalar_attribute(file, name, value); });
  write_rigid_bodies(file, snapshot.rigid_bodies);
  write_absorption(file, snapshot.absorption);
  for_each_array(snapshot, [&]<class T>(const std::string& name, const std::vector<T>&) {
    const std::int64_t count = rows.count(name);
    const hdf5::Rows array = create_restart_array(file, name, hdf5::type_of<T>(), count, true);
    if (!is_shared)
      write_pieces(array, name, hdf5::type_of<T>(), rows);
    else if (count > 0)
      targets.push_back({.array = name, .dataset = name});
  });
  write_restart_tail(file, restart.case_text, restart.outputs);
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

/// Numbers of a restart that one rank reads for all ranks.
struct Content {
  Restart restart;                   ///< everything but the arrays
  std::vector<std::int64_t> counts;  ///< numbers of values of the arrays
};

Content content_of(const RestartFile& file) {
  Content content;
  for_each_number(content.restart.snapshot.clock, [&]<class T>(const char* key, T& value) {
    value = hdf5::read_scalar_attribute<T>(file.content, key);
  });
  for_each_number_of_changes(content.restart.snapshot.changes, [&]<class T>(const char* key, T& value) {
    value = hdf5::read_scalar_attribute<T>(file.content, key);
  });
  content.restart.snapshot.rigid_bodies = read_rigid_bodies(file);
  content.restart.snapshot.absorption = read_absorption(file);
  content.counts = counts_in(file.content, file.name.string());
  return content;
}

/// Sends states of parts from rank 0 to the others.
template <class State>
void share(const Communicator& ranks, std::vector<State>& states) {
  std::uint64_t count = states.size();
  ranks.group().broadcast(&count, sizeof count, 0);
  states.resize(count);
  ranks.group().broadcast(states.data(), states.size() * sizeof(State), 0);
}

/// Sends numbers from rank 0 to the others.
void share_content(const Communicator& ranks, Content& content) {
  if (ranks.size() == 1) return;
  for_each_number(content.restart.snapshot.clock,
                  [&](const char*, auto& value) { ranks.group().broadcast(&value, sizeof value, 0); });
  ranks.group().broadcast(&content.restart.snapshot.changes, sizeof(sph::ParticleChanges), 0);
  share(ranks, content.restart.snapshot.rigid_bodies);
  share(ranks, content.restart.snapshot.absorption);
  std::uint64_t arrays = content.counts.size();
  ranks.group().broadcast(&arrays, sizeof arrays, 0);
  content.counts.resize(arrays);
  ranks.group().broadcast(content.counts.data(), arrays * sizeof(std::int64_t), 0);
}

/// First row of a rank of `size` ranks that share `count` rows.
std::int64_t first_row(std::int64_t count, int rank, int size) { return count * rank / size; }

/// Rows [first, first + count) of an array.
template <class T>
std::vector<T> rows_in(const RestartFile& restart, const std::string& array, std::int64_t first, std::int64_t count) {
  return reading_restart(restart.name, [&] {
    return hdf5::Rows(restart.content, array).read<T>(static_cast<hsize_t>(first), static_cast<hsize_t>(count));
  });
}

/// The same; zeros if they cannot be read, with the error in `failure`.
template <class T>
std::vector<T> rows_or_zeros(const RestartFile& restart, const std::string& array, std::int64_t first,
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
void send_rows(const Communicator& ranks, const RestartFile& restart, const std::string& array, int receiver,
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
void read_array(const Communicator& ranks, const RestartFile& restart, const std::string& array, std::int64_t total,
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
  rows.read([&] { writing_restart(file, [&] { write_file(file, restart, rows); }); });
}

Restart read_restart(const std::filesystem::path& file, const Communicator& ranks) {
  return read_restart(open_restart(file, ranks), ranks);
}

Restart read_restart(const RestartFile& file, const Communicator& ranks) {
  Content content;
  on_first_rank(ranks, [&] { content = reading_restart(file.name, [&] { return content_of(file); }); });
  share_content(ranks, content);
  content.restart.case_text = file.case_text;
  content.restart.outputs = file.outputs;
  auto count = content.counts.begin();
  for_each_array(content.restart.snapshot, [&]<class T>(const std::string& array, std::vector<T>& values) {
    read_array(ranks, file, array, *count++, values);
  });
  sph::Snapshot& snapshot = content.restart.snapshot;
  snapshot.total = content.counts.front();  // of the ids, the first array
  snapshot.first = first_row(snapshot.total, ranks.rank(), ranks.size());
  return std::move(content.restart);
}

}  // namespace shoal::io
