// SPDX-License-Identifier: Apache-2.0
// Times of the parts of a step, by name.
#pragma once
#include <shoal/sph.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::sph {

/// Returns the profile of that name, and appends one if there is none.
inline KernelProfile& profile_of(std::vector<KernelProfile>& profiles, std::string_view name) {
  const auto profile =
      std::find_if(profiles.begin(), profiles.end(), [&](const KernelProfile& p) { return p.name == name; });
  return profile != profiles.end() ? *profile : profiles.emplace_back(KernelProfile{.name = std::string(name)});
}

/// Measures the time of the consecutive parts of a step on the host.
class PartClock {
 public:
  void start() { last_ = Time::now(); }
  /// Adds the time since the start, or since the previous part, to part `name`.
  void lap(const char* name) {
    const Time::time_point now = Time::now();
    KernelProfile& profile = profile_of(profiles_, name);
    profile.seconds += std::chrono::duration<double>(now - last_).count();
    ++profile.launches;
    last_ = now;
  }
  /// The parts in the order of their first lap.
  const std::vector<KernelProfile>& read() const { return profiles_; }

 private:
  using Time = std::chrono::steady_clock;
  Time::time_point last_ = Time::now();
  std::vector<KernelProfile> profiles_;
};

}  // namespace shoal::sph
