// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <gtest/gtest.h>
#include <shoal/device.hpp>
#include <shoal/methods.hpp>

#include <ostream>
#include <string>

namespace shoal::testing_support {

/// A queue on a device of this kind, with 3 CPU threads so that work is shared even on a small machine.
inline Queue queue_on(DeviceKind kind) { return kind == DeviceKind::cpu ? Queue::cpu(3) : Queue::cuda(0); }

inline std::string device_word(DeviceKind kind) { return kind == DeviceKind::cpu ? "cpu" : "cuda"; }

}  // namespace shoal::testing_support

namespace shoal {
/// How GoogleTest names the row in messages.
inline void PrintTo(const MethodInfo& row, std::ostream* out) {
  *out << row.operation << " " << row.name << " on " << testing_support::device_word(row.device);
}
}  // namespace shoal

/// Ends a test that needs a device which is not there; the log says so.
#define SHOAL_SKIP_WITHOUT(kind)                                                \
  if ((kind) == ::shoal::DeviceKind::cuda && ::shoal::cuda_device_count() == 0) \
  GTEST_SKIP() << "no CUDA device here, or a build without CUDA"
