// SPDX-License-Identifier: Apache-2.0
// Time of a step, kernel by kernel.
#pragma once
#include "core/cuda/cuda_check.hpp"
#include "sph/stepping/kernel_profiles.hpp"

namespace shoal::sph {

/// Measures launches by events around each, which a graph does not allow.
class KernelClock {
 public:
  explicit KernelClock(cudaStream_t stream) : stream_(stream) {
    int device = 0;
    SHOAL_CUDA_CHECK(cudaGetDevice(&device));
    SHOAL_CUDA_CHECK(cudaDeviceGetAttribute(&most_threads_, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  }
  ~KernelClock() {
    for (const Launch& launch : launches_) {
      cudaEventDestroy(launch.before);
      cudaEventDestroy(launch.after);
    }
  }
  KernelClock(const KernelClock&) = delete;

  void start(const char* name) {
    launches_.push_back({name, nullptr, nullptr});
    SHOAL_CUDA_CHECK(cudaEventCreate(&launches_.back().before));
    SHOAL_CUDA_CHECK(cudaEventCreate(&launches_.back().after));
    SHOAL_CUDA_CHECK(cudaEventRecord(launches_.back().before, stream_));
  }

  /// Stops after work that is no kernel of ours.
  void stop() {
    SHOAL_CUDA_CHECK(cudaEventRecord(launches_.back().after, stream_));
    profile_of(profiles_, launches_.back().name);
  }

  /// Stops, and keeps the size of a block, the registers and the occupancy of the kernel.
  template <class... Parameters>
  void stop(void (*kernel)(Parameters...), int block) {
    SHOAL_CUDA_CHECK(cudaEventRecord(launches_.back().after, stream_));
    KernelProfile& profile = profile_of(profiles_, launches_.back().name);
    cudaFuncAttributes attributes{};
    SHOAL_CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    int blocks = 0;
    SHOAL_CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, block, 0));
    profile.threads = block;
    profile.registers = attributes.numRegs;
    profile.occupancy = static_cast<double>(blocks * block) / most_threads_;
  }

  /// The kernels in the order of their first launch. Waits for the last one.
  std::vector<KernelProfile> read() {
    if (!launches_.empty()) SHOAL_CUDA_CHECK(cudaEventSynchronize(launches_.back().after));
    for (const Launch& launch : launches_) {
      float milliseconds = 0;
      SHOAL_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, launch.before, launch.after));
      KernelProfile& profile = profile_of(profiles_, launch.name);
      profile.seconds += 1e-3 * static_cast<double>(milliseconds);
      ++profile.launches;
    }
    return profiles_;
  }

 private:
  struct Launch {
    const char* name;
    cudaEvent_t before;
    cudaEvent_t after;
  };

  cudaStream_t stream_;
  int most_threads_ = 0;
  std::vector<Launch> launches_;
  std::vector<KernelProfile> profiles_;
};

}  // namespace shoal::sph
