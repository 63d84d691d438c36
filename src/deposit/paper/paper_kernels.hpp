// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <vector>

#include "core/device/kernel_resources.hpp"

namespace shoal::deposit::paper {

/// Resources of the kernels that sum the particles of a cell, as in the paper: three values in double, in 3-D, without
/// blocked cells. Each is defined beside its kernel, in builds with CUDA.
/// @{
KernelResources zhao_kernel();
KernelResources corners_kernel();
KernelResources corners_wide_kernel();
KernelResources corners_shuffle_kernel();
/// @}

/// Resources of these kernels as compiled for the GPU of a queue; empty on the CPU.
std::vector<KernelResources> paper_kernels(const Queue& queue);

}  // namespace shoal::deposit::paper
