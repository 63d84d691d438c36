// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <memory>

namespace shoal::python {

namespace nb = nanobind;

/// Python object that owns `object`. Arrays that refer to it as their owner keep it alive.
template <class T>
nb::capsule owning_capsule(std::unique_ptr<T> object) {
  return nb::capsule(object.release(), [](void* pointer) noexcept { delete static_cast<T*>(pointer); });
}

}  // namespace shoal::python
