// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "deposit/deposit_cases.hpp"

namespace shoal::testing_support {

/// Uniform grids over the unit box: open and periodic axes, also with one, two or three cells.
inline std::vector<DepositGrid> shape_grids() {
  std::vector<DepositGrid> grids = uniform_unit_box_grids();
  grids.push_back(Grid{3, {0, 0, 0}, {1, 0.5, 1}, {1, 2, 1}, {false, true, true}});
  grids.push_back(Grid{2, {0, 0, 0}, {0.125, 1, 1}, {8, 1, 1}, {true, true, false}});
  grids.push_back(Grid{3, {0, 0, 0}, {1.0 / 3, 0.25, 0.2}, {3, 4, 5}, {true, true, true}});
  return grids;
}

/// A shape by a method.
struct ShapeOfMethod {
  DepositShape shape;
  MethodInfo method;
};

inline DeviceKind device_kind(const ShapeOfMethod& parameter) { return parameter.method.device; }

inline std::vector<ShapeOfMethod> every_shape_of_every_method() {
  std::vector<ShapeOfMethod> parameters;
  for (const DepositShape shape : {DepositShape::tsc, DepositShape::pcs})
    for (const MethodInfo& method : methods("deposit"))
      if (find_method("deposit", deposit::deposit_method_table(), method.name, method.device).has_shapes())
        parameters.push_back({shape, method});
  return parameters;
}

/// A shape on a device.
struct ShapeOnDevice {
  DepositShape shape;
  DeviceKind device;
};

inline DeviceKind device_kind(const ShapeOnDevice& parameter) { return parameter.device; }

inline std::vector<ShapeOnDevice> every_shape_on_every_device() {
  std::vector<ShapeOnDevice> parameters;
  for (const DepositShape shape : {DepositShape::tsc, DepositShape::pcs})
    for (const DeviceKind device : {DeviceKind::cpu, DeviceKind::cuda}) parameters.push_back({shape, device});
  return parameters;
}

/// "tsc_cpu".
inline std::string shape_test_name(const testing::TestParamInfo<ShapeOnDevice>& test) {
  return std::string(to_name(test.param.shape)) + "_" + device_word(test.param.device);
}

}  // namespace shoal::testing_support
