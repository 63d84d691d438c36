// SPDX-License-Identifier: Apache-2.0
#include <shoal/mpi.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "core/text.hpp"
#include "mpi/mpi_group.hpp"

namespace shoal::mpi {
namespace {

void print(std::string_view message) {
  std::fflush(stdout);
  std::fputs(text("shoal: ", message, "\n").c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

void abort(const Communicator& ranks, std::string_view message, int exit_code) {
  if (auto* const group = dynamic_cast<MpiGroup*>(&ranks.group())) group->watch().abort(message, exit_code);
  print(ranks.size() > 1 ? text(ranks.name(), ": ", message) : std::string(message));
  std::_Exit(exit_code);
}

int abort_on_exception(const Communicator& ranks, const std::function<int()>& program) {
  try {
    return program();
  } catch (const std::exception& error) {
    if (!ranks.agreed(error.what())) abort(ranks, error.what());
    if (ranks.rank() == 0) print(error.what());
    return 1;
  } catch (...) {
    abort(ranks, "an exception that is not derived from std::exception");
  }
}

}  // namespace shoal::mpi
