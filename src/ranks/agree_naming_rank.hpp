// SPDX-License-Identifier: Apache-2.0
// Communicator::agree() for work on items that every rank numbers from 0.
#pragma once
#include <shoal/error.hpp>
#include <shoal/ranks/communicator.hpp>

namespace shoal {

/// Runs `work` on every rank. If it throws an Error on any, all ranks throw one that names the rank of the items. A rank
/// alone runs `work` and nothing else.
template <class Work>
void agree_naming_rank(const Communicator& ranks, Work&& work) {
  if (ranks.size() == 1) return work();
  const auto named = [&](const std::exception& error) { return std::string(error.what()) + " (" + ranks.name() + ")"; };
  ranks.agree([&] {
    try {
      work();
    } catch (const OutOfMemory& error) {
      throw OutOfMemory(named(error));
    } catch (const Error& error) {
      throw Error(named(error));
    }
  });
}

}  // namespace shoal
