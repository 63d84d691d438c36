// SPDX-License-Identifier: Apache-2.0
// Ranks that are threads of one process: what runs under mpirun runs in an ordinary test, on the CPU and on one GPU.
#pragma once
#include <shoal/ranks/communicator.hpp>

#include <functional>

namespace shoal::testing_support {

/// Runs `work` on `count` ranks that are threads of this process, and waits for all.
/// Afterwards throws the error of the smallest rank that has one; the error of a rank that only waited for another comes
/// last. A transport must not outlive the Communicator from which it comes.
void run_on_ranks(int count, const std::function<void(const Communicator&)>& work);

}  // namespace shoal::testing_support
