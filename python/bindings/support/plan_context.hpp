// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>
#include <shoal/device.hpp>
#include <shoal/ranks/communicator.hpp>

#include <optional>
#include <string>

#include "support/options.hpp"

namespace shoal::python {

/// Value of the keyword `dtype`: "float32", "float64", or an equivalent object of NumPy or another library.
struct Dtype {
  std::string name;
};

/// Value of the keyword `device`: "cpu", "cuda:0" or "best", a device of PyTorch, or a queue of shoal.mpi.queue().
struct DeviceName {
  std::string name;
  std::optional<Queue> queue = {};
};
DeviceName read_device(nb::handle device);

/// Keywords of every plan: its precision, device and stream.
struct ContextOptions {
  Dtype dtype = {"float64"};
  DeviceName device = {"cpu"};
  nb::object stream = nb::none();
  int threads = 0;
  bool wait = true;
  nb::object like = nb::none();
};
const Options<ContextOptions>& context_options();
/// Keywords of a plan that always computes in double: those of `context_options` without `dtype`.
const Options<ContextOptions>& double_context_options();

/// Keywords of a function that creates its own plan. Precision and device are those of its first array.
struct CallOptions {
  nb::object stream = nb::none();
  int threads = 0;
};
const Options<CallOptions>& call_options();

/// Device, stream and precision of a plan.
struct PlanContext {
  Queue queue;
  bool single = false;  ///< precision: float32 if true, else float64
  bool wait = true;     ///< calls return when their work has ended
};

/// Queue of a device that a user names: "cpu", "cuda", "cuda:1" or "best".
/// @param threads  on the CPU; 0: the default of OpenMP
Queue queue_of(const std::string& device, int threads);

/// Queue of a rank for the keywords `device` and `threads`.
Queue queue_of(const DeviceName& device, int threads, const Communicator& ranks);

/// @param ranks   ranks of the plan: a name like "cuda" stands for the device of each
/// @throws Error  another dtype, no such device, or wait = False on a stream that the caller cannot have
PlanContext make_context(const char* operation, const ContextOptions& options,
                         const Communicator& ranks = Communicator::alone());

/// Context of `array`: its device, its type, and the current stream of its library.
/// @param array  or points: a tuple of columns
PlanContext context_of(const char* operation, const char* argument, nb::handle array, const CallOptions& options);

/// Docstrings of the keywords of plans.
inline const std::string dtype_parameter = R"(dtype : str
    "float32" or "float64": precision of the plan and of its arrays.
)";
inline const std::string double_context_parameters = R"(device : str or shoal.mpi.Queue
    "cpu", "cuda", "cuda:1", or "best"; or a queue, whose device and number of threads the plan uses.
stream : int or stream of CuPy, PyTorch or Numba, optional
    CUDA stream of the plan; default: the legacy default stream.
threads : int
    Number of threads on the CPU; 0: the default of OpenMP.
wait : bool
    If True, calls return when their work has ended, and raise its errors. False needs `stream`: work then follows
    the order of that stream, and `wait()` raises its errors.
like : array, optional
    Array whose dtype, device and stream the plan uses.
)";
inline const std::string context_parameters = dtype_parameter + double_context_parameters;

}  // namespace shoal::python
