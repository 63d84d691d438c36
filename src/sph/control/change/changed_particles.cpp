// SPDX-License-Identifier: Apache-2.0
// Particles that a program adds and removes: checks of its arrays, which become values on the host and requests.
#include <shoal/sph/particles.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/text.hpp"
#include "sph/control/particle_access.hpp"
#include "sph/control/values_of_ranks.hpp"

namespace shoal::sph {

namespace {

/// Host copies of the columns of a quantity of new particles.
/// @param expected  number of columns
/// @throws Error    numbers, counts or devices do not fit
std::array<std::vector<double>, 3> host_values(const ParticleAccess& access, const ParticleValues& values,
                                               const char* name, int expected, std::int64_t count) {
  std::array<std::vector<double>, 3> numbers;
  ValueColumns columns{.is_double = values.is_double};
  for (int k = 0; k < 3; ++k) {
    const auto place = static_cast<std::size_t>(k);
    const ParticleValues::Column& column = values.columns[place];
    require(k < expected || column.data == nullptr, "sph: ", name, " of new particles has more than ", expected,
            " column", expected > 1 ? "s, one for each axis." : ".");
    if (k >= expected) continue;
    require(column.count == count, "sph: column ", k, " of ", name, " has ", column.count, " values, expected ", count,
            ": one for each new particle.");
    require(column.device == access.run().queue.device(), "sph: ", name, " is on ", to_string(column.device),
            ", expected ", to_string(access.run().queue.device()), ", where the solver runs. Copy it.");
    columns.data[k] = column.data;
    columns.stride[k] = column.stride;
    numbers[place] = host_column(access.run().queue, columns, k, count);
  }
  return numbers;
}

NewValues read_new_values(const ParticleAccess& access, const NewParticles& added) {
  constexpr std::int64_t most = 100'000'000;
  const int dimensions = access.run().dimensions;
  const std::int64_t count = added.position.columns[0].count;
  require(count <= most, "sph: ", count, " new particles, expected at most ", most, " in one call.");
  NewValues values;
  values.material = access.material_named(added.material);
  values.position = host_values(access, added.position, "position", dimensions, count);
  values.velocity = host_values(access, added.velocity, "velocity", dimensions, count);
  if (added.density) values.density = host_values(access, *added.density, "density", 1, count)[0];
  if (!added.energy) return values;
  require(access.run().has_energy,
          "sph: the case does not integrate energy, which new particles therefore cannot have. Set scheme.energy = "
          "true.");
  values.energy = host_values(access, *added.energy, "energy", 1, count)[0];
  return values;
}

/// @throws Error  on all ranks: they have other values
void require_same_values(const ParticleAccess& access, const NewValues& values) {
  if (access.run().ranks.size() == 1) return;
  SameOnRanks same(values.material);
  for (const auto* columns : {&values.position, &values.velocity})
    for (const std::vector<double>& column : *columns)
      for (const double value : column) same.add(std::bit_cast<std::uint64_t>(value));
  for (const auto* column : {&values.density, &values.energy})
    for (const double value : *column) same.add(std::bit_cast<std::uint64_t>(value));
  same.require_same(access.run().ranks,
                    "new particles differ between ranks, expected the same ones in the same order "
                    "on all ranks.");
}

/// @throws Error  an id is there twice: names the first one
void require_each_once(const std::vector<std::int64_t>& ids) {
  std::vector<std::int64_t> sorted = ids;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return;
  const auto first = std::find(ids.begin(), ids.end(), *twice);
  throw Error(text("sph: ids[", std::find(first + 1, ids.end(), *twice) - ids.begin(), "] = ", *twice,
                   " is there twice, expected each id once. Nothing was removed."));
}

}  // namespace

void Particles::renew() {
  version_ = access_->version();
  count_ = access_->count();
  clock_ = access_->clock();
}

std::int64_t Particles::add(const NewParticles& added) {
  ParticleAccess& present = access();
  NewValues values;
  present.run().ranks.agree([&] {
    present.require_changeable();
    values = read_new_values(present, added);
  });
  require_same_values(present, values);
  const std::int64_t first = present.add(values);
  renew();
  return first;
}

std::int64_t Particles::remove(View<const std::int64_t> ids) {
  ParticleAccess& present = access();
  present.run().ranks.agree([&] { present.require_changeable(); });
  const Array<std::int64_t> named = rows(ids);
  present.run().ranks.agree([&] {
    const std::vector<std::int64_t> host = host_ids(present.run().queue, ids);
    require_each_once(host);
    const std::uint64_t word = present.mark({.row = named.data(), .count = ids.count});
    require(word == refusal::none, "sph: ids[", refusal::index(word),
            "] = ", word == refusal::none ? 0 : host[static_cast<std::size_t>(refusal::index(word))],
            " is a particle of a wall, expected fluid. Nothing was removed.");
  });
  const std::int64_t removed = present.remove_marked();
  renew();
  return removed;
}

std::int64_t Particles::remove_rows(View<const std::uint8_t> flags) {
  ParticleAccess& present = access();
  present.run().ranks.agree([&] {
    present.require_changeable();
    require(flags.device == present.run().queue.device(), "sph: flags are on ", to_string(flags.device), ", expected ",
            to_string(present.run().queue.device()), ", where the solver runs. Copy them.");
    require(flags.count == count_ && flags.contiguous(), "sph: ", flags.count, " flags of rows, ",
            flags.contiguous() ? "" : "with a stride, ", "expected ", count_,
            " in contiguous memory: one for each row.");
    present.mark({.flag = flags.data});
  });
  const std::int64_t removed = present.remove_marked();
  renew();
  return removed;
}

std::int64_t Particles::remove_in(const Box& box) {
  ParticleAccess& present = access();
  RemoveRequest request;
  present.run().ranks.agree([&] {
    present.require_changeable();
    for (int axis = 0; axis < dimensions(); ++axis) {
      const auto place = static_cast<std::size_t>(axis);
      require(box.from[place] <= box.to[place], "sph: a box to remove particles in reaches from ", box.from[place],
              " m to ", box.to[place], " m along ", to_name(static_cast<Axis>(axis)),
              ", expected its lower end first. Nothing was removed.");
      request.from[axis] = box.from[place];
      request.to[axis] = box.to[place];
    }
    present.mark(request);
  });
  const std::int64_t removed = present.remove_marked();
  renew();
  return removed;
}

}  // namespace shoal::sph
