// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <list>
#include <utility>

namespace shoal::benchmarks {

/// The value that `make` returns. It is made anew only if its key is none of the last three: Google Benchmark runs each
/// benchmark several times, those of one input have up to three sizes in turn, and to make the input can take longer than to
/// measure it.
/// @param make  a type of its own for each place of a call, such as a lambda; the value follows from the key alone
template <class Key, class Make>
const auto& kept(const Key& key, const Make& make) {
  constexpr std::size_t most = 3;
  static std::list<std::pair<Key, decltype(make())>> latest;
  const auto kept_entry =
      std::find_if(latest.begin(), latest.end(), [&](const auto& entry) { return entry.first == key; });
  if (kept_entry != latest.end()) return kept_entry->second;
  if (latest.size() == most) latest.pop_front();
  return latest.emplace_back(key, make()).second;
}

}  // namespace shoal::benchmarks
