// SPDX-License-Identifier: Apache-2.0
// Reader of Plot3D grids: one or several blocks, 2-D or 3-D, with or without iblank. Files are text, Fortran's
// unformatted records or raw numbers, of either byte order, in float or double. A file does not declare its layout,
// which is derived from its counts.
#include "io/mesh/mesh_builder.hpp"
#include "io/mesh/readers/mesh_readers.hpp"
#include "io/mesh/readers/plot3d/plot3d_blocks.hpp"
#include "io/mesh/readers/structured_block.hpp"

namespace shoal::io {

namespace {

constexpr const char* axis_name[] = {"i", "j", "k"};

class Plot3dMesh {
 public:
  Plot3dMesh(const std::filesystem::path& path, const MeshFileOptions& options)
      : file_(path), options_(options), mesh_(path.string()) {}

  MeshFile read() {
    read_plot3d_blocks(file_,
                       [&](const BlockIndex& nodes, const MeshPoints& coordinates) { add_block(nodes, coordinates); });
    int axes = 0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const int of_block = blocks_[i].axes();
      require(of_block >= 2, file_.name(), ": block ", i + 1, " has ", sizes(blocks_[i]),
              " nodes: it has no cells. Expected two or three directions with 2 nodes or more.");
      require(axes == 0 || axes == of_block, file_.name(), ": block ", i + 1, " has ", sizes(blocks_[i]),
              " nodes: 2-D and 3-D are mixed. Expected only one of them.");
      axes = of_block;
    }
    const bool is_surface = axes == 2 && !is_flat_;
    for (std::size_t i = 0; i < blocks_.size(); ++i)
      if (!is_surface || options_.index_walls.empty()) add_all(blocks_[i], text("block ", i + 1));
    for (const IndexWall& wall : options_.index_walls) add_wall(wall, is_surface || axes == 3 ? 3 : 2);
    return mesh_.finish();
  }

 private:
  static std::string sizes(const StructuredBlock& block) {
    return text(block.nodes[0], " x ", block.nodes[1], " x ", block.nodes[2]);
  }

  void add_block(const BlockIndex& nodes, const MeshPoints& coordinates) {
    blocks_.push_back({nodes, mesh_.node_count()});
    if (!first_z_) first_z_ = coordinates.z.front();
    for (std::size_t i = 0; i < coordinates.x.size(); ++i) {
      mesh_.add_node(coordinates.x[i], coordinates.y[i], coordinates.z[i]);
      is_flat_ = is_flat_ && coordinates.z[i] == *first_z_;
    }
  }

  void add_all(const StructuredBlock& block, const std::string& name) {
    add_range_of_block(mesh_, block, {0, 0, 0}, {block.nodes[0] - 1, block.nodes[1] - 1, block.nodes[2] - 1},
                       mesh_.group({name}));
  }

  /// Index from 0 for an index that counts from 1 or, if negative, back from the last node.
  std::int64_t resolve(const IndexWall& wall, const StructuredBlock& block, std::size_t axis,
                       std::int64_t index) const {
    const std::int64_t count = block.nodes[axis];
    require(index != 0 && index <= count && index >= -count, file_.name(), ": wall `", wall.name,
            "`: ", axis_name[axis], " = ", index, ", and block ", wall.block, " has 1 to ", count, " (or -", count,
            " to -1).");
    return index > 0 ? index - 1 : count + index;
  }

  void add_wall(const IndexWall& wall, int dimensions) {
    require(wall.block >= 1 && wall.block <= static_cast<std::int64_t>(blocks_.size()), file_.name(), ": wall `",
            wall.name, "` is of block ", wall.block, ", and the file has 1 to ", blocks_.size(), ".");
    const StructuredBlock& block = blocks_[static_cast<std::size_t>(wall.block - 1)];
    BlockIndex first, last;
    int axes = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      first[axis] = resolve(wall, block, axis, wall.from[axis]);
      last[axis] = resolve(wall, block, axis, wall.to[axis]);
      require(first[axis] <= last[axis], file_.name(), ": wall `", wall.name, "`: ", axis_name[axis], " goes from ",
              wall.from[axis], " to ", wall.to[axis], ", expected the smaller one first.");
      axes += last[axis] > first[axis];
    }
    require(axes == dimensions - 1, file_.name(), ": wall `", wall.name, "` has nodes in ", axes,
            " directions, expected ", dimensions - 1, " in ", dimensions,
            "-D: the others of i, j and k do not change, as j in name=1/:/1/:.");
    add_range_of_block(mesh_, block, first, last, mesh_.group({wall.name}));
  }

  FileCursor file_;
  const MeshFileOptions& options_;
  MeshBuilder mesh_;
  std::vector<StructuredBlock> blocks_;
  bool is_flat_ = true;
  std::optional<double> first_z_;
};

}  // namespace

IndexWall index_wall(std::string_view description) {
  const auto refuse = [&] {
    throw Error(text("\"", description, "\" is no wall by index. Expected name=block/i/j/k, each of i, j and k a ",
                     "number, from:to, or : for all; such as airfoil=1/:/1/:."));
  };
  IndexWall wall;
  const std::size_t equals = description.find('=');
  if (equals == std::string_view::npos || equals == 0) refuse();
  wall.name = description.substr(0, equals);
  std::string_view rest = description.substr(equals + 1);
  std::size_t part = 0;
  for (; !rest.empty() || part < 3; ++part) {
    const std::size_t slash = std::min(rest.size(), rest.find('/'));
    const std::string_view word = rest.substr(0, slash);
    rest.remove_prefix(std::min(rest.size(), slash + 1));
    if (word.empty() || part > 3) refuse();
    if (part == 0) {
      if (!read_number(word, wall.block)) refuse();
      continue;
    }
    const std::size_t colon = std::min(word.size(), word.find(':'));
    const bool is_range = colon < word.size();
    const std::string_view first = word.substr(0, colon), last = is_range ? word.substr(colon + 1) : first;
    if (is_range && first.empty() && last.empty()) continue;  // the whole axis
    if (!read_number(first, wall.from[part - 1]) || !read_number(last, wall.to[part - 1])) refuse();
  }
  return wall;
}

MeshFile read_plot3d_mesh(const std::filesystem::path& file, const MeshFileOptions& options) {
  return Plot3dMesh(file, options).read();
}

}  // namespace shoal::io
