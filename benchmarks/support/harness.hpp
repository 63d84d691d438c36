// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <cstdint>
#include <functional>
#include <limits>

// Queues, timers and the memory ceiling of all measurements, with Google Benchmark or without.
namespace shoal::benchmarks {

/// Returns true if this machine has a device of this kind.
inline bool is_available(DeviceKind kind) { return kind == DeviceKind::cpu || cuda_device_count() > 0; }

/// Queue of the device that is measured: all CPU threads, or the first GPU.
inline Queue queue_for(DeviceKind kind) { return kind == DeviceKind::cpu ? Queue::cpu() : Queue::cuda(0); }

/// Limits of a measurement.
struct MeasureOptions {
  std::int64_t iterations = 100;  ///< largest number of iterations
  double most_seconds = 0;        ///< s after which a measurement stops early; 0: never

  /// Returns true if a measurement with this many iterations and this time, in s, must go on.
  bool continue_after(std::int64_t done, double seconds) const {
    return done < iterations && (most_seconds <= 0 || seconds < most_seconds);
  }
};

/// Result of a measurement; without iterations if it was not made.
struct Timing {
  std::int64_t iterations = 0;  ///< number of measured iterations
  double seconds = 0;           ///< s, wall-clock time of all of them

  /// ms per iteration; NaN without iterations.
  double milliseconds() const {
    return iterations == 0 ? std::numeric_limits<double>::quiet_NaN()
                           : 1000 * seconds / static_cast<double>(iterations);
  }
};

/// Times `iterate`, which returns when its work is complete, after one call to warm up.
Timing measure(const std::function<void()>& iterate, const MeasureOptions& options);

/// Times one call of `work` without a call to warm up.
Timing measure_once(const std::function<void()>& work);

/// Times iterations that are cheaper together than one at a time. Two iterations to warm up give the size of a batch,
/// which takes about a tenth of `options.most_seconds`.
/// @param iterate  runs the given number of iterations and returns when they are complete
Timing measure_batches(const std::function<void(std::int64_t iterations)>& iterate, const MeasureOptions& options);

/// Memory bandwidth of a device in B/s, reads plus writes of a copy: the ceiling of operations that are bound by memory.
/// It is measured once per device.
double copy_bandwidth(const Queue& queue);

}  // namespace shoal::benchmarks
