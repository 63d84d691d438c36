// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

namespace shoal {

/// Functions of a subject for the device of a queue. `Backend` is a struct of function pointers with the static members
/// `cpu` and, in builds with CUDA, `cuda`; each is defined once, beside the functions that it lists.
template <class Backend>
const Backend& backend([[maybe_unused]] const Queue& queue) {
#ifdef SHOAL_CUDA
  if (!queue.on_cpu()) return Backend::cuda;
#endif
  return Backend::cpu;
}

}  // namespace shoal
