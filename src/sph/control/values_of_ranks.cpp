// SPDX-License-Identifier: Apache-2.0
#include "sph/control/values_of_ranks.hpp"

#include <algorithm>
#include <numeric>

#include "core/text.hpp"

namespace shoal::sph {

namespace {

/// Value of a particle on its way to all ranks.
struct GivenValue {
  std::int64_t id;
  double value[3];
};

/// Host copy of numbers that lie a stride apart, as another type.
template <class Target, class Number>
std::vector<Target> host_copy(const Queue& queue, const Number* data, std::int64_t count, std::int64_t stride) {
  const std::int64_t length = count > 0 ? (count - 1) * stride + 1 : 0;
  const std::vector<Number> memory = to_host(queue, View<const Number>(data, length, queue.device()));
  std::vector<Target> numbers;
  for (std::int64_t k = 0; k < count; ++k)
    numbers.push_back(static_cast<Target>(memory[static_cast<std::size_t>(k * stride)]));
  return numbers;
}

/// Values of the fluid of this rank.
std::vector<GivenValue> values_of_rank(ParticleAccess& access, const SetRequest& request) {
  const Queue& queue = access.run().queue;
  Array<std::int64_t> ids(queue, request.count);
  Array<std::uint8_t> walls(queue, request.count);
  ParticleCopies copies;
  copies.id = ids.data();
  copies.wall = walls.data();
  access.copy(copies);
  const std::vector<std::int64_t> id = to_host(queue, ids);
  const std::vector<std::uint8_t> wall = to_host(queue, walls);
  std::vector<GivenValue> given;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < id.size(); ++row) {
    if (id[row] < 0 || wall[row]) continue;
    given.push_back({id[row], {}});
    rows.push_back(row);
  }
  for (int column = 0; column < columns_of(request.quantity, access.run().dimensions); ++column) {
    const std::vector<double> values = host_column(queue, request.values, column, request.count);
    for (std::size_t k = 0; k < rows.size(); ++k) given[k].value[column] = values[rows[k]];
  }
  return given;
}

/// The values of all ranks, in the order of ranks.
std::vector<GivenValue> all_gathered(const Communicator& ranks, std::vector<GivenValue> part) {
  const auto size = static_cast<std::size_t>(ranks.size());
  const std::uint64_t count = part.size();
  std::vector<std::uint64_t> counts(size);
  ranks.group().all_gather(&count, sizeof count, counts.data());
  const auto most = static_cast<std::size_t>(*std::max_element(counts.begin(), counts.end()));
  std::vector<GivenValue> padded(most * size), gathered;
  part.resize(most);
  ranks.group().all_gather(part.data(), most * sizeof(GivenValue), padded.data());
  for (std::size_t rank = 0; rank < size; ++rank) {
    const auto first = padded.begin() + static_cast<std::ptrdiff_t>(rank * most);
    gathered.insert(gathered.end(), first, first + static_cast<std::ptrdiff_t>(counts[rank]));
  }
  return gathered;
}

}  // namespace

std::vector<double> host_column(const Queue& queue, const ValueColumns& columns, int column, std::int64_t count) {
  const void* const data = columns.data[column];
  const std::int64_t stride = columns.stride[column];
  return columns.is_double ? host_copy<double>(queue, static_cast<const double*>(data), count, stride)
                           : host_copy<double>(queue, static_cast<const float*>(data), count, stride);
}

std::vector<std::int64_t> host_ids(const Queue& queue, View<const std::int64_t> ids) {
  return host_copy<std::int64_t>(queue, ids.data, ids.count, ids.stride);
}

void require_same_ids(const ParticleAccess& access, View<const std::int64_t> ids) {
  const Communicator& ranks = access.run().ranks;
  if (ranks.size() == 1) return;
  SameOnRanks same(ids.count);
  for (const std::int64_t id : host_ids(access.run().queue, ids)) same.add(static_cast<std::uint64_t>(id));
  same.require_same(ranks, text("ids differ between ranks, got ", ids.count,
                                " of them on this one, expected the same ids in the same order on all ranks."));
}

void SameOnRanks::require_same(const Communicator& ranks, const std::string& difference) const {
  std::array<std::uint64_t, 2> words{hash_, ~hash_};
  ranks.group().all_max(words);
  ranks.agree([&] { require(words[0] == ~words[1], "sph: the ", difference); });
}

SetRequest ValuesOfRanks::request(Quantity quantity, const std::int64_t* row) const {
  ValueColumns columns{.is_double = true};
  for (std::size_t column = 0; column < value.size(); ++column) {
    columns.data[column] = value[column].data();
    columns.stride[column] = 1;
  }
  return {quantity, columns, id.count(), row, id.data()};
}

ValuesOfRanks gather_values(ParticleAccess& access, const SetRequest& request) {
  const Queue& queue = access.run().queue;
  const std::vector<GivenValue> gathered = all_gathered(access.run().ranks, values_of_rank(access, request));
  std::vector<std::int64_t> ids;
  std::array<std::vector<double>, 3> values;
  for (const GivenValue& given : gathered) {
    ids.push_back(given.id);
    for (std::size_t column = 0; column < values.size(); ++column) values[column].push_back(given.value[column]);
  }
  return {to_device(queue, ids),
          {to_device(queue, values[0]), to_device(queue, values[1]), to_device(queue, values[2])}};
}

}  // namespace shoal::sph
