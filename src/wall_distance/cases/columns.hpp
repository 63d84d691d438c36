// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/array.hpp>

#include "wall_distance/cases/column_item.hpp"

namespace shoal {

/// Columns to make, everything on the device.
struct ColumnJob {
  ColumnGrid grid;
  View<const ColumnBase> bases;
  View<const double> heights;  ///< [layers]
  View<double> x, y, z;        ///< [points]; z is empty in 2-D
};

namespace cpu {
void make_columns(const Queue& queue, const ColumnJob& job);
}
namespace cuda {
void make_columns(const Queue& queue, const ColumnJob& job);
}

}  // namespace shoal
