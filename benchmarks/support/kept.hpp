// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <utility>

namespace shoal::benchmarks {

/// The value that `make` returns. It is made anew only if the key differs from that of the last call: Google Benchmark runs
/// each benchmark several times, and to make its input can take longer than to measure it.
/// @param make  a type of its own for each place of a call, such as a lambda; the value follows from the key alone
template <class Key, class Make>
const auto& kept(const Key& key, const Make& make) {
  static std::optional<std::pair<Key, decltype(make())>> last;
  if (!last || last->first != key) last.emplace(key, make());
  return last->second;
}

}  // namespace shoal::benchmarks
