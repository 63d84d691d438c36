// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/error.hpp>

#include <string>

namespace shoal::testing_support {

/// What the Error of `call` says; "no error" if there was none.
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
