// SPDX-License-Identifier: Apache-2.0
#include "deposit/methods/methods.hpp"

namespace shoal {

std::span<const DepositMethod> deposit_rows() {
  // `auto` takes the first deterministic row of the device.
  static const DepositMethod rows[] = {
#ifdef SHOAL_CUDA
      deposit_lanes_cuda, deposit_integer_cuda, deposit_corners_wide,    deposit_corners_shuffle,
      deposit_corners,    deposit_zhao,         deposit_cell_per_thread, deposit_atomic,
#endif
      deposit_sorted_cpu, deposit_integer_cpu,  deposit_serial,
  };
  return rows;
}

std::vector<MethodInfo> deposit_methods() { return method_infos("deposit", deposit_rows()); }

}  // namespace shoal
