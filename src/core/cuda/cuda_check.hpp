// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cuda_runtime_api.h>

#include "core/text.hpp"

namespace shoal {

/// Turns a failed CUDA call into an Error that names the call.
inline void cuda_check(cudaError_t result, const char* call) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // a later call must not report this one again
  throw Error(text("cuda: ", call, " failed: ", cudaGetErrorString(result), " (", cudaGetErrorName(result), ")."));
}

}  // namespace shoal

#define SHOAL_CUDA_CHECK(call) ::shoal::cuda_check((call), #call)
