// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <shoal/gas.hpp>

#include <string>

#include "support/options.hpp"

namespace shoal::python {

/// GasBoundary as the value of a keyword.
template <>
struct OptionType<GasBoundary> {
  static std::string name() { return "GasBoundary"; }
  static std::string literal(const GasBoundary&) { return "..."; }
  static GasBoundary read(const std::string& option, nb::handle value) {
    if (!nb::isinstance<GasBoundary>(value)) bad_option(option, value, "a shoal.gas.GasBoundary");
    return nb::cast<GasBoundary>(value);
  }
};

/// Adds boundaries, clocks, results and functions of flows of gas to the module.
void bind_gas_values(nb::module_& module);

}  // namespace shoal::python
