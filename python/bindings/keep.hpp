// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <memory>

namespace shoal::python {

namespace nb = nanobind;

/// The owner of arrays that show memory of `kept`: it lives as long as one of them does.
template <class T>
nb::capsule keep(std::unique_ptr<T> kept) {
  return nb::capsule(kept.release(), [](void* pointer) noexcept { delete static_cast<T*>(pointer); });
}

}  // namespace shoal::python
