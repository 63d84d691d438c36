// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <shoal/device.hpp>
#include <shoal/methods.hpp>

#include <ostream>
#include <string>

namespace shoal::testing_support {

/// A queue on a device of this kind, with 3 CPU threads so that threads share the work even on a small machine.
inline Queue queue_on(DeviceKind kind) { return kind == DeviceKind::cpu ? Queue::cpu(3) : Queue::cuda(0); }

inline std::string device_word(DeviceKind kind) { return kind == DeviceKind::cpu ? "cpu" : "cuda"; }

}  // namespace shoal::testing_support

namespace shoal {
/// Name of a method in the messages of GoogleTest.
inline void PrintTo(const MethodInfo& method, std::ostream* out) {
  *out << method.operation << " " << method.name << " on " << testing_support::device_word(method.device);
}
}  // namespace shoal

/// Skips a test if its device is missing.
#define SHOAL_SKIP_WITHOUT(kind)                                                \
  if ((kind) == ::shoal::DeviceKind::cuda && ::shoal::cuda_device_count() == 0) \
  GTEST_SKIP() << "no CUDA device, or a build without CUDA"
