// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/openfoam_field.hpp>
#include <shoal/io/solver_fields.hpp>

#include "bindings.hpp"
#include "support/inputs.hpp"

namespace shoal::python {

namespace {

/// Values in host memory, one for each item, and the array that holds them.
struct HostValues {
  nb::object array;
  View<const double> view;

  HostValues(const char* operation, nb::handle value, const char* items)
      : array(nb::module_::import_("numpy").attr("ascontiguousarray")(as_array(operation, "value", value), "float64")) {
    nb::ndarray<const double, nb::ndim<1>, nb::c_contig> values;
    require(nb::try_cast(array, values, false), operation, ": value has the shape ", text_of(array.attr("shape")),
            ", expected (", items, ",).");
    view = {values.data(), static_cast<std::int64_t>(values.shape(0))};
  }
};

void bind_openfoam_field(nb::module_& module) {
  module.def(
      "write_openfoam_field",
      [](const std::filesystem::path& mesh, nb::handle value, const std::string& name, const std::string& time,
         const std::vector<std::string>& zero_patches, const std::array<int, 7>& dimensions, const std::string& format,
         bool decomposed) {
        const HostValues values("openfoam", value, "cells");
        const io::OpenFoamField field{time, name, zero_patches, dimensions, from_name<io::OpenFoamFormat>(format)};
        io::write_openfoam_field(mesh, field, values.view, decomposed);
      },
      "mesh"_a, "value"_a, "name"_a = io::OpenFoamField().name, "time"_a = io::OpenFoamField().time,
      "zero_patches"_a = nb::tuple(), "dimensions"_a = io::OpenFoamField().dimensions,
      "format"_a = std::string(to_name(io::OpenFoamFormat::mesh)), "decomposed"_a = false,
      nb::sig(
          "def write_openfoam_field(mesh: str | os.PathLike[str], value: typing.Any, name: str = 'wallDistance', "
          "time: str = '0', zero_patches: collections.abc.Sequence[str] = (), dimensions: "
          "collections.abc.Sequence[int] = (0, 1, 0, 0, 0, 0, 0), format: typing.Literal['mesh', 'ascii', 'binary'] "
          "= 'mesh', decomposed: bool = False) -> None"),
      R"(Writes a volScalarField beside a mesh of OpenFOAM, or beside each part of a decomposed mesh.

Parameters
----------
mesh : path
    The path for `read_mesh`.
value : array
    [cells] in host memory, in the order of `read_mesh`, at the centroids of cells.
name, time : str
    The file is TIME/NAME in the folder of the case, or of each processor.
zero_patches : sequence of str
    Patches on which the field is 0: the walls. Others are zeroGradient, or keep a type such as empty or cyclic.
dimensions : sequence of int
    Exponents of kg, m, s, K, mol, A and cd.
format : str
    "mesh": as the file points of the mesh; "ascii" or "binary".
decomposed : bool
    As for `read_mesh`.

Raises
------
Error
    No mesh, another number of values than cells, a value that is not finite, no such patch, or no room on the disk.
)");
}

void bind_cgns_field(nb::module_& module) {
  module.def(
      "write_cgns_field",
      [](const std::filesystem::path& mesh, const std::filesystem::path& out, nb::handle value, const std::string& name,
         const std::string& part) {
        const HostValues values("cgns", value, "cells or nodes");
        io::write_cgns_field(mesh, out, name, from_name<io::MeshPart>(part), values.view);
      },
      "mesh"_a, "out"_a, "value"_a, "name"_a = "TurbulentDistance", "part"_a = "cells",
      nb::sig(
          "def write_cgns_field(mesh: str | os.PathLike[str], out: str | os.PathLike[str], value: typing.Any, name: "
          "str = 'TurbulentDistance', part: typing.Literal['cells', 'nodes'] = 'cells') -> None"),
      R"(Writes a copy of a CGNS file with an array of values in each zone, as a solution of its own.

Parameters
----------
mesh : path
    The file for `read_mesh`, which stays as it is.
out : path
    The copy; an existing file is replaced.
value : array
    [cells] or [nodes] in host memory, in the order of `read_mesh`, in SI units.
name : str
    Of array and solution; "TurbulentDistance" is the name in SIDS of the distance to the nearest wall, in m.
part : {"cells", "nodes"}
    Place of the values.

Raises
------
Error
    Another number of values, a value that is not finite, a solution of that name, a zone with polyhedra and other cells
    (take nodes), a build without CGNS, or no room on the disk.
)");
}

void bind_su2_field(nb::module_& module) {
  module.def(
      "write_su2_field",
      [](const std::filesystem::path& restart, const std::filesystem::path& out, nb::handle value,
         const std::string& name) {
        const HostValues values("su2", value, "points");
        io::write_su2_field(restart, out, name, values.view);
      },
      "restart"_a, "out"_a, "value"_a, "name"_a = "Wall_Distance",
      nb::sig(
          "def write_su2_field(restart: str | os.PathLike[str], out: str | os.PathLike[str], value: typing.Any, name: "
          "str = 'Wall_Distance') -> None"),
      R"(Writes a copy of a restart file of SU2, text or binary, with a field more.

Parameters
----------
restart : path
    The file of one zone, .csv or .dat, which stays as it is.
out : path
    The copy; an existing file is replaced.
value : array
    [points] in host memory, in the order of the nodes of the mesh.
name : str
    Of the field.

Raises
------
Error
    No restart file, another number of values, a value that is not finite, a field of that name, or no room on the disk.
)");
}

}  // namespace

void bind_solver_fields(nb::module_& module) {
  bind_openfoam_field(module);
  bind_cgns_field(module);
  bind_su2_field(module);
}

}  // namespace shoal::python
