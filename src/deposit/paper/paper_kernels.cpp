// SPDX-License-Identifier: Apache-2.0
#include "deposit/paper/paper_kernels.hpp"

namespace shoal::deposit::paper {

std::vector<KernelResources> paper_kernels([[maybe_unused]] const Queue& queue) {
#ifdef SHOAL_CUDA
  if (!queue.on_cpu()) return {zhao_kernel(), corners_kernel(), corners_wide_kernel(), corners_shuffle_kernel()};
#endif
  return {};
}

}  // namespace shoal::deposit::paper
