# SPDX-License-Identifier: Apache-2.0
import gzip

import numpy
import pytest

import shoal

SQUARE = {"points": [[0, 0], [1, 0], [1, 1], [0, 1]], "walls": {"floor": [[0, 1]], "rest": [[1, 2], [2, 3], [3, 0]]}}


def square():
    return shoal.WallMesh(SQUARE["points"], SQUARE["walls"])


def tetrahedron(shift=0.0):
    points = numpy.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1.0]]) + shift
    return points, numpy.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]])


def test_answers_by_hand():
    points = numpy.array([[0.5, 0.25], [2, 2], [0.5, -3]])
    found = shoal.wall_distance(square(), points, want=("distance", "face", "wall", "nearest", "lower"))
    assert found.distance.tolist() == [0.25, 2**0.5, 3]
    assert found.face.tolist() == [0, 1, 0] and found.wall.tolist() == [0, 1, 0]
    assert numpy.transpose(found.nearest).tolist() == [[0.5, 0], [1, 1], [0.5, 0]]
    assert found.face.dtype == "int64" and found.wall.dtype == "int32" and (found.lower <= found.distance).all()


EXACT = [row.name for row in shoal.methods("wall_distance") if row.device == "cpu" and row.name != "serial_double"]


@pytest.mark.parametrize("method", EXACT)
def test_every_method_says_what_serial_says(method, random):
    mesh, _ = shoal.six_spheres_case(600, 10)
    points = random.uniform(-5, 5, (500, 3))
    found = shoal.wall_distance(mesh, points, method=method)
    expected = shoal.wall_distance(mesh, points, method="serial")
    for got, right in zip(found[:3], expected[:3]):
        assert (got == right).all()
    centers = 2 * numpy.vstack([numpy.eye(3), -numpy.eye(3)])
    exact = (numpy.linalg.norm(points[:, None] - centers[None], axis=2) - 1).min(axis=1)
    assert numpy.abs(expected.distance - numpy.abs(exact)).max() < 0.1  # facets of 100 triangles a sphere


def test_signs_are_negative_inside():
    points, faces = tetrahedron()
    mesh = shoal.WallMesh(points, {"body": faces})
    found = shoal.wall_distance(mesh, numpy.array([[0.1, 0.2, 0.2], [0.1, 0.2, -0.2]]), signs=True)
    assert found.distance.tolist() == [-0.1, 0.2]


def test_signs_by_winding_numbers_take_duplicate_faces():
    points, faces = tetrahedron()
    mesh = shoal.WallMesh(points, {"body": faces, "again": faces[:1]})
    where = numpy.array([[0.1, 0.2, 0.2], [0.1, 0.2, -0.2]])
    with pytest.raises(shoal.Error, match="more than two faces"):
        shoal.wall_distance(mesh, where, signs=True)
    found = shoal.wall_distance(mesh, where, signs=True, inside="winding_number")
    assert found.distance.tolist() == [-0.1, 0.2]
    with pytest.raises(shoal.Error, match="is a rule for signs"):
        shoal.WallDistance(mesh, inside="winding_number")


def test_gradients_are_unit_vectors_from_the_nearest_point():
    points = numpy.array([[7.0, 8.0], [0.5, -3], [0.5, 0.25], [0, 0.5]])
    mesh = shoal.WallMesh([[0, 0], [4, 0], [4, 4], [0, 4]], {"square": [[0, 1], [1, 2], [2, 3], [3, 0]]})
    found = shoal.wall_distance(mesh, points, want=["gradient"])
    assert found.distance is None and numpy.transpose(found.gradient).tolist() == [[0.6, 0.8], [0, -1], [0, 1], [0, 0]]
    plan = shoal.WallDistance(mesh, signs=True)
    found = plan.find(points, want=["distance", "gradient"])
    assert found.distance[2] == -0.25
    assert numpy.transpose(found.gradient).tolist() == [[0.6, 0.8], [0, -1], [0, -1], [-1, 0]]
    again = plan.update(points[::-1], out=found)
    assert again == found and numpy.transpose(found.gradient)[0].tolist() == [-1, 0]


