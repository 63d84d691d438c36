// SPDX-License-Identifier: Apache-2.0
// Checks of the arguments of Deposit.
#pragma once
#include <shoal/deposit.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "core/memory/check_views.hpp"
#include "deposit/deposit_method.hpp"

namespace shoal::deposit {

inline DepositOptions checked_options(const DepositOptions& options) {
  for (std::size_t k = 0; k < options.ranges.size(); ++k)
    require(std::isfinite(options.ranges[k]) && options.ranges[k] > 0, "deposit: the range of value ", k, " is ",
            options.ranges[k], ", expected a positive number.");
  return options;
}

/// Names of the methods of a device with shapes other than `cic`: "lanes, integer or atomic".
inline std::string methods_with_shapes(DeviceKind device) {
  std::vector<std::string_view> names;
  for (const DepositMethod& method : deposit_method_table())
    if (method.device == device && method.has_shapes()) names.push_back(method.name);
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i)
    list.append(i == 0 ? "" : i + 1 < names.size() ? ", " : " or ").append(names[i]);
  return list;
}

/// Throws unless a method and a grid allow the shape of the options.
inline void require_shape(const DepositGrid& grid, const DepositOptions& options, const DepositMethod& method,
                          int ranks) {
  if (options.shape == DepositShape::cic) return;
  const std::string shape = text("deposit: shape \"", to_name(options.shape), "\"");
  const char* const remedy = " or shape = \"cic\".";
  require(method.has_shapes(), shape, " is not available with method `", method.name, "` on ",
          method.device == DeviceKind::cpu ? "cpu" : "cuda", ". Use ", methods_with_shapes(method.device), ",", remedy);
  for (std::size_t axis = 0; axis < 3; ++axis)
    require(grid.nodes[axis].empty(), shape, " needs cells of equal width, but axis ", axis,
            " has given nodes. Use a uniform axis", remedy);
  require(grid.blocked.empty(), shape, " reaches nodes behind blocked cells. Use a grid without blocked cells", remedy);
  require(ranks == 1, shape, " on ", ranks, " ranks reaches nodes that ranks do not share. Use one rank", remedy);
}

/// The views of one call as kernels take them, after checks.
template <class T>
Fields<T> checked_fields(const Queue& queue, const char* name, std::span<const View<T>> views, std::int64_t count) {
  constexpr int most = Fields<T>::max_count;
  require(!views.empty() && views.size() <= most, "deposit: ", views.size(), " arrays of ", name, ", expected 1 to ",
          most, ". Make several calls.");
  Fields<T> fields;
  for (const View<T>& view : views) {
    require_view(queue, "deposit", text(name, " ", fields.count).c_str(), view, count);
    fields.data[fields.count] = view.data;
    fields.stride[fields.count++] = view.stride;
  }
  return fields;
}

inline void require_equal_numbers(const char* inputs, int in, const char* outputs, int out) {
  require(in == out, "deposit: ", in, " arrays of ", inputs, " and ", out, " of ", outputs,
          ", expected equal numbers.");
}

}  // namespace shoal::deposit
