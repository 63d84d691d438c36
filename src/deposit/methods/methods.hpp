// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/deposit_call.hpp"

/// What the files of this folder define.
namespace shoal {

extern const DepositMethod deposit_serial;
extern const DepositMethod deposit_sorted_cpu;
extern const DepositMethod deposit_integer_cpu;
#ifdef SHOAL_CUDA
extern const DepositMethod deposit_lanes_cuda;
extern const DepositMethod deposit_integer_cuda;
extern const DepositMethod deposit_atomic;
extern const DepositMethod deposit_cell_per_thread;
extern const DepositMethod deposit_zhao;
extern const DepositMethod deposit_corners;
extern const DepositMethod deposit_corners_shuffle;
extern const DepositMethod deposit_corners_wide;
#endif

}  // namespace shoal
