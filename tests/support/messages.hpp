// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/error.hpp>

#include <string>

namespace shoal::testing_support {

/// Message of the Error that `call` throws; "no error" if it throws none.
template <class Call>
std::string message_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace shoal::testing_support