def test_gradients_of_the_mesh_are_those_of_a_weighted_sum():
    points, faces = tetrahedron()
    mesh = shoal.WallMesh(points, {"body": faces})
    where = numpy.random.default_rng(3).random((50, 3)) * 3 - 1
    found = shoal.wall_distance(mesh, where, want=["distance", "face", "nearest", "gradient"])
    gradient = shoal.mesh_gradient(mesh, found, 2 * found.distance)  # of the sum of squared distances
    assert gradient.shape == points.shape
    along = numpy.random.default_rng(4).standard_normal(points.shape)

    def squares(step):
        moved = shoal.WallMesh(points + step * along, {"body": faces})
        return (shoal.wall_distance(moved, where).distance ** 2).sum()

    assert (gradient * along).sum() == pytest.approx((squares(1e-6) - squares(-1e-6)) / 2e-6, rel=1e-7)
    with pytest.raises(shoal.Error, match="found.nearest is None. Search with want="):
        shoal.mesh_gradient(mesh, shoal.wall_distance(mesh, where), numpy.ones(50))
    with pytest.raises(shoal.Error, match="face of mesh_gradient.. has 50 elements on cpu, expected 3"):
        shoal.mesh_gradient(mesh, found, numpy.ones(3))


@pytest.mark.parametrize("real", ["float32", "float64"])
@pytest.mark.parametrize("index", ["int32", "int64"])
def test_arrays_give_the_plan_of_their_mesh(real, index):
    points, faces = tetrahedron()
    points, faces = points.astype(real), faces.astype(index)
    where = numpy.array([[0.1, 0.2, 0.2], [2, 0, 3], [0.1, 0.2, -0.2]])
    expected = shoal.WallDistance(shoal.WallMesh(points, {"body": faces}), signs=True).find(where)
    start = numpy.arange(0, 13, 3, dtype=index)
    marker = numpy.zeros(4, dtype=index)
    for plan in (
        shoal.WallDistance.from_arrays(points, faces, signs=True),
        shoal.WallDistance.from_arrays(tuple(points.T), tuple(faces.T), marker=marker, names=["body"], signs=True),
        shoal.WallDistance.from_arrays(points, faces.ravel(), start, signs=True),
    ):
        for got, right in zip(plan.find(where)[:3], expected[:3]):
            assert (got == right).all()
        assert plan.face_count == 4


def test_arrays_that_make_no_sense_are_refused():
    points, faces = tetrahedron()
    with pytest.raises(shoal.Error, match="corner 0 of face 0 is point 4, but there are 4 points"):
        shoal.WallDistance.from_arrays(points, faces + 4)
    with pytest.raises(shoal.Error, match="faces have the dtype float64, expected int32 or int64"):
        shoal.WallDistance.from_arrays(points, faces.astype("float64"))
    with pytest.raises(shoal.Error, match="points have 4 columns, expected 2 or 3"):
        shoal.WallDistance.from_arrays(numpy.zeros((3, 4)), faces)
    with pytest.raises(shoal.Error, match="faces is no table"):
        shoal.WallDistance.from_arrays(points, faces.ravel())


def test_bodies_move_and_only_some_walls_are_asked_about():
    mesh = shoal.WallMesh([[0, 0], [1, 0], [0, 5], [1, 5]], {"floor": [[0, 1]], "lid": [[2, 3]]})
    point = numpy.array([[0.5, 2.0]])
    plan = shoal.WallDistance(mesh, bodies={"piston": ["lid"]})
    assert plan.find(point).distance[0] == 2 and plan.find_body("piston", point).distance[0] == 3
    plan.move("piston", shoal.RigidTransform.shift((0, -2, 0)))
    found = plan.update(point)
    assert found.distance[0] == 1 and found.wall[0] == 1
    assert plan.find(point, out=found) == found and plan.face_count == 2 and plan.bytes > 0
    turned = shoal.RigidTransform.about((0, 5, 0), (0, 0, 1), numpy.pi / 2)
    assert turned.rotation[:2] == pytest.approx([0, -1])
    assert shoal.wall_distance(mesh, point, walls=["lid"]).distance[0] == 3
    plan.refit(numpy.array([[0, 0], [1, 0], [0, 7], [1, 7.0]]))
    assert plan.find_body("piston", point).distance[0] == 3


def test_what_is_not_wanted_is_none():
    found = shoal.wall_distance(square(), numpy.zeros((1, 2)), want=["lower"])
    assert found[:4] == (None,) * 4 and found.lower.tolist() == [0]


def test_faces_are_counted_on_request():
    plan = shoal.WallDistance(square(), count_faces=True, method="bvh")
    plan.find(numpy.zeros((3, 2)))
    assert plan.faces_tested.exact >= 3
    assert shoal.WallDistance(square()).faces_tested is None


def test_a_mesh_says_what_it_is():
    mesh = square()
    assert (mesh.dimensions, mesh.point_count, mesh.face_count) == (2, 4, 4)
    assert mesh.wall_names == ["floor", "rest"] and mesh.wall_of_face.tolist() == [0, 1, 1, 1]
    assert mesh.points.tolist() == SQUARE["points"] and "4 faces" in repr(mesh)


