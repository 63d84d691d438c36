// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace shoal {

enum class DeviceKind { cpu, cuda };

/// Device of an array or an operation: the host, or one CUDA device.
struct Device {
  DeviceKind kind = DeviceKind::cpu;
  int index = 0;  ///< CUDA ordinal; 0 for the CPU

  friend bool operator==(const Device&, const Device&) = default;
};

/// "cpu" or "cuda:0".
std::string to_string(Device device);

/// A device and an ordered queue of work on it: CPU threads or a CUDA stream. It is chosen at run time; copies share it.
///
/// Operations enqueue work and return. `wait()` blocks until all work is done and throws the first error that a kernel
/// recorded. On the CPU the work is done when an operation returns; its errors still come from `wait()`, so code is the
/// same for both devices.
///
///     shoal::Queue queue = shoal::Queue::best();
///     operation.run(queue, ...);
///     queue.wait();
///
/// One host thread at a time uses a queue; several threads may use several queues.
class Queue {
 public:
  /// A queue of CPU threads with OpenMP.
  /// @param threads  0: the number of OpenMP (OMP_NUM_THREADS, else one per core)
  /// @throws Error   threads < 0
  static Queue cpu(int threads = 0);

  /// A new stream on CUDA device `index`.
  /// @throws Error  this build has no CUDA, there is no such device, or the driver is too old
  static Queue cuda(int index = 0);

  /// A queue on the caller's stream (a `cudaStream_t`), which must outlive the queue.
  static Queue cuda(int index, void* stream);

  /// A queue on a stream with an owner. Every copy of the queue, also that of an array, keeps the owner alive.
  static Queue cuda(int index, std::shared_ptr<void> stream);

  /// A queue on CUDA device 0 if this build and machine have one, else on the CPU.
  static Queue best();

  /// A queue for a name of the command line: "cpu", "cuda", "cuda:1" or "best".
  /// @param threads  number of CPU threads; 0: see threads()
  /// @throws Error   unknown name or missing device; threads < 0
  static Queue parse(std::string_view word, int threads = 0);

  Device device() const;
  bool on_cpu() const { return device().kind == DeviceKind::cpu; }

  /// Number of CPU threads. They do all work of a CPU queue, and the host's part of the work of a CUDA queue, such as the
  /// reports of a run. Small work stays on one of them.
  ///
  /// It is the number that the caller gives, else that of the variable OMP_NUM_THREADS, else one for each core that the
  /// process may use. Ranks of one machine that have the same cores share them: mpi::queue() divides their number.
  int threads() const;

  /// The `cudaStream_t` of a CUDA queue; null for the CPU.
  void* stream() const;

  /// Description for messages: "cpu, 2 threads" or "cuda:0 NVIDIA H200".
  std::string name() const;

  /// Blocks until all enqueued work is done.
  /// @throws Error  the first error recorded since the last wait
  void wait() const;

  struct State;  ///< private to shoal: src/core/device/queue_state.hpp
  State& state() const { return *state_; }

 private:
  explicit Queue(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

/// Number of usable CUDA devices; 0 for a build without CUDA or a machine without a driver.
int cuda_device_count();

/// Description for messages: "driver 13.0, runtime 13.0", the reason why no device is usable, or "not in this build".
std::string cuda_description();

}  // namespace shoal
