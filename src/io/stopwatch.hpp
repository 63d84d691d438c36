// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <utility>

namespace shoal::io {

/// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Adds the wall time of `work` to `total`, also when it throws.
template <class Work>
decltype(auto) timed(double& total, Work&& work) {
  struct Adds {
    double& total;
    Stopwatch watch{};
    ~Adds() { total += watch.seconds(); }
  } adds{total};
  return std::forward<Work>(work)();
}

}  // namespace shoal::io
