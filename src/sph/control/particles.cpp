// SPDX-License-Identifier: Apache-2.0
#include <shoal/sph/particles.hpp>

#include <utility>

#include "core/text.hpp"
#include "sph/control/particle_access.hpp"
#include "sph/control/values_of_ranks.hpp"

namespace shoal::sph {

namespace {

template <class Number>
std::array<ParticleValues::Column, 3> columns_from(const View<const Number>& x, const View<const Number>& y,
                                                   const View<const Number>& z) {
  const auto column = [](const View<const Number>& view) {
    return ParticleValues::Column{view.data, view.count, view.stride, view.device};
  };
  return {column(x), column(y), column(z)};
}

void require_device(const Device& device, const Device& expected, const char* what) {
  require(device == expected, "sph: ", what, " are on ", to_string(device), ", expected ", to_string(expected),
          ", where the solver runs. Copy them.");
}

/// Columns for kernels.
/// @throws Error  their number, counts or devices do not fit
ValueColumns checked_columns(const ParticleAccess& access, Quantity quantity, const ParticleValues& values,
                             std::int64_t count, const char* counted) {
  const auto needed = static_cast<std::size_t>(columns_of(quantity, access.run().dimensions));
  require(quantity != Quantity::energy || access.run().has_energy,
          "sph: the case does not integrate energy, which a program therefore cannot set. Set scheme.energy = true.");
  ValueColumns columns{.is_double = values.is_double};
  for (std::size_t k = 0; k < values.columns.size(); ++k) {
    const ParticleValues::Column& column = values.columns[k];
    require(k < needed || column.data == nullptr, "sph: ", to_name(quantity), " has more than ", needed, " column",
            needed > 1 ? "s, one for each axis." : ".");
    if (k >= needed) continue;
    require(column.count == count, "sph: column ", k, " of ", to_name(quantity), " has ", column.count,
            " values, expected ", count, ": one for each ", counted, ".");
    require_device(column.device, access.run().queue.device(), "values");
    columns.data[k] = column.data;
    columns.stride[k] = column.stride;
  }
  return columns;
}

/// Number k of a column on any device.
double number_at(const ParticleAccess& access, const ValueColumns& columns, int column, std::int64_t k) {
  const std::int64_t place = k * columns.stride[column];
  if (columns.is_double) {
    const View<const double> one(static_cast<const double*>(columns.data[column]) + place, 1,
                                 access.run().queue.device());
    return to_host(access.run().queue, one)[0];
  }
  const View<const float> one(static_cast<const float*>(columns.data[column]) + place, 1, access.run().queue.device());
  return static_cast<double>(to_host(access.run().queue, one)[0]);
}

[[noreturn]] void refuse_id(const ParticleAccess& access, View<const std::int64_t> ids, std::uint64_t word) {
  const std::int64_t k = refusal::index(word);
  const std::int64_t id =
      to_host(access.run().queue, View<const std::int64_t>(ids.data + k * ids.stride, 1, ids.device))[0];
  switch (refusal::kind(word)) {
    case refusal::wall:
      throw Error(text("sph: ids[", k, "] = ", id,
                       " is a particle of a wall, expected fluid. Walls move by [[wall]] motion, or as rigid bodies by "
                       "Solver::drive()."));
    case refusal::twice:
      throw Error(text("sph: ids[", k, "] = ", id, " is there twice, expected each id once."));
    default:
      throw Error(text("sph: ids[", k, "] = ", id,
                       " is no particle in the domain: it has left, or never was there. Take ids from id()."));
  }
}

[[noreturn]] void refuse_value(ParticleAccess& access, const SetRequest& request, View<const std::int64_t> ids,
                               std::uint64_t word) {
  const std::int64_t k = refusal::index(word);
  const std::int64_t id =
      request.row ? to_host(access.run().queue, View<const std::int64_t>(ids.data + k * ids.stride, 1, ids.device))[0]
                  : access.id_of_row(k);
  std::string values;
  for (int column = 0; column < columns_of(request.quantity, access.run().dimensions); ++column)
    values += (column > 0 ? ", " : "") + text(number_at(access, request.values, column, k));
  const char* const expected = refusal::kind(word) == refusal::not_finite     ? "finite numbers."
                               : refusal::kind(word) == refusal::not_positive ? "a positive number."
                                                                              : "a state within the equation of state.";
  throw Error(text("sph: ", to_name(request.quantity), "[", k, "] = ", values, " of particle ", id, ", expected ",
                   expected, " Nothing was set."));
}

/// Requires that a request passes the check on all ranks.
void require_settable(ParticleAccess& access, const SetRequest& request, View<const std::int64_t> ids) {
  access.run().ranks.agree([&] {
    const std::uint64_t word = access.check(request);
    if (word == refusal::none) return;
    if (refusal::kind(word) <= refusal::twice) refuse_id(access, ids, word);
    refuse_value(access, request, ids, word);
  });
}

/// Sets accelerations by the rows of each rank.
void accelerate_rows_of_ranks(ParticleAccess& access, const SetRequest& request) {
  require_settable(access, request, {});
  const ValuesOfRanks gathered = gather_values(access, request);
  Array<std::int64_t> row(access.run().queue, gathered.id.count());
  access.find_rows(gathered.id, row.data());
  access.set(gathered.request(request.quantity, row.data()));
}

}  // namespace

ParticleValues::ParticleValues(View<const float> x, View<const float> y, View<const float> z)
    : columns(columns_from(x, y, z)) {}
ParticleValues::ParticleValues(View<const double> x, View<const double> y, View<const double> z)
    : columns(columns_from(x, y, z)), is_double(true) {}

Particles::Particles(std::shared_ptr<ParticleAccess> access)
    : access_(std::move(access)), version_(access_->version()), count_(access_->count()), clock_(access_->clock()) {}

ParticleAccess& Particles::access() const {
  require(!access_->is_closed(), "sph: the solver of these particles has ended. Keep it while they are used.");
  require(access_->version() == version_, "sph: these particles are of step ", clock_.step,
          ", and the solver has gone on. Take them anew from Solver::particles(), after each step.");
  return *access_;
}

const Queue& Particles::queue() const { return access_->run().queue; }
int Particles::dimensions() const { return access_->run().dimensions; }
Precision Particles::precision() const { return access_->run().precision; }

ParticleValues::Column Particles::stored(Stored what, int axis, bool is_integer, std::size_t element_bytes) const {
  ParticleAccess& present = access();
  require(axis >= 0 && axis < present.run().dimensions, "sph: axis ", axis, " of a run in ", present.run().dimensions,
          " dimensions, expected 0 to ", present.run().dimensions - 1, ".");
  const std::size_t bytes = present.run().precision == Precision::float_ ? sizeof(float) : sizeof(double);
  require(element_bytes == bytes && is_integer == (what == Stored::coordinate), "sph: a view of other elements than ",
          what == Stored::coordinate ? text("integers of ", 8 * bytes, " bits")
                                     : text(to_name(present.run().precision), ", the precision of the case"),
          ".");
  return present.stored(what, axis);
}

namespace {

/// Array of copies of all rows.
template <class T>
Array<T> copied(ParticleAccess& access, std::int64_t count, T* ParticleCopies::*target) {
  Array<T> array(access.run().queue, count);
  ParticleCopies copies;
  copies.*target = array.data();
  access.copy(copies);
  return array;
}

}  // namespace

Array<std::int64_t> Particles::id() const { return copied(access(), count_, &ParticleCopies::id); }
Array<std::uint8_t> Particles::material() const { return copied(access(), count_, &ParticleCopies::material); }
Array<std::uint8_t> Particles::wall() const { return copied(access(), count_, &ParticleCopies::wall); }
Array<double> Particles::position() const { return copied(access(), count_ * dimensions(), &ParticleCopies::position); }
Array<double> Particles::density() const { return copied(access(), count_, &ParticleCopies::density); }
Array<double> Particles::pressure() const { return copied(access(), count_, &ParticleCopies::pressure); }

Array<std::int64_t> Particles::rows(View<const std::int64_t> ids) const {
  ParticleAccess& present = access();
  present.run().ranks.agree([&] { require_device(ids.device, present.run().queue.device(), "ids"); });
  require_same_ids(present, ids);
  Array<std::int64_t> rows(present.run().queue, ids.count);
  if (const std::uint64_t word = present.find_rows(ids, rows.data()); word != refusal::none)
    refuse_id(present, ids, word);
  return rows;
}

void Particles::set(Quantity quantity, const ParticleValues& values) {
  ParticleAccess& present = access();
  SetRequest request{quantity, {}, count_};
  present.run().ranks.agree([&] { request.values = checked_columns(present, quantity, values, count_, "row"); });
  if (quantity == Quantity::acceleration && present.run().ranks.size() > 1)
    return accelerate_rows_of_ranks(present, request);
  require_settable(present, request, {});
  present.set(request);
}

void Particles::set(Quantity quantity, const ParticleValues& values, View<const std::int64_t> ids) {
  ParticleAccess& present = access();
  SetRequest request{quantity, {}, ids.count};
  present.run().ranks.agree([&] { request.values = checked_columns(present, quantity, values, ids.count, "id"); });
  const Array<std::int64_t> named = rows(ids);
  request.row = named.data();
  Array<std::int64_t> packed(present.run().queue, 0);
  if (present.run().ranks.size() > 1) {
    packed = to_device(present.run().queue, host_ids(present.run().queue, ids));
    request.id = packed.data();
  }
  require_settable(present, request, ids);
  present.set(request);
}

void Particles::clear_acceleration() { access().clear_acceleration(); }

}  // namespace shoal::sph
