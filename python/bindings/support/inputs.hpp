// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nanobind/nanobind.h>

#include <string>

/// Inputs that become arrays: numbers in lists, and whole numbers in host memory.
namespace shoal::python {

namespace nb = nanobind;

/// Returns true for a tuple or list of arrays: the columns of points, or several values. Numbers in lists are one array.
bool is_sequence_of_arrays(nb::handle input);

/// Returns the input as an array. Numbers in lists become an array of NumPy, float64; arrays stay as they are.
/// @throws Error  the input is None, a list without numbers or with rows of different lengths, or a masked array
nb::object as_array(const char* operation, const std::string& argument, nb::handle input);

/// Converts an array in host memory to a NumPy array of another type.
nb::object converted(nb::handle array, const std::string& dtype);

/// Throws if an array has a mask, which nothing reads.
void require_no_mask(const char* operation, const std::string& argument, nb::handle array);

}  // namespace shoal::python
