// SPDX-License-Identifier: Apache-2.0
// Entries of the method table, each defined in the file of its method.
#pragma once
#include "deposit/deposit_method.hpp"

namespace shoal::deposit {

extern const DepositMethod serial;
extern const DepositMethod sorted_cpu;
extern const DepositMethod integer_cpu;
#ifdef SHOAL_CUDA
extern const DepositMethod lanes_cuda;
extern const DepositMethod integer_cuda;
extern const DepositMethod atomic_cuda;
extern const DepositMethod cell_per_thread_cuda;
extern const DepositMethod zhao_cuda;
extern const DepositMethod corners_cuda;
extern const DepositMethod corners_shuffle_cuda;
extern const DepositMethod corners_wide_cuda;
#endif

}  // namespace shoal::deposit
