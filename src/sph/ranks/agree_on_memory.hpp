// SPDX-License-Identifier: Apache-2.0
// Communicator::agree() for the arrays of a step, which grow with the particles and ghosts of a rank.
#pragma once
#include <new>

#include "ranks/agree_naming_rank.hpp"

namespace shoal::sph {

/// Runs work that allocates memory on every rank. If one lacks memory, of the host or of its device, all ranks throw an
/// OutOfMemory that names that rank.
/// @param work  must not communicate
template <class Work>
void agree_on_memory(const Communicator& ranks, const Work& work) {
  agree_naming_rank(ranks, [&] {
    try {
      work();
    } catch (const std::bad_alloc&) {
      throw OutOfMemory(
          "sph: the memory of the host is exhausted during a step. Run on more ranks or on machines with more memory, "
          "or "
          "reduce the number of particles.");
    }
  });
}

}  // namespace shoal::sph
