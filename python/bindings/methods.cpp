// SPDX-License-Identifier: Apache-2.0
#include <shoal/methods.hpp>
#include <shoal/version.hpp>

#include "bindings.hpp"

namespace shoal::python {

namespace {

std::vector<std::string> devices() {
  std::vector<std::string> list = {to_string(Device{})};
  for (int index = 0; index < cuda_device_count(); ++index) list.push_back(to_string({DeviceKind::cuda, index}));
  return list;
}

std::vector<MethodInfo> methods_of(std::optional<std::string> operation) {
  return operation ? methods(*operation) : methods();
}

}  // namespace

void bind_methods(nb::module_& module) {
  module.attr("version") = std::string(version());
  module.attr("commit") = std::string(commit());

  nb::class_<MethodInfo>(module, "MethodInfo", "One row of an operation's method table.")
      .def_ro("operation", &MethodInfo::operation, "str: \"cells\", \"neighbors\" ...")
      .def_ro("name", &MethodInfo::name, "str: the word to select it by.")
      .def_prop_ro(
          "device", [](const MethodInfo& row) { return row.device == DeviceKind::cpu ? "cpu" : "cuda"; },
          "str: where it runs, \"cpu\" or \"cuda\".")
      .def_ro("deterministic", &MethodInfo::deterministic, "bool: the same bits on every run.")
      .def_ro("source", &MethodInfo::source, "str: paper or DOI, or \"shoal\".")
      .def("__repr__", [](const MethodInfo& row) {
        return text("<", row.operation, " by ", row.name, " on ", row.device == DeviceKind::cpu ? "cpu" : "cuda", ">");
      });

  module.def("devices", &devices,
             "What plans can work on here.\n\nReturns\n-------\nlist of str\n    \"cpu\", then \"cuda:0\" and so on.");
  module.def(
      "device_name", [](const std::string& device) { return Queue::parse(device).name(); }, "device"_a,
      "A device for people: \"cpu, 2 threads\", \"cuda:0 NVIDIA H200\".");
  module.def("methods", &methods_of, "operation"_a = nb::none(),
             R"(Every method of this build, in the order in which "auto" considers them.

Parameters
----------
operation : str, optional
    Of this one alone.

Returns
-------
list of MethodInfo

Raises
------
Error
    No such operation; lists those there are.
)");
}

}  // namespace shoal::python
