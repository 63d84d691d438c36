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

  nb::class_<MethodInfo>(module, "MethodInfo", "A method of an operation.")
      .def_ro("operation", &MethodInfo::operation, "str: \"cells\", \"neighbors\" ...")
      .def_ro("name", &MethodInfo::name, "str: name that selects the method.")
      .def_prop_ro(
          "device", [](const MethodInfo& method) { return method.device == DeviceKind::cpu ? "cpu" : "cuda"; },
          "str: device of the method, \"cpu\" or \"cuda\".")
      .def_ro("deterministic", &MethodInfo::deterministic, "bool: True if every run gives the same bits.")
      .def_ro("source", &MethodInfo::source, "str: paper or DOI, or \"shoal\".")
      .def("__repr__", [](const MethodInfo& method) {
        return text("<", method.operation, " by ", method.name, " on ",
                    method.device == DeviceKind::cpu ? "cpu" : "cuda", ">");
      });

  module.def("devices", &devices,
             "Devices of this machine that plans can use.\n\nReturns\n-------\nlist of str\n    \"cpu\", then "
             "\"cuda:0\" and so on.");
  module.def(
      "device_name", [](const std::string& device) { return Queue::parse(device).name(); }, "device"_a,
      "Description of a device: \"cpu, 2 threads\", \"cuda:0 NVIDIA H200\".");
  module.def("methods", &methods_of, "operation"_a = nb::none(),
             R"(Every method of this build, in the order in which "auto" considers them.

Parameters
----------
operation : str, optional
    Only the methods of this operation.

Returns
-------
list of MethodInfo

Raises
------
Error
    There is no such operation; the message lists the operations.
)");
}

}  // namespace shoal::python
