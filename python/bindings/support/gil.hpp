// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <Python.h>
#include <unistd.h>

/// Python's lock in threads that may outlive the interpreter.
///
/// Until version 3.13, Python ends a daemon thread that takes the lock after the interpreter began to exit, by unwinding
/// its stack. C++ code on this stack makes that a call of std::terminate(). These classes make such a thread wait for the
/// end of the process instead, as Python 3.14 does.
namespace shoal::python {

/// Blocks if a call that takes Python's lock does not return normally.
class BlockUnlessReturned {
 public:
  ~BlockUnlessReturned() {
    while (!returned_) ::pause();
  }
  void set_returned() { returned_ = true; }

 private:
  bool returned_ = false;
};

/// Releases Python's lock in a scope.
class GilRelease {
 public:
  GilRelease() : state_(PyEval_SaveThread()) {}
  ~GilRelease() { restore(state_); }
  GilRelease(const GilRelease&) = delete;
  GilRelease& operator=(const GilRelease&) = delete;

 private:
  static void restore(PyThreadState* state) {
    BlockUnlessReturned guard;
    PyEval_RestoreThread(state);
    guard.set_returned();
  }

  PyThreadState* state_;
};

/// Holds Python's lock in a scope.
class GilAcquire {
 public:
  GilAcquire() : state_(ensure()) {}
  ~GilAcquire() { PyGILState_Release(state_); }
  GilAcquire(const GilAcquire&) = delete;
  GilAcquire& operator=(const GilAcquire&) = delete;

 private:
  static PyGILState_STATE ensure() {
    BlockUnlessReturned guard;
    const PyGILState_STATE state = PyGILState_Ensure();
    guard.set_returned();
    return state;
  }

  PyGILState_STATE state_;
};

}  // namespace shoal::python
