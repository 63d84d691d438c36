// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <functional>

namespace shoal::benchmarks {

/// Returns a function that runs the work of `work` on a CUDA queue again from a CUDA graph. It exists in builds with CUDA,
/// which define SHOAL_BENCHMARK_GRAPHS.
std::function<void()> captured(const Queue& queue, const std::function<void()>& work);

}  // namespace shoal::benchmarks
