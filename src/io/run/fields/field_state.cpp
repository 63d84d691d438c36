// SPDX-License-Identifier: Apache-2.0
#include "io/run/fields/field_state.hpp"

#include <array>

#include "core/communication/rank_group.hpp"

namespace shoal::io {

namespace {

/// Mixes the bits of a number so that all bits of the result depend on all bits of the number (splitmix64).
std::uint64_t mixed(std::uint64_t number) {
  number += 0x9e3779b97f4a7c15;
  number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
  number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
  return number ^ (number >> 31);
}

/// Sum over all ranks modulo 2^64. The sums of the halves of the numbers cannot overflow.
std::uint64_t sum_over(const Communicator& ranks, std::uint64_t number) {
  std::array<std::int64_t, 2> halves{static_cast<std::int64_t>(number & 0xffffffff),
                                     static_cast<std::int64_t>(number >> 32)};
  ranks.group().all_sum(halves);
  return static_cast<std::uint64_t>(halves[0]) + (static_cast<std::uint64_t>(halves[1]) << 32);
}

std::vector<RowArray> arrays_of(const sph::Fields& fields) {
  std::vector<RowArray> arrays;
  const auto add = [&]<class T>(const std::string& name, const std::vector<T>& values, int columns) {
    const auto width = static_cast<std::size_t>(columns);
    const auto rows = static_cast<std::int64_t>(values.size() / width);
    arrays.push_back({name, values.data(), width * sizeof(T), rows, &hdf5::type_of<T>});
  };
  add("position", fields.position, 3);
  for_each_changing_array(fields, CaseArrays(), add);
  for_each_fixed_array(fields, add);
  return arrays;
}

}  // namespace

std::uint64_t digest_of(const std::int64_t* ids, std::int64_t count) {
  std::uint64_t sum = 0;
  for (std::int64_t row = 0; row < count; ++row) sum += mixed(static_cast<std::uint64_t>(ids[row]));
  return sum;
}

sph::Fields whole_fields(const FieldState& state) {
  sph::Fields fields;
  fields.clock = state.clock();
  fields.total = state.count();
  const auto copy = [&](const char* name, auto& values, int columns) { values = state.whole(name, values, columns); };
  copy("position", fields.position, 3);
  copy("velocity", fields.velocity, 3);
  copy("density", fields.density, 1);
  copy("pressure", fields.pressure, 1);
  copy("id", fields.id, 1);
  copy("material", fields.material, 1);
  copy("wall", fields.wall, 1);
  copy("wall_number", fields.wall_number, 1);
  copy("body", fields.body, 1);
  return fields;
}

FieldState::FieldState(const Communicator& ranks, const sph::Fields& part)
    : part_(part),
      rows_(ranks, arrays_of(part)),
      id_digest_(sum_over(ranks, digest_of(part.id.data(), static_cast<std::int64_t>(part.id.size())))) {}

}  // namespace shoal::io
