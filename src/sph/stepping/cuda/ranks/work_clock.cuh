// SPDX-License-Identifier: Apache-2.0
// Time that the device of a rank works in a step.
#pragma once
#include <vector>

#include "core/cuda/cuda_check.hpp"

namespace shoal::sph {

/// Measures parts of a step by events around each, in the order of one stream.
class WorkClock {
 public:
  explicit WorkClock(cudaStream_t stream) : stream_(stream) {}
  ~WorkClock() {
    for (const cudaEvent_t event : events_) cudaEventDestroy(event);
  }
  WorkClock(const WorkClock&) = delete;

  /// Marks the begin or, in turn, the end of a part.
  void mark() {
    if (used_ == events_.size()) {
      events_.push_back(nullptr);
      SHOAL_CUDA_CHECK(cudaEventCreate(&events_.back()));
    }
    SHOAL_CUDA_CHECK(cudaEventRecord(events_[used_++], stream_));
  }

  /// Sum of the times of the parts since the last call, s. The host must have waited for them.
  double take_seconds() {
    double milliseconds = 0;
    for (std::size_t part = 0; part + 1 < used_; part += 2) {
      float time = 0;
      SHOAL_CUDA_CHECK(cudaEventElapsedTime(&time, events_[part], events_[part + 1]));
      milliseconds += static_cast<double>(time);
    }
    used_ = 0;
    return 1e-3 * milliseconds;
  }

 private:
  cudaStream_t stream_;
  std::vector<cudaEvent_t> events_;
  std::size_t used_ = 0;  ///< events marked since the last call
};

}  // namespace shoal::sph
