// SPDX-License-Identifier: Apache-2.0
#include "io/run/writer_thread.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace shoal::io {

Background::Background(std::size_t most_large) : most_large_(most_large), thread_([this] { work(); }) {}

Background::~Background() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

/// Returns true if a job of this size may be queued. Under the lock.
bool Background::has_room(JobSize size) const {
  if (jobs_.size() >= most_jobs) return false;
  if (size == JobSize::small) return true;
  const auto is_large = [](const Job& job) { return job.size == JobSize::large; };
  return std::count_if(jobs_.begin(), jobs_.end(), is_large) < static_cast<std::ptrdiff_t>(most_large_);
}

void Background::submit(std::function<void()> job, JobSize size) {
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this, size] { return error_ || has_room(size); });
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
    jobs_.push_back({std::move(job), size});
  }
  changed_.notify_all();
}

void Background::wait() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.empty() && !working_; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

bool Background::has_failed() const {
  const std::lock_guard lock(mutex_);
  return has_failed_;
}

double Background::busy_seconds() const {
  const std::lock_guard lock(mutex_);
  return busy_seconds_;
}

void Background::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return ending_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    std::function<void()> job = std::move(jobs_.front().run);
    jobs_.pop_front();
    working_ = true;
    lock.unlock();
    changed_.notify_all();

    const auto start = std::chrono::steady_clock::now();
    std::exception_ptr error;
    try {
      job();
    } catch (...) {
      error = std::current_exception();
    }
    job = nullptr;  // frees the job's data while the lock is released
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;

    lock.lock();
    working_ = false;
    busy_seconds_ += taken.count();
    if (error) {
      error_ = error;
      has_failed_ = true;
      jobs_.clear();
    }
    changed_.notify_all();
  }
}

}  // namespace shoal::io
