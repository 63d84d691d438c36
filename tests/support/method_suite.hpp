// SPDX-License-Identifier: Apache-2.0
// Test suites whose bodies run once for each method of an operation, or once for each device:
//
//     class EveryDepositMethod : public MethodTest {};
//     INSTANTIATE_TEST_SUITE_P(AllMethods, EveryDepositMethod, testing::ValuesIn(methods("deposit")), method_test_name);
//
//     class DepositErrors : public DeviceTest {};
//     INSTANTIATE_TEST_SUITE_P(AllDevices, DepositErrors, every_device, device_test_name);
//
// ctest labels a test as a CUDA test by the word cuda in its name, which both name functions add.
#pragma once
#include <map>
#include <mutex>
#include <thread>

#include "support/devices.hpp"
#include "support/vector_registers.hpp"

namespace shoal::testing_support {

inline DeviceKind device_kind(DeviceKind kind) { return kind; }
inline DeviceKind device_kind(const MethodInfo& method) { return method.device; }

/// A test with a parameter that has a device; it is skipped where the device is missing. A new type of parameter needs
/// an overload of device_kind() in its namespace.
template <class Parameter>
class TestOnDevice : public testing::TestWithParam<Parameter> {
 protected:
  void SetUp() override { SHOAL_SKIP_WITHOUT(device_kind(this->GetParam())); }
  void TearDown() override { EXPECT_TRUE(upper_registers_are_zero()); }

  /// The queue of the calling thread on the device of the parameter: one for the whole test, so that results are read in
  /// the order of the work that computes them. Ranks are threads, and have their own.
  Queue queue() const {
    const std::lock_guard lock(mutex_);
    const auto known = queues_.find(std::this_thread::get_id());
    if (known != queues_.end()) return known->second;
    return queues_.emplace(std::this_thread::get_id(), queue_on(device_kind(this->GetParam()))).first->second;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::thread::id, Queue> queues_;
};

using DeviceTest = TestOnDevice<DeviceKind>;
using MethodTest = TestOnDevice<MethodInfo>;

inline const auto every_device = testing::Values(DeviceKind::cpu, DeviceKind::cuda);

/// "cpu" or "cuda".
inline std::string device_test_name(const testing::TestParamInfo<DeviceKind>& test) { return device_word(test.param); }

/// "serial_cpu".
inline std::string method_test_name(const testing::TestParamInfo<MethodInfo>& test) {
  return test.param.name + "_" + device_word(test.param.device);
}

/// Names of an operation's methods on the CPU, as messages list them.
inline std::string cpu_methods(std::string_view operation) {
  std::string names;
  for (const MethodInfo& method : methods(operation))
    if (method.device == DeviceKind::cpu) names += (names.empty() ? "" : ", ") + method.name;
  return names;
}

}  // namespace shoal::testing_support
