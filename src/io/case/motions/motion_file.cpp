// SPDX-License-Identifier: Apache-2.0
#include "io/case/motions/motion_file.hpp"

#include <shoal/io/points_file.hpp>

#include <algorithm>

#include "core/text.hpp"

namespace shoal::io {

namespace {

const std::vector<std::string> value_columns = {"x", "y", "z", "angle"};  ///< names of the values of a PathKnot

void require_columns(const Motion& motion) {
  require(!motion.columns.empty(), motion.file, ": `columns` of the motion is empty, expected some of ",
          join(value_columns), ".");
  for (const std::string& column : motion.columns)
    require(std::find(value_columns.begin(), value_columns.end(), column) != value_columns.end(), motion.file,
            ": `columns` of the motion has \"", column, "\", expected some of ", join(value_columns), ".");
}

MotionPath read_path(const Motion& motion) {
  const PointsFile table = read_points(motion.file, {.coordinates = {"time"}, .values = motion.columns});
  std::vector<std::array<double, 3>> displacement(table.x.size());
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto column = table.values.find(value_columns[axis]);
    if (column == table.values.end()) continue;
    for (std::size_t row = 0; row < displacement.size(); ++row) displacement[row][axis] = column->second[row];
  }
  const auto angle = table.values.find("angle");
  try {
    return {table.x, displacement, angle == table.values.end() ? std::vector<double>{} : angle->second,
            motion.interpolation};
  } catch (const Error& error) {
    throw Error(text(motion.file, ": ", error.what()));
  }
}

}  // namespace

void read_motion(Motion& motion, const std::filesystem::path& folder) {
  if (motion.kind != MotionKind::file || motion.path) return;
  motion.file = std::filesystem::absolute(folder / motion.file).lexically_normal().string();
  require_columns(motion);
  motion.path = std::make_shared<const MotionPath>(read_path(motion));
}

}  // namespace shoal::io