def test_faces_of_several_shapes_are_one_wall():
    points = numpy.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0.5, 0.5, 1]])
    sides = numpy.array([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]], "uint32")
    mesh = shoal.WallMesh(points, {"pyramid": ([[0, 3, 2, 1]], sides)})
    assert mesh.face_count == 5
    assert shoal.wall_distance(mesh, numpy.array([[0.5, 0.5, 0.1]]), signs=True).distance[0] == -0.1


def test_a_mesh_of_meshio_and_of_our_own_reader_are_the_same(tmp_path, random):
    meshio = pytest.importorskip("meshio")
    points, faces = tetrahedron()
    file = tmp_path / "body.stl"
    meshio.write(file, meshio.Mesh(points, [("triangle", faces)]))
    read = meshio.read(file)
    theirs = shoal.WallMesh(read.points, {"body": read.cells_dict["triangle"]})
    ours = shoal.read_mesh(file).walls()
    where = random.uniform(-1, 2, (100, 3))
    assert (shoal.wall_distance(theirs, where).distance == shoal.wall_distance(ours, where).distance).all()


def test_the_docstring_of_read_mesh_lists_the_extensions(tmp_path):
    with pytest.raises(shoal.Error) as error:
        shoal.read_mesh(tmp_path / "mesh.none")
    extensions = str(error.value).split("ends with ")[1].rstrip(".").split(", ")
    assert ".su2" in extensions and ", ".join(extensions) in shoal.read_mesh.__doc__


def test_a_mesh_file_has_cells_and_markers(tmp_path):
    file = tmp_path / "one.su2"
    file.write_text(
        "NDIME= 2\nNELEM= 1\n5 0 1 2 0\nNPOIN= 3\n0 0 0\n3 0 1\n0 3 2\nNMARK= 1\nMARKER_TAG= wing\nMARKER_ELEMS= 1\n3 0 1\n"
    )
    mesh = shoal.read_mesh(str(file))
    assert mesh.markers == {"wing": 1} and mesh.cell_count == 1 and mesh.nodes.shape == (3, 2)
    found = shoal.wall_distance(mesh.walls(["wing"]), mesh.cell_centers())
    assert found.distance.tolist() == [1]
    with pytest.raises(shoal.Error, match="wing"):
        mesh.walls(["tail"])


