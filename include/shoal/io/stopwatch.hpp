// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <utility>

namespace shoal::io {

/// Wall-clock time since construction.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Adds the wall-clock time of `work` to `total` in s, even if `work` throws. Returns the result of `work`.
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
