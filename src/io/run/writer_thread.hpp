// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace shoal::io {

/// One thread that does jobs in the order in which they are handed in, beside the caller.
///
/// A job that throws ends the jobs behind it; its error reaches the caller from the next `submit` or `wait`, and jobs
/// handed in after that run again.
class Background {
 public:
  /// @param most_waiting  jobs in line before `submit` blocks: bounds the memory that they hold
  explicit Background(std::size_t most_waiting);
  /// Ends when all jobs are done; an error that nobody has seen yet is lost, so call `wait` first.
  ~Background();

  void submit(std::function<void()> job);
  /// Until all jobs are done.
  void wait();
  /// Seconds that jobs took so far.
  double busy_seconds() const;

 private:
  void work();

  std::size_t most_waiting_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> jobs_;
  std::exception_ptr error_;
  double busy_seconds_ = 0;
  bool working_ = false, ending_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace shoal::io
