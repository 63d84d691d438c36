// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/c/shoal.h>
#include <shoal/array.hpp>
#include <shoal/error.hpp>

#include <exception>
#include <new>
#include <string>

#include "core/text.hpp"

namespace shoal::c {

/// Keeps the message of an error for shoal_error_message(). Returns `status`.
int failed(int status, const char* message) noexcept;

/// Calls `work`. Returns a status in place of its exceptions, none of which may reach C.
template <class Work>
int status_of(const Work& work) noexcept {
  try {
    work();
    return SHOAL_OK;
  } catch (const OutOfMemory& error) {
    return failed(SHOAL_NO_MEMORY, error.what());
  } catch (const std::bad_alloc&) {
    return failed(SHOAL_NO_MEMORY, "the memory of the host is exhausted. Use a smaller problem.");
  } catch (const std::exception& error) {
    return failed(SHOAL_INVALID, error.what());
  }
}

/// @throws Error  the pointer is null, and `count` elements are expected
inline void require_array(const void* pointer, std::int64_t count, const char* name) {
  require(count >= 0, "c: the number of elements of ", name, " is ", count, ", expected 0 or more.");
  require(pointer || count == 0, "c: ", name, " is NULL, expected an array.");
}

/// @throws Error  the plan is null
inline void require_plan(const void* plan) { require(plan, "c: the plan is NULL. Make it with a create function."); }

/// Coordinates along one axis of interleaved positions; empty beyond the dimensions.
template <class Real>
View<Real> along(Real* position, std::int64_t count, int axis, int dimensions) {
  if (axis >= dimensions || !position) return {};
  return View<Real>(position + axis, count, {}, dimensions);
}

}  // namespace shoal::c
