// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace shoal::io {

/// Memory of a job: a few numbers, or arrays of all particles.
enum class JobSize { small, large };

/// Worker thread that runs jobs in the order of submission, concurrently with the caller.
///
/// A job that throws cancels the jobs behind it. The next `submit` or `wait` throws its error; later jobs run again.
class Background {
 public:
  /// Largest number of queued jobs of any size.
  static constexpr std::size_t most_jobs = 10'000;

  /// Starts the thread.
  /// @param most_large  maximum number of queued large jobs
  explicit Background(std::size_t most_large);
  /// Waits for all jobs. An error that no call has thrown yet is lost, so call `wait` first.
  ~Background();

  /// Queues a job. Blocks a large one while `most_large` of them wait, and any one while `most_jobs` wait: this bounds the
  /// memory of the jobs. Small jobs do not wait for large ones.
  void submit(std::function<void()> job, JobSize size = JobSize::large);
  /// Waits for all jobs, and throws the error of a failed one.
  void wait();
  /// Returns true if a job has thrown.
  bool has_failed() const;
  /// Returns the total time of all jobs so far, s.
  double busy_seconds() const;

 private:
  struct Job {
    std::function<void()> run;
    JobSize size;
  };

  bool has_room(JobSize size) const;
  void work();

  std::size_t most_large_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  std::exception_ptr error_;
  double busy_seconds_ = 0;
  bool working_ = false, ending_ = false, has_failed_ = false;
  std::thread thread_;  // last member, because the thread uses all members above
};

}  // namespace shoal::io
