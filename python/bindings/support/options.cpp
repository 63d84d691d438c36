// SPDX-License-Identifier: Apache-2.0
#include "support/options.hpp"

#include <algorithm>

namespace shoal::python {

std::string text_of(nb::object value) {
  const nb::object as_text = nb::steal(PyObject_Str(value.ptr()));
  if (!as_text.is_valid()) throw nb::python_error();
  return nb::cast<nb::str>(as_text).c_str();
}

void bad_option(const std::string& option, nb::handle value, const std::string& expected) {
  throw Error(text(option, " = ", nb::repr(value).c_str(), ", expected ", expected, "."));
}

bool OptionType<bool>::read(const std::string& option, nb::handle value) {
  const nb::handle type = value.type();
  const bool is_numpy_bool = text_of(type.attr("__name__")).starts_with("bool");
  if (!PyBool_Check(value.ptr()) && !is_numpy_bool) bad_option(option, value, "True or False");
  return PyObject_IsTrue(value.ptr()) == 1;
}

std::string OptionType<std::string>::read(const std::string& option, nb::handle value) {
  if (!PyUnicode_Check(value.ptr())) bad_option(option, value, "text");
  return nb::cast<nb::str>(value).c_str();
}

std::int64_t read_whole_number(const std::string& option, nb::handle value) {
  if (PyBool_Check(value.ptr()) || !PyIndex_Check(value.ptr())) bad_option(option, value, "a whole number");
  const Py_ssize_t number = PyNumber_AsSsize_t(value.ptr(), PyExc_OverflowError);
  if (number == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    bad_option(option, value, "a whole number of at most 64 bits");
  }
  return number;
}

double read_number(const std::string& option, nb::handle value) {
  const double number = PyBool_Check(value.ptr()) || PyUnicode_Check(value.ptr()) ? -1 : PyFloat_AsDouble(value.ptr());
  if (PyErr_Occurred() || PyBool_Check(value.ptr()) || PyUnicode_Check(value.ptr())) {
    PyErr_Clear();
    bad_option(option, value, "a number");
  }
  return number;
}

std::vector<nb::object> read_sequence(const std::string& option, nb::handle value, const std::string& expected) {
  const bool is_text = PyUnicode_Check(value.ptr());
  const nb::object items = is_text ? nb::object() : nb::steal(PySequence_Fast(value.ptr(), ""));
  if (!items.is_valid()) {
    PyErr_Clear();
    bad_option(option, value, expected);
  }
  std::vector<nb::object> list;
  for (const nb::handle item : items) list.push_back(nb::borrow(item));
  return list;
}

void unknown_keyword(const char* operation, std::string_view keyword, const std::vector<std::string>& known) {
  throw nb::type_error(
      text(operation, ": unknown keyword \"", keyword, "\"; expected one of ", join(known), ".").c_str());
}

}  // namespace shoal::python
