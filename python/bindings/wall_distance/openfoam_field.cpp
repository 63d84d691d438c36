// SPDX-License-Identifier: Apache-2.0
#include <shoal/io/openfoam_field.hpp>

#include "bindings.hpp"
#include "support/inputs.hpp"

namespace shoal::python {

void bind_openfoam_field(nb::module_& module) {
  module.def(
      "write_openfoam_field",
      [](const std::filesystem::path& mesh, nb::handle value, const std::string& name, const std::string& time,
         const std::vector<std::string>& zero_patches, const std::array<int, 7>& dimensions, const std::string& format,
         bool decomposed) {
        const nb::object array =
            nb::module_::import_("numpy").attr("ascontiguousarray")(as_array("openfoam", "value", value), "float64");
        nb::ndarray<const double, nb::ndim<1>, nb::c_contig> values;
        require(nb::try_cast(array, values, false), "openfoam: value has the shape ", text_of(array.attr("shape")),
                ", expected (cells,).");
        const io::OpenFoamField field{time, name, zero_patches, dimensions, from_name<io::OpenFoamFormat>(format)};
        const View<const double> view(values.data(), static_cast<std::int64_t>(values.shape(0)));
        io::write_openfoam_field(mesh, field, view, decomposed);
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

}  // namespace shoal::python
