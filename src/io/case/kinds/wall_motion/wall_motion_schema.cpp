// SPDX-License-Identifier: Apache-2.0
#include "io/case/kinds/wall_motion/wall_motion_schema.hpp"

#include <utility>

#include "io/case/motions/motion_keys.hpp"

namespace shoal::io {

using wall_motion::Body;
using wall_motion::Case;
using wall_motion::Mesh;
using wall_motion::MeshSource;

namespace {

constexpr Range number_of_points{5, 1e6};

Section<Case> top_keys() {
  return {"",
          Shape::table,
          true,
          {key<Case>("title", &Case::title, {.meaning = "title for output and messages"}),
           key<Case>("dimensions", &Case::dimensions,
                     {.meaning = "dimensions of the mesh, 2 or 3; points have as many numbers", .range = {2, 3}})}};
}

Section<Case> run_keys() {
  return {
      "run",
      Shape::table,
      true,
      {key<Case>("duration", &Case::duration,
                 {.meaning = "physical time to run", .unit = "s", .required = true, .range = positive}),
       key<Case>(
           "step", &Case::step,
           {.meaning = "time between two updates of the distances", .unit = "s", .required = true, .range = positive}),
       key<Case>("output_every", &Case::output_every,
                 {.meaning = "time between states that are written; 0: each step", .unit = "s", .range = not_negative}),
       key<Case>("compression", &Case::compression,
                 {.meaning = "deflate level of the states; 0: none", .range = {0, 9}}),
       key<Case>("method", &Case::method,
                 {.meaning = "method of `shoal methods`; auto: the best deterministic one for the device"})}};
}

Section<Mesh> mesh_keys() {
  const Condition<Mesh> file{"source", "file", [](const Mesh& m) { return m.source == MeshSource::file; }};
  const Condition<Mesh> o_grid{"source", "o_grid", [](const Mesh& m) { return m.source == MeshSource::o_grid; }};
  return {
      "mesh",
      Shape::table,
      true,
      {key<Mesh>("source", &Mesh::source, {.meaning = "a mesh file, or a generated O-grid"}),
       key<Mesh>(
           "file", &Mesh::file,
           {.meaning = "mesh file, relative to the case file; docs/meshes.md", .required = true, .only_with = file}),
       key<Mesh>("walls", &Mesh::walls,
                 {.meaning = "names of the walls; by default the only wall of the mesh", .only_with = file}),
       key<Mesh>("index_walls", &Mesh::index_walls,
                 {.meaning = "walls of a Plot3D file: circle=1/:/1/:, docs/meshes.md", .only_with = file}),
       key<Mesh>("marker_array", &Mesh::marker_array,
                 {.meaning = "array of a VTK file that has the number of its wall for each face", .only_with = file}),
       key<Mesh>("around", &Mesh::around,
                 {.meaning = "the wall `circle` of radius 0.5 m, or `airfoil` of chord 1 m", .only_with = o_grid}),
       key<Mesh>("points_around", &Mesh::points_around,
                 {.meaning = "number of grid points around the wall, the first one counted twice; odd for naca0012",
                  .range = number_of_points,
                  .only_with = o_grid}),
       key<Mesh>(
           "points_out", &Mesh::points_out,
           {.meaning = "number of grid points from the wall outwards", .range = number_of_points, .only_with = o_grid}),
       key<Mesh>("points", &Mesh::points, {.meaning = "positions of the distances: cells or nodes"}),
       key<Mesh>("center", &Mesh::center, {.meaning = "center of a cell: the mean of its corners, or the centroid"})}};
}

Section<Body> body_keys() {
  const Condition<Body> mesh{"shape", "mesh", [](const Body& b) { return b.shape == wall_motion::Shape::mesh; }};
  const Condition<Body> round{"shape", "round", [](const Body& b) { return b.shape == wall_motion::Shape::round; }};
  Section<Body> section = {
      "body",
      Shape::list,
      false,
      {key<Body>("name", &Body::name, {.meaning = "name of the body", .required = true}),
       key<Body>("shape", &Body::shape,
                 {.meaning = "walls of the mesh, or an additional circle (2-D) or sphere (3-D)"}),
       key<Body>("walls", &Body::walls,
                 {.meaning = "names of the walls of the body", .required = true, .only_with = mesh}),
       key<Body>("center", &Body::center,
                 {.meaning = "initial center", .unit = "m", .required = true, .only_with = round}),
       key<Body>("radius", &Body::radius,
                 {.meaning = "radius of the circle or sphere",
                  .unit = "m",
                  .required = true,
                  .range = positive,
                  .only_with = round}),
       key<Body>("faces", &Body::faces,
                 {.meaning = "approximate number of faces", .range = {8, 1e8}, .only_with = round})}};
  for (Key<Body>& key : motion_keys<Body>([](auto& body) -> auto& { return body.motion; }))
    section.keys.push_back(std::move(key));
  return section;
}

}  // namespace

const WallMotionSchema& wall_motion_schema() {
  static const WallMotionSchema table{top_keys(), run_keys(), mesh_keys(), body_keys()};
  return table;
}

}  // namespace shoal::io
