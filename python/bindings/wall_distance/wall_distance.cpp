// SPDX-License-Identifier: Apache-2.0
#include <shoal/wall_distance.hpp>

#include "bindings.hpp"
#include "wall_distance/bound_wall_distance.hpp"
#include "wall_distance/wall_arrays.hpp"

namespace shoal::python {

/// {"flap": ["upper", "lower"]}
template <>
struct OptionType<std::vector<WallBody>> {
  static std::string name() { return "collections.abc.Mapping[str, collections.abc.Sequence[str]]"; }
  static std::string literal(const std::vector<WallBody>&) { return "{}"; }
  static std::vector<WallBody> read(const std::string& option, nb::handle value) {
    if (!PyDict_Check(value.ptr())) bad_option(option, value, "a dict from the names of bodies to their walls");
    std::vector<WallBody> bodies;
    for (const auto& [body, walls] : nb::borrow<nb::dict>(value))
      bodies.push_back(
          {OptionType<std::string>::read(option, body), OptionType<std::vector<std::string>>::read(option, walls)});
    return bodies;
  }
};

/// (tolerance, beyond)
template <>
struct OptionType<FarField> {
  static std::string name() { return "tuple[float, float]"; }
  static std::string literal(const FarField& far) {
    return "(" + OptionType<double>::literal(far.tolerance) + ", " + OptionType<double>::literal(far.beyond) + ")";
  }
  static FarField read(const std::string& option, nb::handle value) {
    const auto [tolerance, beyond] = OptionType<std::array<double, 2>>::read(option, value);
    return {tolerance, beyond};
  }
};

namespace {

const Options<WallDistanceOptions>& wall_distance_options() {
  static const auto table = Options<WallDistanceOptions>()
                                .add("method", &WallDistanceOptions::method)
                                .add("walls", &WallDistanceOptions::walls)
                                .add("to", &WallDistanceOptions::to)
                                .add("bodies", &WallDistanceOptions::bodies)
                                .add("motion", &WallDistanceOptions::motion)
                                .add("signs", &WallDistanceOptions::signs)
                                .add("inside", &WallDistanceOptions::inside)
                                .add("auxiliary_cells", &WallDistanceOptions::auxiliary_cells)
                                .add("far_field", &WallDistanceOptions::far_field)
                                .add("count_faces", &WallDistanceOptions::count_faces);
  return table;
}

const std::vector<std::string> default_fields = {"distance", "face", "wall"};

nb::object wall_distance(const WallMesh& mesh, nb::handle points, nb::handle want, const nb::kwargs& keywords) {
  WallDistanceOptions options;
  CallOptions call;
  read_options(BoundWallDistance::operation, keywords, wall_distance_options(), options, call_options(), call);
  return BoundWallDistance(context_of(BoundWallDistance::operation, "points", points, call), mesh, options)
      .find(points, want, nb::none());
}

constexpr const char* what_it_computes = R"(
``d(p) = min_f min_{q in f} |p - q|``: distances are to the faces themselves, within one unit in the last place of the
exact number. Where several faces are at the same distance, the result is the one with the smallest number.
)";

constexpr const char* option_parameters = R"(method : str
    Name of a method of ``shoal.methods("wall_distance")``, or "auto".
walls : sequence of str
    Names of the walls to use; none: all.
to : {"face", "face_center"}
    The part of a face to which distances are measured.
bodies : dict of str to sequence of str
    Walls that `move` together, by the name of the body; all other walls are fixed.
motion : float
    Expected relative motion of walls and points over a few steps (m); see `update`.
signs : bool
    Negative distances inside the walls, which must be closed, unless `inside` is "winding_number".
inside : {"closed", "winding_number"}
    Rule for `signs`: the side of the nearest face of closed walls, or a winding number above 1/2, for walls with holes,
    duplicate faces or intersections.
auxiliary_cells : int
    Number of cells of the auxiliary grid along each axis, 1 to 1,000,000, for methods `advancing_boundary_*` alone;
    0: 79 in 2-D, 31 in 3-D. Results do not depend on it.
far_field : (tolerance, beyond)
    Where the true distance is at least `beyond` (m), results may exceed it by this relative tolerance, 0 to 1.
count_faces : bool
    `find` counts the faces that it tests.
)";

constexpr const char* find_text = R"(
Parameters
----------
points : array (n, d), or a tuple of d columns (n)
    m, float64, of any stride. Points that are close in memory should be close in space.
