// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <mpi.h>

#include <array>
#include <string_view>

#include "core/text.hpp"

namespace shoal::mpi {

/// Turns a failed call of MPI into an Error that names the call.
inline void mpi_check(int result, const char* call) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING + 1> reason{};
  int length = 0;
  MPI_Error_string(result, reason.data(), &length);
  throw Error(text("MPI: ", call, " failed: ", reason.data(), "."));
}

}  // namespace shoal::mpi

#define SHOAL_MPI_CHECK(call) ::shoal::mpi::mpi_check((call), #call)
