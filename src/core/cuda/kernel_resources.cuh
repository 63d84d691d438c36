// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/cuda/cuda_check.hpp"
#include "core/device/kernel_resources.hpp"

namespace shoal {

/// Returns the resources of a kernel as compiled for the current device.
template <class... Parameters>
KernelResources resources_of(const char* name, void (*kernel)(Parameters...)) {
  cudaFuncAttributes compiled{};
  SHOAL_CUDA_CHECK(cudaFuncGetAttributes(&compiled, kernel));
  return {name, compiled.numRegs, static_cast<std::int64_t>(compiled.localSizeBytes),
          static_cast<std::int64_t>(compiled.sharedSizeBytes)};
}

}  // namespace shoal