def write_openfoam_cube(case, write):
    """A unit cube whose patch `floor` at z = 0 is a wall. `write(path, text)` writes a file."""
    mesh = case / "constant" / "polyMesh"
    mesh.mkdir(parents=True)
    header = "FoamFile\n{{ version 2.0; format ascii; class {}; }}\n"
    corners = [f"({x} {y} {z})" for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    faces = ["4(0 2 3 1)", "4(4 5 7 6)", "4(0 1 5 4)", "4(2 6 7 3)", "4(0 4 6 2)", "4(1 3 7 5)"]
    boundary = "2(floor {type wall; nFaces 1; startFace 0;} rest {type patch; nFaces 5; startFace 1;})"
    for name, kind, content in [
        ("points", "vectorField", f"8({' '.join(corners)})"),
        ("faces", "faceList", f"6({' '.join(faces)})"),
        ("owner", "labelList", "6{0}"),
        ("neighbour", "labelList", "0()"),
        ("boundary", "polyBoundaryMesh", boundary),
    ]:
        write(mesh / name, header.format(kind) + content)


def write_packed(path, text):
    with gzip.open(f"{path}.gz", "wt") as file:
        file.write(text)


@pytest.mark.parametrize("write", [lambda path, text: path.write_text(text), write_packed])
def test_a_case_of_openfoam_is_read_and_gets_a_field(tmp_path, write):
    write_openfoam_cube(tmp_path / "case", write)
    mesh = shoal.read_mesh(tmp_path / "case")
    assert mesh.markers == {"floor": 1, "rest": 5}
    walls = mesh.walls()
    distance = shoal.wall_distance(walls, mesh.cell_centers("centroid")).distance
    assert distance.tolist() == [0.5]
    shoal.write_openfoam_field(tmp_path / "case", distance, time="1", zero_patches=["floor"])
    name = tmp_path / "case/1/wallDistance"
    text = name.read_text() if name.exists() else gzip.open(f"{name}.gz", "rt").read()
    assert "List<scalar>\n1\n(\n0.5\n);" in text and "fixedValue" in text
    with pytest.raises(shoal.Error, match="2 values of yWall, and the mesh has 1 cells"):
        shoal.write_openfoam_field(tmp_path / "case", [1, 2], name="yWall")
    with pytest.raises(shoal.Error, match=r"value has the shape \(1, 1\), expected \(cells,\)"):
        shoal.write_openfoam_field(tmp_path / "case", numpy.zeros((1, 1)))


def test_a_decomposed_case_of_openfoam_has_the_cells_of_its_parts(tmp_path):
    write_openfoam_cube(tmp_path / "case", lambda path, text: path.write_text(text))
    for part in range(2):
        write_openfoam_cube(tmp_path / f"case/processor{part}", lambda path, text: path.write_text(text))
    assert shoal.read_mesh(tmp_path / "case").cell_count == 1
    assert shoal.read_mesh(tmp_path / "case", decomposed=True).cell_count == 2
    shoal.write_openfoam_field(tmp_path / "case", [1, 2], decomposed=True, format="binary")
    assert numpy.array([2.0]).tobytes() in (tmp_path / "case/processor1/0/wallDistance").read_bytes()


@pytest.mark.parametrize("case", [shoal.circle_case, shoal.naca0012_case])
def test_cases_have_their_walls_and_cells(case):
    mesh, points = case(33, 10)
    assert mesh.face_count == 32 and points.shape == (32 * 9, 2)


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: shoal.WallMesh([[0, 0, 0, 0]], {}), r"points have the shape \(1, 4\), expected \(n, 2\) or \(n, 3\)"),
        (lambda: shoal.WallMesh([[0, 0]], {}), "face"),
        (lambda: shoal.WallMesh([[0, 0], [1, 0]], {"a": [[0, 2]]}), "2"),
        (lambda: shoal.WallMesh([[0, 0], [1, 0]], {"a": [[0.0, 1.0]]}), 'faces of wall "a" are float64, expected integers'),
        (lambda: shoal.WallMesh([[0, 0], [1, 0]], {"a": [0, 1]}), r"expected \(faces, corners\)"),
        (lambda: shoal.WallDistance(square(), bodies=["a"]), "expected a dict from the names of bodies"),
        (lambda: shoal.WallDistance(square(), walls=["roof"]), "floor"),
        (lambda: shoal.WallDistance(square(), far_field=1), "far_field = 1, expected 2 values"),
        (lambda: shoal.WallDistance(square(), auxiliary_cells=-1), "auxiliary_cells is -1, expected 1 to 1000000"),
        (lambda: shoal.WallDistance(square(), method="bvh", auxiliary_cells=9), "`bvh` has no auxiliary grid"),
        (lambda: shoal.WallDistance(square()).move("lid", shoal.RigidTransform.shift((1, 0, 0))), "lid"),
        (lambda: shoal.wall_distance(square(), numpy.zeros((1, 2)), want=["normal"]), "distance, face, wall, nearest"),
        (lambda: shoal.wall_distance(square(), numpy.zeros((1, 2), "float32")), "points is float32, expected float64"),
        (lambda: shoal.wall_distance(square(), numpy.full((1, 2), numpy.nan)), "point 0"),
        (lambda: shoal.WallDistance(square()).refit(numpy.zeros((3, 2))), "3"),
        (lambda: shoal.read_mesh("nowhere.stl"), "nowhere.stl"),
        (lambda: shoal.RigidTransform.about((0, 0, 0), (0, 0, 0), 1), "axis"),
        (lambda: shoal.circle_case(3, 3), "a circle of 3 x 3 points, expected at least 4 x 3"),
    ],
)
def test_bad_input_is_named(call, message):
    with pytest.raises(shoal.Error, match=message):
        call()


def test_writes_fields_of_su2_and_cgns(tmp_path):
    restart = tmp_path / "flow.csv"
    restart.write_text('"PointID","x"\n0,1.0\n1,2.0\nEXT_ITER= 3\n')
    shoal.write_su2_field(restart, tmp_path / "out.csv", [0, 0.5], name="yWall")
    assert (tmp_path / "out.csv").read_text().splitlines()[2] == "1,2.0,5.000000000000000e-01"
    with pytest.raises(shoal.Error, match="1 values of Wall_Distance, and the file has 2 points"):
        shoal.write_su2_field(restart, tmp_path / "out.csv", [0])
    with pytest.raises(shoal.Error, match="value has the shape .2, 1., expected .points,."):
        shoal.write_su2_field(restart, tmp_path / "out.csv", [[0], [1]])
    with pytest.raises(shoal.Error, match="CGNS|cannot be copied"):
        shoal.write_cgns_field(tmp_path / "none.cgns", tmp_path / "out.cgns", [0])
