// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "sph/bound_particles.hpp"
#include "support/inputs.hpp"

namespace shoal::python {

namespace {

/// Objects that a view keeps alive while Python refers to it.
struct ViewOwner {
  nb::object solver;
  std::shared_ptr<int> exports;
};

sph::ParticleValues values_of(const std::vector<View<const float>>& columns) {
  const auto column = [&](std::size_t k) { return k < columns.size() ? columns[k] : View<const float>(); };
  return {column(0), column(1), column(2)};
}
sph::ParticleValues values_of(const std::vector<View<const double>>& columns) {
  const auto column = [&](std::size_t k) { return k < columns.size() ? columns[k] : View<const double>(); };
  return {column(0), column(1), column(2)};
}

}  // namespace

Library read_library(nb::handle library, const Queue& queue) {
  if (library.is_none()) return queue.on_cpu() ? Library::numpy : Library::other;
  const auto name = OptionType<std::string>::read("sph: library", library);
  require(name != "numpy" || queue.on_cpu(), "sph: library = \"numpy\" has no arrays on ", to_string(queue.device()),
          ". Name \"cupy\", \"torch\" or \"jax\", or leave it out for arrays of DLPack.");
  if (name == "numpy") return Library::numpy;
  if (name == "cupy") return Library::cupy;
  if (name == "torch") return Library::torch;
  if (name == "jax") return Library::jax;
  bad_option("sph: library", library, "\"numpy\", \"cupy\", \"torch\", \"jax\" or None");
}

BoundParticles::BoundParticles(sph::Particles particles, nb::object solver, const std::shared_ptr<int>& exports,
                               Library library)
    : particles_(std::move(particles)),
      solver_(std::move(solver)),
      exports_(exports),
      library_(library),
      context_{particles_.queue(), particles_.precision() == sph::Precision::float_} {}

CallArrays BoundParticles::arrays() const {
  CallArrays arrays("sph", context_);
  arrays.set_library(library_);
  return arrays;
}

template <class T>
nb::object BoundParticles::export_view(View<const T> memory, std::int64_t columns) const {
  context_.queue.wait();  // other libraries use other streams
  const nb::capsule owner = owning_capsule(std::make_unique<ViewOwner>(ViewOwner{solver_, exports_.lock()}));
  return arrays().export_columns(memory, columns, owner, true);
}

template <class T>
nb::object BoundParticles::copied(Array<T> array, std::int64_t columns) const {
  context_.queue.wait();
  auto owned = std::make_unique<Array<T>>(std::move(array));
  View<const T> memory(owned->data(), columns > 0 ? owned->count() / columns : owned->count(), owned->device(),
                       columns > 0 ? columns : 1);
  return arrays().export_columns(memory, columns, owning_capsule(std::move(owned)), false);
}

nb::object BoundParticles::velocity() const {
  return with_type(
      [&](auto number) { return export_view(particles_.velocity<decltype(number)>(0), particles_.dimensions()); });
}
nb::object BoundParticles::density_deviation() const {
  return with_type([&](auto number) { return export_view(particles_.density_deviation<decltype(number)>(), 0); });
}
nb::object BoundParticles::pressure_over_density2() const {
  return with_type([&](auto number) { return export_view(particles_.pressure_over_density2<decltype(number)>(), 0); });
}
nb::object BoundParticles::energy() const {
  return with_type([&](auto number) { return export_view(particles_.energy<decltype(number)>(), 0); });
}
nb::object BoundParticles::coordinate() const {
  return with_type([&](auto number) {
    using Integer = std::conditional_t<sizeof number == 4, std::int32_t, std::int64_t>;
    return export_view(particles_.coordinate<Integer>(0), particles_.dimensions());
  });
}

nb::object BoundParticles::id() const { return copied(particles_.id()); }
nb::object BoundParticles::material() const { return copied(particles_.material()); }
nb::object BoundParticles::wall() const { return copied(particles_.wall()); }
nb::object BoundParticles::position() const { return copied(particles_.position(), particles_.dimensions()); }
nb::object BoundParticles::density() const { return copied(particles_.density()); }
nb::object BoundParticles::pressure() const { return copied(particles_.pressure()); }

nb::object BoundParticles::rows(nb::handle ids) const {
  CallArrays inputs("sph", context_);
  return copied(particles_.rows(inputs.column<std::int64_t>(ids, "ids")));
}

template <class Number>
void BoundParticles::set_numbers(sph::Quantity quantity, nb::handle values, nb::handle ids) {
  CallArrays inputs("sph", context_);
  const std::string name(to_name(quantity));
  const bool is_vector = quantity == sph::Quantity::velocity || quantity == sph::Quantity::acceleration;
  std::vector<View<const Number>> columns;
  if (is_vector)
    columns = inputs.table<Number>(values, name, particles_.dimensions());
  else
    columns.push_back(inputs.column<Number>(values, name));
  if (ids.is_none()) return particles_.set(quantity, values_of(columns));
  particles_.set(quantity, values_of(columns), inputs.column<std::int64_t>(ids, "ids"));
}

void BoundParticles::set(nb::handle quantity, nb::handle values, nb::handle ids) {
  const auto chosen = OptionType<sph::Quantity>::read("sph: quantity", quantity);
  const nb::object first = is_sequence_of_arrays(values) ? nb::object(values[0]) : nb::borrow(values);
  if (properties_of("sph", std::string(to_name(chosen)).c_str(), first).dtype == "float32")
    set_numbers<float>(chosen, values, ids);
  else
    set_numbers<double>(chosen, values, ids);
}

void BoundParticles::clear_acceleration() { particles_.clear_acceleration(); }

void bind_sph_particles(nb::module_& module) {
  nb::class_<BoundParticles> particles(module, "Particles",
                                       R"(The particles of a solver between two steps, on its device.

Rows are particles in the order of the solver's memory, which every step changes: particles end with the next step, and
a later use raises an `Error`. An array that was taken before cannot check that: it shows other particles then.

A row with id -1 is no particle in the domain. What is set acts on fluid alone: rows of walls keep what they have.

Arrays are views of the solver's memory or copies, as their descriptions say. Views are read-only in NumPy; do not write
to them in other libraries.
)");
  const auto property = [&](const char* name, nb::object (BoundParticles::*get)() const, const char* doc) {
    particles.def_prop_ro(name, get, nb::sig(("def " + std::string(name) + "(self) -> typing.Any").c_str()), doc);
  };
  particles
      .def_prop_ro(
          "clock", [](const BoundParticles& bound) { return bound.particles().clock(); },
          "Clock: time and step of these particles.")
      .def_prop_ro(
          "stream",
          [](const BoundParticles& bound) {
            return reinterpret_cast<std::uintptr_t>(bound.particles().queue().stream());
          },
          "int: CUDA stream of the solver, as in cupy.cuda.ExternalStream(stream); 0 on the CPU.")
      .def("__len__", [](const BoundParticles& bound) { return bound.particles().count(); });
  property("velocity", &BoundParticles::velocity, "array: [n, d] m/s, a view of float32 or float64.");
  property("density_deviation", &BoundParticles::density_deviation,
           "array: [n] rho - rho_0, kg/m3, a view of float32 or float64.");
  property("pressure_over_density2", &BoundParticles::pressure_over_density2,
           "array: [n] p / rho^2, m5/(kg s2), a view of float32 or float64.");
  property("energy", &BoundParticles::energy,
           "array: [n] J/kg, a view of float32 or float64; empty unless the case integrates energy.");
  property("coordinate", &BoundParticles::coordinate,
           "array: [n, d] fixed-point positions, a view of int32 or int64; docs/decisions/0003.");
  property("id", &BoundParticles::id, "array: int64 [n], a copy; -1: no particle in the domain.");
  property("material", &BoundParticles::material, "array: uint8 [n], a copy: number of the material.");
  property("wall", &BoundParticles::wall, "array: uint8 [n], a copy: 1 for particles of walls.");
  property("position", &BoundParticles::position, "array: float64 [n, d] m, a copy.");
  property("density", &BoundParticles::density, "array: float64 [n] kg/m3, a copy.");
  property("pressure", &BoundParticles::pressure, "array: float64 [n] Pa, a copy.");
  particles
      .def("rows", &BoundParticles::rows, "ids"_a, nb::sig("def rows(self, ids: typing.Any) -> typing.Any"),
           R"(Rows of particles: ``velocity[particles.rows(ids)]`` is an array by id.

Parameters
----------
ids : array
    int64 [m], on the device of the solver.

Returns
-------
array
    int64 [m].

Raises
------
Error
    An id without a particle in the domain: names the first one.
)")
      .def("set", &BoundParticles::set, "quantity"_a, "values"_a.none(), "ids"_a = nb::none(),
           nb::sig(("def set(self, quantity: " + OptionType<sph::Quantity>::name() +
                    ", values: typing.Any, ids: typing.Any = None) -> None")
                       .c_str()),
           R"(Sets a quantity of the fluid.

Parameters
----------
quantity : str
    "velocity" in m/s; "density" in kg/m3 or "energy" in J/kg, which the pressure follows; or "acceleration" in m/s2,
    which acts in every step until it is set again, in addition to gravity and all other forces.
values : array
    [n, d], or a tuple of d columns, of vectors; [n] of densities and energies; float32 or float64, on the device of the
    solver. One row for each of the particles, or for each id.
ids : array, optional
    int64 [m] of fluid particles, each once. The others keep what they have.

Raises
------
Error
    The solver has gone on; shapes or devices differ; a value of fluid is not finite, or a density is not positive or
    beyond the equation of state; an id of a wall or of no particle. Nothing is set then.
)")
      .def("clear_acceleration", &BoundParticles::clear_acceleration, "Removes all accelerations.");
}

}  // namespace shoal::python
