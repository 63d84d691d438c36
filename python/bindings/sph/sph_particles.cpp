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

template <class Number>
sph::ParticleValues numbers_of(CallArrays& inputs, nb::handle values, const std::string& name, int axes) {
  if (axes == 0) return {inputs.column<Number>(values, name)};
  const std::vector<View<const Number>> columns = inputs.table<Number>(values, name, axes);
  const auto column = [&](std::size_t k) { return k < columns.size() ? columns[k] : View<const Number>(); };
  return {column(0), column(1), column(2)};
}

/// Functions that add and remove particles.
void bind_changes(nb::class_<BoundParticles>& particles) {
  particles
      .def("add", &BoundParticles::add, "position"_a, "velocity"_a, "material"_a = nb::none(), "density"_a = nb::none(),
           "energy"_a = nb::none(),
           nb::sig("def add(self, position: typing.Any, velocity: typing.Any, material: str | None = None, density: "
                   "typing.Any = None, energy: typing.Any = None) -> range"),
           R"(Adds fluid. Rows and views end; this object goes on with the new particles.

Parameters
----------
position : array
    [m, d] m, or a tuple of d columns; float32 or float64, on the device of the solver, as all arrays here. In the domain,
    half a spacing or more from all other particles.
velocity : array
    [m, d] m/s.
material : str, optional
    Name of the material; None: the only one of the case.
density : array, optional
    [m] kg/m3; None: that of the material, at which the pressure is 0.
energy : array, optional
    [m] J/kg, of cases that integrate it; None: 0.

Returns
-------
range
    Ids of the new particles, which no other particle has had.

Raises
------
Error
    The solver has gone on; views are in use; shapes or devices differ; a value is not finite, a position is outside the
    domain or too near to another particle, a density is not positive or beyond the equation of state; no such material;
    the case has open boundaries. Nothing is added then.
)")
      .def("remove", &BoundParticles::remove, "ids"_a, nb::sig("def remove(self, ids: typing.Any) -> int"),
           R"(Removes fluid. Rows and views end; this object goes on with the other particles.

Parameters
----------
ids : array
    int64 [m] of fluid particles, each once, on the device of the solver.

Returns
-------
int
    Number of removed particles.

Raises
------
Error
    As for `add`, and an id of a wall or of no particle. Nothing is removed then.
)")
      .def("remove_rows", &BoundParticles::remove_rows, "flags"_a,
           nb::sig("def remove_rows(self, flags: typing.Any) -> int"),
           R"(Removes the fluid of some rows. Walls and rows without a particle stay as they are.

Parameters
----------
flags : array
    uint8 or bool [n], one for each row, on the device of the solver; with PyTorch uint8.

Returns
-------
int
    Number of removed particles.
)")
      .def("remove_in", &BoundParticles::remove_in, "lower"_a, "upper"_a,
           nb::sig(("def remove_in(self, lower: " + OptionType<sph::Vector>::name() +
                    ", upper: " + OptionType<sph::Vector>::name() + ") -> int")
                       .c_str()),
           R"(Removes the fluid in a box, with its faces.

Parameters
----------
lower, upper : tuple of float
    m, corners of the box; 0 along axes that the case does not have.

Returns
-------
int
    Number of removed particles.
)");
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

sph::ParticleValues BoundParticles::values_of(CallArrays& inputs, nb::handle values, const std::string& name,
                                              bool is_vector) const {
  const int axes = is_vector ? particles_.dimensions() : 0;
  const nb::object first = is_sequence_of_arrays(values) ? nb::object(values[0]) : nb::borrow(values);
  if (properties_of("sph", name.c_str(), first).dtype == "float32")
    return numbers_of<float>(inputs, values, name, axes);
  return numbers_of<double>(inputs, values, name, axes);
}

void BoundParticles::set(nb::handle quantity, nb::handle values, nb::handle ids) {
  const auto chosen = OptionType<sph::Quantity>::read("sph: quantity", quantity);
  const bool is_vector = chosen == sph::Quantity::velocity || chosen == sph::Quantity::acceleration;
  CallArrays inputs("sph", context_);
  const sph::ParticleValues columns = values_of(inputs, values, std::string(to_name(chosen)), is_vector);
  if (ids.is_none()) return particles_.set(chosen, columns);
  particles_.set(chosen, columns, inputs.column<std::int64_t>(ids, "ids"));
}

void BoundParticles::clear_acceleration() { particles_.clear_acceleration(); }

void BoundParticles::require_no_views() const {
  require(exports_.use_count() <= 1,
          "sph: arrays that are views of the particles are still in use, and their memory moves where particles are "
          "added or removed. Delete them before, or copy what you keep.");
}

nb::object BoundParticles::add(nb::handle position, nb::handle velocity, nb::handle material, nb::handle density,
                               nb::handle energy) {
  require_no_views();
  CallArrays inputs("sph", context_);
  sph::NewParticles added{values_of(inputs, position, "position", true), values_of(inputs, velocity, "velocity", true)};
  if (!material.is_none()) added.material = OptionType<std::string>::read("sph: material", material);
  if (!density.is_none()) added.density = values_of(inputs, density, "density", false);
  if (!energy.is_none()) added.energy = values_of(inputs, energy, "energy", false);
  const std::int64_t count = added.position.columns[0].count, first = particles_.add(added);
  return nb::module_::import_("builtins").attr("range")(first, first + count);
}

std::int64_t BoundParticles::remove(nb::handle ids) {
  require_no_views();
  CallArrays inputs("sph", context_);
  return particles_.remove(inputs.column<std::int64_t>(ids, "ids"));
}

std::int64_t BoundParticles::remove_rows(nb::handle flags) {
  require_no_views();
  CallArrays inputs("sph", context_);
  const bool is_bool = nb::hasattr(flags, "dtype") && text_of(flags.attr("dtype")) == "bool";
  const nb::object bytes = is_bool ? nb::object(flags.attr("view")("uint8")) : nb::borrow(flags);
  return particles_.remove_rows(inputs.column<std::uint8_t>(bytes, "flags"));
}

std::int64_t BoundParticles::remove_in(nb::handle lower, nb::handle upper) {
  require_no_views();
  return particles_.remove_in(
      {OptionType<sph::Vector>::read("sph: lower", lower), OptionType<sph::Vector>::read("sph: upper", upper)});
}

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
  bind_changes(particles);
}

}  // namespace shoal::python