want : sequence of str, from {"distance", "face", "wall", "nearest", "lower", "gradient"}
    Fields of the result: distance (m), negative inside with `signs`; numbers of the nearest face (int64) and of its
    wall (int32); its nearest point (m, one array for each coordinate); lower bound of the true distance (m);
    derivative of the distance with respect to the point (one array for each coordinate): the unit vector from the
    nearest point, and its opposite inside. It is not defined where several points of the walls are nearest; the result
    is then that of `face`. On a wall it is 0, and with `signs` the unit normal out of the body.
out : WallDistances, optional
    An earlier result to overwrite; it replaces `want`.

Returns
-------
WallDistances
    Fields that are not in `want` are None.

Raises
------
Error
    A coordinate is not finite: names the first such point; an array of another type or shape, or on another device.
)";

BoundWallDistance from_arrays(nb::handle points, nb::handle faces, nb::handle face_start, nb::handle marker,
                              const std::vector<std::string>& names, const nb::kwargs& keywords) {
  WallDistanceOptions options;
  ContextOptions context_keywords;
  read_options(BoundWallDistance::operation, keywords, wall_distance_options(), options, double_context_options(),
               context_keywords);
  PlanContext context = make_context(BoundWallDistance::operation, context_keywords);
  CallArrays call(BoundWallDistance::operation, context);
  WallDistance plan = plan_from_arrays(call, {points, faces, face_start, marker, names}, options);
  return {std::move(context), column_count(BoundWallDistance::operation, "points", points), std::move(plan)};
}

constexpr const char* from_arrays_text =
    R"(A plan for walls in arrays on the plan's device, which gives the results of a plan for a WallMesh.

Parameters
----------
points : array (n, d), or a tuple of d columns (n)
    m, float32 or float64, of any stride.
faces : array (faces, corners), or a tuple of columns (faces); with `face_start` an array of all corners
    int32 or int64 numbers of points, from 0, in order around each face.
face_start : array (faces + 1), optional
    Start of each face in `faces`, for faces of different numbers of corners.
marker : array (faces), optional
    Number of the wall of each face; without: all faces are wall 0.
names : sequence of str
    Names of the walls by number; a missing name becomes "wall 3".

All other keywords are those of the class. Arrays of numbers have one type.

Raises
------
Error
    The errors of a WallMesh and of a plan, arrays of another type, or on another device.

Examples
--------
>>> walls = shoal.WallDistance.from_arrays(cupy.eye(3), cupy.array([[0, 1, 2]]), device="cuda")
)";

void bind_transform(nb::module_& module) {
  nb::class_<RigidTransform>(module, "RigidTransform",
                             "Rigid motion of a body: a point x of the mesh moves to ``R x + t``.")
      .def_static("shift", &RigidTransform::shift, "by"_a, "Translation by a vector of three numbers, m.")
      .def_static("about", &RigidTransform::about, "point"_a, "axis"_a, "angle"_a,
                  R"(Rotation about the line through `point` along `axis`.

Parameters
----------
point : (float, float, float)
    m.
axis : (float, float, float)
    Need not be a unit vector; z in 2-D.
angle : float
    Radians, counter-clockwise seen from the tip of `axis`.
)")
      .def_ro("rotation", &RigidTransform::rotation, "list of float: R, row by row.")
      .def_ro("translation", &RigidTransform::translation, "list of float: t, m.");
}

}  // namespace

