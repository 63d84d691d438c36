// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <functional>

namespace shoal::benchmarks {

/// The work that `work` puts on a CUDA queue, captured in a CUDA graph: each call runs it again. In builds with CUDA,
/// which define SHOAL_BENCHMARK_GRAPHS.
std::function<void()> captured(const Queue& queue, const std::function<void()>& work);

}  // namespace shoal::benchmarks
