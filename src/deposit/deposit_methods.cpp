// SPDX-License-Identifier: Apache-2.0
#include "deposit/methods/methods.hpp"

namespace shoal::deposit {

std::span<const DepositMethod> deposit_method_table() {
  // `auto` selects the first deterministic entry for the device.
  static const DepositMethod table[] = {
#ifdef SHOAL_CUDA
      lanes_cuda,           integer_cuda, corners_wide_cuda,
      corners_shuffle_cuda, corners_cuda, zhao_cuda,
      cell_per_thread_cuda, atomic_cuda,
#endif
      sorted_cpu,           integer_cpu,  serial,
  };
  return table;
}

std::vector<MethodInfo> deposit_methods() { return method_infos("deposit", deposit_method_table()); }

}  // namespace shoal::deposit
