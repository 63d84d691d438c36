// SPDX-License-Identifier: Apache-2.0
#include <shoal/error.hpp>

#include "bindings.hpp"

NB_MODULE(_core, module) {
  using namespace shoal::python;
  module.doc() = "What the package shoal is made of: the C++ library's operations as they are.";

  // The last one registered is asked first.
  const nb::exception<shoal::Error> error(module, "Error", PyExc_RuntimeError);
  const nb::exception<shoal::OutOfMemory> out_of_memory(module, "OutOfMemory", error.ptr());
  error.attr("__doc__") = "What shoal raises: what was wrong, what was got, what was expected and what to do.";
  out_of_memory.attr("__doc__") = "Memory of a device or of the host is exhausted. The plan can be used again.";

  bind_methods(module);
  bind_grid(module);
  bind_cells(module);
  bind_neighbors(module);
  bind_neighbor_sets(module);
  bind_neighbor_stream(module);
  bind_deposit(module);
  bind_wall_mesh(module);
  bind_wall_distance(module);
  bind_collision(module);
  bind_relaxation(module);
  bind_sph(module);
}
