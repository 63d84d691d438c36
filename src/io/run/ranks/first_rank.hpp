// SPDX-License-Identifier: Apache-2.0
// Work that rank 0 does for all ranks: files, progress and decisions by wall time.
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <cstdint>
#include <memory>
#include <string>

#include "core/communication/rank_group.hpp"

namespace shoal::io {

/// Runs `work` on rank 0. All ranks call it, and all throw what it throws.
template <class Work>
void on_first_rank(const Communicator& ranks, const Work& work) {
  ranks.agree([&] {
    if (ranks.rank() == 0) work();
  });
}

/// Makes an object on rank 0, such as a file that it writes. Null on other ranks. All ranks call it, and all throw what the
/// constructor throws.
template <class Object, class... Arguments>
std::unique_ptr<Object> make_on_first_rank(const Communicator& ranks, const Arguments&... arguments) {
  std::unique_ptr<Object> object;
  on_first_rank(ranks, [&] { object = std::make_unique<Object>(arguments...); });
  return object;
}

/// Returns on all ranks what `decide` returns on rank 0.
template <class Decide>
bool decided_by_first_rank(const Communicator& ranks, const Decide& decide) {
  bool decision = false;
  on_first_rank(ranks, [&] { decision = decide(); });
  ranks.group().broadcast(&decision, sizeof decision, 0);
  return decision;
}

/// Sends a text of rank 0 to all ranks.
inline void broadcast_text(const Communicator& ranks, std::string& characters) {
  std::uint64_t size = characters.size();
  ranks.group().broadcast(&size, sizeof size, 0);
  characters.resize(size);
  ranks.group().broadcast(characters.data(), size, 0);
}

}  // namespace shoal::io
