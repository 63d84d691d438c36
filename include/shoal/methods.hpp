// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/device.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace shoal {

/// Description of a method of an operation.
struct MethodInfo {
  std::string operation;       ///< "cells", "neighbors", ...
  std::string name;            ///< name that selects the method
  DeviceKind device;           ///< device of the method
  bool deterministic = false;  ///< true: the same bits on every run and for every number of threads
  std::string source;          ///< paper or DOI, or "shoal"
};

/// Every method of every operation in this build, in the order in which `auto` considers them.
std::vector<MethodInfo> methods();

/// The methods of one operation.
/// @throws Error  there is no such operation; the message lists the operations
std::vector<MethodInfo> methods(std::string_view operation);

}  // namespace shoal
