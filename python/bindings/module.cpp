// SPDX-License-Identifier: Apache-2.0
#include <shoal/error.hpp>

#include "bindings.hpp"

NB_MODULE(_core, module) {
  using namespace shoal::python;
  nb::set_leak_warnings(false);  // a thread that computes when Python exits keeps its plan
  module.doc() = "Compiled part of the package shoal: the operations of the C++ library.";

  // The exception registered last is tried first, so the derived one follows its base.
  const nb::exception<shoal::Error> error(module, "Error", PyExc_RuntimeError);
  const nb::exception<shoal::OutOfMemory> out_of_memory(module, "OutOfMemory", error.ptr());
  error.attr("__doc__") =
      "Error of shoal. The message names the problem, the value, the expected value and the remedy.";
  out_of_memory.attr("__doc__") = "Memory of a device or of the host is exhausted. The plan can be used again.";

  bind_methods(module);
  bind_grid(module);
  bind_cells(module);
  bind_neighbors(module);
  bind_neighbor_sets(module);
  bind_neighbor_stream(module);
  bind_nearest_neighbors(module);
  bind_periodic_neighbors(module);
  bind_ghost_points(module);
#ifdef SHOAL_WITH_JAX
  bind_jax_pairs(module);
#endif
  bind_deposit_grid(module);
  bind_deposit(module);
  bind_deposit_current(module);
  bind_solver_fields(module);
  bind_wall_mesh(module);
  bind_wall_distance(module);
  bind_mesh_gradient(module);
  bind_collision_gas(module);
  bind_collision(module);
  bind_relaxation(module);
  bind_gas(module);
  bind_mpi(module);  // before functions that take ranks
  bind_sph(module);
  bind_cases(module);
}
