// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace shoal {

enum class DeviceKind { cpu, cuda };

/// Where an array lives or an operation runs: the host, or one CUDA device.
struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int index = 0;  ///< CUDA ordinal; 0 for the CPU

  friend bool operator==(const Device&, const Device&) = default;
};

/// "cpu" or "cuda:0".
std::string to_string(Device device);

/// A device, and an ordered line of work on it: CPU threads, or a CUDA stream. Chosen at run time, copied freely.
///
/// Operations enqueue work and return; `wait()` blocks until all of it is done and throws the first error that a
/// kernel recorded. On the CPU the work itself is done when an operation returns; its errors still come from `wait()`,
/// so that code reads the same for both devices.
///
///     shoal::Queue queue = shoal::Queue::best();
///     operation.run(queue, ...);
///     queue.wait();
///
/// A queue is used by one host thread at a time; several queues may be used by several threads.
class Queue {
 public:
  /// CPU threads through OpenMP.
  /// @param threads  0 takes what OpenMP would take (OMP_NUM_THREADS, else one a core)
  /// @throws Error   threads < 0
  static Queue cpu(int threads = 0);

  /// A new stream on CUDA device `index`.
  /// @throws Error  this build has no CUDA, there is no such device, or the driver is too old
  static Queue cuda(int index = 0);

  /// Work on the caller's stream (a `cudaStream_t`), which must outlive the queue.
  static Queue cuda(int index, void* stream);

  /// The same, for a stream that has an owner, who is kept as long as any copy of the queue, that of an array included.
  static Queue cuda(int index, std::shared_ptr<void> stream);

  /// CUDA device 0 where this build and machine have one, else the CPU.
  static Queue best();

  /// From the words of the command line: "cpu", "cuda", "cuda:1", "best".
  /// @throws Error  another word, or a device that is not there
  static Queue parse(std::string_view word);

  Device device() const;
  bool on_cpu() const { return device().kind == DeviceKind::cpu; }

  /// Number of CPU threads that operations of this queue use; 1 for a CUDA queue.
  int threads() const;

  /// The `cudaStream_t` of a CUDA queue; null for the CPU.
  void* stream() const;

  /// For people: "cpu, 2 threads" or "cuda:0 NVIDIA H200".
  std::string name() const;

  /// Blocks until all enqueued work is done.
  /// @throws Error  the first error recorded since the last wait
  void wait() const;

  struct State;  ///< private to shoal: src/core/queue_state.hpp
  State& state() const { return *state_; }

 private:
  explicit Queue(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Number of usable CUDA devices; 0 for a build without CUDA or a machine without a driver.
int cuda_device_count();

/// For people: "driver 13.0, runtime 13.0", why no device is usable, or that this build has no CUDA.
std::string cuda_description();

}  // namespace shoal
