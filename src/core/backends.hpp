// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

/// Calls the function of this name in the namespace `cpu` or `cuda` of the caller's, by the device of the queue.
#ifdef SHOAL_CUDA
#define SHOAL_RUN(queue, call) ((queue).on_cpu() ? cpu::call : cuda::call)
#else
#define SHOAL_RUN(queue, call) cpu::call
#endif
