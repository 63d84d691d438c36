// SPDX-License-Identifier: Apache-2.0
// Cells that are periodic along three, two, one and no vectors.
#pragma once
#include "neighbors/periodic/systems.hpp"

namespace shoal::testing_support {

inline const PeriodicCell skewed_cell{{{{1, 0, 0}, {0.7, 0.8, 0}, {-0.6, 0.9, 0.7}}}, everywhere};
inline const PeriodicCell left_handed_cell{{{{0.2, 0.9, 0.1}, {1, 0.1, -0.3}, {0.1, 0.2, 1.1}}}, everywhere};
inline const PeriodicCell slab_cell{{{{0.9, 0.1, 0.2}, {}, {0.3, 0.1, 0.8}}}, {true, false, true}};
inline const PeriodicCell wire_cell{{{{}, {0.4, 0.5, 0.3}, {}}}, {false, true, false}};
inline const PeriodicCell open_cell{};

}  // namespace shoal::testing_support