void bind_wall_distance(nb::module_& module) {
  bind_transform(module);
  const char* const arguments =
      signature("points: typing.Any, want: collections.abc.Sequence[", OptionType<ResultField>::name(),
                "] = ('distance', 'face', 'wall'), out: shoal._results.WallDistances | None = None) -> "
                "shoal._results.WallDistances");
  const nb::object defaults = nb::tuple(nb::cast(default_fields));
  nb::class_<BoundWallDistance>(
      module, "WallDistance",
      signature("A plan for distances from points to the nearest wall face, for fixed and moving walls.\n",
                what_it_computes, "\nParameters\n----------\nmesh : WallMesh\n", option_parameters,
                double_context_parameters,
                "\nExamples\n--------\n>>> walls = shoal.WallDistance(mesh, bodies={\"flap\": [\"flap\"]})\n>>> "
                "walls.move(\"flap\", shoal.RigidTransform.about((0.7, 0, 0), (0, 0, 1), 0.1))\n>>> distance = "
                "walls.find(points).distance\n\nReferences\n----------\nWukie, Ganapathy and Park (2014); Roget and "
                "Sitaraman (2013)."))
      .def(
          "__init__",
          [](BoundWallDistance* self, const WallMesh& mesh, const nb::kwargs& keywords) {
            WallDistanceOptions options;
            ContextOptions context;
            read_options(BoundWallDistance::operation, keywords, wall_distance_options(), options,
                         double_context_options(), context);
            new (self) BoundWallDistance(make_context(BoundWallDistance::operation, context), mesh, options);
          },
          "mesh"_a, "keywords"_a,
          nb::sig(signature("def __init__(self, mesh: WallMesh, *, ", wall_distance_options().signature(), ", ",
                            double_context_options().signature(), ") -> None")))
      .def_static("from_arrays", &from_arrays, "points"_a.none(), "faces"_a.none(), "face_start"_a.none() = nb::none(),
                  "marker"_a.none() = nb::none(), "names"_a = nb::tuple(), "keywords"_a,
                  nb::sig(signature("def from_arrays(points: typing.Any, faces: typing.Any, face_start: typing.Any = "
                                    "None, marker: typing.Any "
                                    "= None, names: collections.abc.Sequence[str] = (), *, ",
                                    wall_distance_options().signature(), ", ", double_context_options().signature(),
                                    ") -> WallDistance")),
                  from_arrays_text)
      .def("find", &BoundWallDistance::find, "points"_a.none(), "want"_a = defaults, "out"_a = nb::none(),
           nb::sig(signature("def find(self, ", arguments)), signature("Distances of n points.\n", find_text))
      .def("find_body", &BoundWallDistance::find_body, "body"_a, "points"_a.none(), "want"_a = defaults,
           "out"_a = nb::none(), nb::sig(signature("def find_body(self, body: str, ", arguments)),
           signature("Distances to the walls of one body alone.\n", find_text))
      .def("update", &BoundWallDistance::update, "points"_a.none(), "want"_a = defaults, "out"_a = nb::none(),
           nb::sig(signature("def update(self, ", arguments)),
           signature(
               "Returns exactly what `find` would, and usually needs no search: for the same points step after step, "
               "while bodies move. A search runs only after a point or body moved too far since its last search.\n",
               find_text))
      .def("move", &BoundWallDistance::move, "body"_a, "to"_a,
           "Moves a body from its position in the mesh by the RigidTransform `to`. No tree is rebuilt.")
      .def("refit", &BoundWallDistance::refit, "points"_a.none(),
           nb::sig("def refit(self, points: typing.Any) -> None"),
           "Changes the positions of the mesh's points, for walls that deform: float64 [points of the mesh] on the "
           "host or on the plan's device.")
      .def("wait", &BoundWallDistance::wait, "Waits for all work of the plan's stream, and raises its errors.")
      .def_prop_ro("reused", &BoundWallDistance::reused,
                   "int: number of points of the last update that needed no search.")
      .def_prop_ro("faces_tested", &BoundWallDistance::faces_tested,
                   nb::sig("def faces_tested(self) -> shoal._results.WallFacesTested | None"),
                   "WallFacesTested or None: tests of the last find, with `count_faces` and a method that counts.")
      .def_prop_ro(
          "face_count", [](const BoundWallDistance& walls) { return walls.plan().face_count(); },
          "int: number of faces of the walls in use.")
      .def_prop_ro(
          "bytes", [](const BoundWallDistance& walls) { return walls.plan().bytes(); }, "int: memory of the plan.")
      .def_prop_ro(
          "method", [](const BoundWallDistance& walls) { return walls.plan().method(); },
          "MethodInfo: method that the plan selected.")
      .def_prop_ro(
          "device", [](const BoundWallDistance& walls) { return to_string(walls.context().queue.device()); },
          "str: device of the plan.");

  module.def(
      "wall_distance", &wall_distance, "mesh"_a, "points"_a.none(), "want"_a = defaults, "keywords"_a,
      nb::sig(signature("def wall_distance(mesh: WallMesh, points: typing.Any, want: collections.abc.Sequence[",
                        OptionType<ResultField>::name(), "] = ('distance', 'face', 'wall'), *, ",
                        wall_distance_options().signature(), ", ", call_options().signature(),
                        ") -> shoal._results.WallDistances")),
      signature("Distances from points to the nearest wall face. `WallDistance` builds the tree once for many calls.\n",
                what_it_computes, find_text, "\nOther parameters\n----------------\n", option_parameters));
}

}  // namespace shoal::python
