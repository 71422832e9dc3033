#pragma once

#include <Python.h>

#include <bbc/control.hpp>
#include <chrono>
#include <thread>

/// Releases Python's lock for its lifetime, so that other threads of Python run; made and destroyed
/// by a thread that holds it.
class WithoutGil {
 public:
  explicit WithoutGil(int n_threads) : state_(PyEval_SaveThread()) {
    control.n_threads = n_threads;
    // Ctrl-C: signals are looked at on the calling thread. A handler's exception stays set, and
    // the kernel's error leaves it so.
    control.poll = [this](double /*done*/) {
      take_lock();
      const bool goes_on = PyErr_CheckSignals() == 0;
      state_ = PyEval_SaveThread();
      return goes_on;
    };
  }
  ~WithoutGil() { take_lock(); }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

  bbc::Control control;

  /// What a call of Python returns, made with its lock.
  template <class Call>
  auto within(const Call& call) {
    take_lock();
    struct Release {
      PyThreadState*& state;
      ~Release() { state = PyEval_SaveThread(); }
    } const release{state_};
    return call();
  }

 private:
  /// When Python ends, it ends the daemon thread that asks for its lock: by unwinding the stack,
  /// up to Python 3.13. Neither destructors nor the kernel can be left that way, so the thread
  /// sleeps until the process is gone, as it does from Python 3.14 on.
  void take_lock() noexcept {
    try {
      PyEval_RestoreThread(state_);
    } catch (...) {
      for (;;) std::this_thread::sleep_for(std::chrono::hours(1));
    }
  }

  PyThreadState* state_;
};

/// What a call of the kernel returns, made without Python's lock.
template <class Call>
auto without_gil(int n_threads, const Call& call) {
  const WithoutGil outside(n_threads);
  return call(outside.control);
}

/// The same for a call that takes neither threads nor a way to stop it.
template <class Call>
auto without_gil(const Call& call) {
  const WithoutGil outside(1);
  return call();
}
