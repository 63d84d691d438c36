// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance/mesh_gradient.hpp>

#include "bindings.hpp"
#include "support/inputs.hpp"

namespace shoal::python {

namespace {

constexpr const char* operation = "wall_distance";

template <class T>
using Column = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// An array in host memory as a contiguous column of NumPy, which the caller keeps.
template <class T>
Column<T> column(const std::string& name, nb::handle input, const char* dtype, std::vector<nb::object>& kept) {
  require(!input.is_none(), "wall_distance: found.", name,
          " is None. Search with want=('face', 'nearest', 'gradient').");
  kept.push_back(nb::module_::import_("numpy").attr("ascontiguousarray")(as_array(operation, name, input), dtype));
  Column<T> result;
  require(nb::try_cast(kept.back(), result, false), "wall_distance: ", name, " has the shape ",
          text_of(kept.back().attr("shape")), ", expected (n,) in host memory.");
  return result;
}

template <class T>
View<T> view_of(const Column<T>& array) {
  return {array.data(), static_cast<std::int64_t>(array.shape(0))};
}

nb::object gradient_of_mesh(const WallMesh& mesh, nb::handle result, nb::handle weight, const std::string& target) {
  std::vector<nb::object> kept;
  const auto axes = static_cast<std::size_t>(mesh.dimensions);
  std::array<View<double>, 3> nearest, gradient, out;
  for (const auto& [name, views] : {std::pair("nearest", &nearest), {"gradient", &gradient}}) {
    const nb::object columns = result.attr(name);
    require(!columns.is_none(), "wall_distance: found.", name,
            " is None. Search with want=('face', 'nearest', 'gradient').");
    for (std::size_t axis = 0; axis < axes; ++axis)
      (*views)[axis] = view_of(column<double>(name, columns[axis], "float64", kept));
  }
  const View<std::int64_t> face = view_of(column<std::int64_t>("face", result.attr("face"), "int64", kept));
  const View<double> weights = view_of(column<double>("weight", weight, "float64", kept));
  const nb::object sums = nb::module_::import_("numpy").attr("zeros")(nb::make_tuple(mesh.point_count(), axes));
  double* const data = nb::cast<nb::ndarray<double, nb::ndim<2>, nb::c_contig>>(sums).data();
  for (std::size_t axis = 0; axis < axes; ++axis)
    out[axis] = {data + axis, mesh.point_count(), {}, static_cast<std::int64_t>(axes)};
  const WallDistanceOutputs search{.face = face,
                                   .x = nearest[0],
                                   .y = nearest[1],
                                   .z = nearest[2],
                                   .gradient_x = gradient[0],
                                   .gradient_y = gradient[1],
                                   .gradient_z = gradient[2]};
  const GilRelease gil_release;
  mesh_gradient(mesh, search, weights, out, from_name<WallDistanceTo>(target));
  return sums;
}

}  // namespace

void bind_mesh_gradient(nb::module_& module) {
  module.def(
      "mesh_gradient", &gradient_of_mesh, "mesh"_a, "found"_a, "weight"_a, "to"_a = "face",
      nb::sig("def mesh_gradient(mesh: WallMesh, found: shoal._results.WallDistances, weight: typing.Any, to: "
              "typing.Literal['face', 'face_center'] = 'face') -> typing.Any"),
      R"(Derivative of a weighted sum of distances with respect to the points of the walls, for shape optimization.

``out[v] = sum_k weight[k] dd_k/dv = -sum_k weight[k] b_kv gradient_k`` with the barycentric coordinate b_kv of the mesh's
point v at the nearest point of point k. With weights ``dJ/dd_k`` it is the part of ``dJ/dv`` that comes from distances.
It exists where the derivative with respect to the point does. One CPU thread computes it, with the same bits on every run.

Parameters
----------
mesh : WallMesh
    The mesh of the search; where bodies moved or points were refitted, with these positions.
found : WallDistances
    Result of a search with ``want=("face", "nearest", "gradient")``, and more; in host memory.
weight : array (n,)
    One for each point.
to : {"face", "face_center"}
    As for the search.

Returns
-------
array (points of the mesh, d)
    float64, unit of the weight.

Raises
------
Error
    A field that was not requested, an array of another length, a face that is not in the mesh.

Examples
--------
>>> found = shoal.wall_distance(mesh, points, want=("distance", "face", "nearest", "gradient"))
>>> shoal.mesh_gradient(mesh, found, 2 * found.distance)  # of the sum of squared distances
)");
}

}  // namespace shoal::python
