// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>
#include <shoal/device.hpp>

#include <string>

#include "options.hpp"

namespace shoal::python {

/// "float32" or "float64", or what NumPy and other libraries have for it.
struct Dtype {
  std::string word;
};

/// "cpu", "cuda:0" or "best", or what PyTorch has for it.
struct DeviceName {
  std::string word;
};

/// Where a plan works and in what numbers, as the keywords of every plan say it.
struct PlaceOptions {
  Dtype dtype = {"float64"};
  DeviceName device = {"cpu"};
  nb::object stream = nb::none();
  int threads = 0;
  bool wait = true;
  nb::object like = nb::none();
};
const Options<PlaceOptions>& place_options();
/// Those of a plan that computes in double whatever it is given.
const Options<PlaceOptions>& double_place_options();

/// Those of a call that makes its plan itself: an array that it is given says the rest.
struct CallOptions {
  nb::object stream = nb::none();
  int threads = 0;
};
const Options<CallOptions>& call_options();

struct Place {
  Queue queue;
  bool single = false;  ///< float32, else float64
  bool wait = true;     ///< calls return when their work has ended
};

/// @throws Error  another dtype, no such device, wait = False on a stream that the caller does not know
Place make_place(const char* operation, const PlaceOptions& options);

/// The place of `array`: its device, its type, and the stream that its library works on now.
/// @param array  or points: a tuple of columns
Place place_of(const char* operation, nb::handle array, const CallOptions& options);

/// What every plan that computes in float and double has in its docstring.
inline const std::string dtype_parameter = R"(dtype : str
    "float32" or "float64": what the plan computes in, and what its arrays must be.
)";
inline const std::string double_place_parameters = R"(device : str
    "cpu", "cuda", "cuda:1", or "best".
stream : int or stream of CuPy, PyTorch or Numba, optional
    The CUDA stream to work on; default: the legacy default stream.
threads : int
    On the CPU; 0: as many as OpenMP takes.
wait : bool
    Whether calls return when their work has ended and raise what it found. False needs `stream`: work is then in
    the order of that stream, and `wait()` raises.
like : array, optional
    Takes dtype, device and stream from this array and its library.
)";
inline const std::string place_parameters = dtype_parameter + double_place_parameters;

}  // namespace shoal::python
