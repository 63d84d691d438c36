// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace shoal::io {

/// Worker thread that runs jobs in the order of submission, concurrently with the caller.
///
/// A job that throws cancels the jobs behind it. The next `submit` or `wait` throws its error; later jobs run again.
class Background {
 public:
  /// Starts the thread.
  /// @param most_waiting  maximum number of queued jobs; `submit` blocks beyond it, which bounds the memory of the jobs
  explicit Background(std::size_t most_waiting);
  /// Waits for all jobs. An error that no call has thrown yet is lost, so call `wait` first.
  ~Background();

  void submit(std::function<void()> job);
  /// Waits for all jobs, and throws the error of a failed one.
  void wait();
  /// Returns true if a job has thrown.
  bool has_failed() const;
  /// Returns the total time of all jobs so far, s.
  double busy_seconds() const;

 private:
  void work();

  std::size_t most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::exception_ptr error_;
  double busy_seconds_ = 0;
  bool working_ = false, ending_ = false, has_failed_ = false;
  std::thread thread_;  // last member, because the thread uses all members above
};

}  // namespace shoal::io
