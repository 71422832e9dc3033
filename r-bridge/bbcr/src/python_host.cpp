// Python inside the R process. libpython is opened when it is asked for: the package is built
// without Python's headers and runs without Python. Values do not pass through here: Python's side
// of the bridge attaches to this R and leaves an R function behind.
#include <cpp11.hpp>
#include <string>
#include <vector>

#if defined(_WIN32) || !__has_include(<dlfcn.h>)

namespace {

void start(const std::string& /*library*/, const std::string& /*executable*/) {
  cpp11::stop("Python does not run inside R on this system; all that needs no Python does");
}

std::string answer_of(const std::string& /*code*/) { return {}; }

}  // namespace

#else

#include <dlfcn.h>

namespace {

struct Interpreter {
  void* library = nullptr;
  int (*gil_ensure)() = nullptr;
  void (*gil_release)(int) = nullptr;
  int (*run)(const char*, void*) = nullptr;
  void* (*add_module)(const char*) = nullptr;
  void* (*get_attribute)(void*, const char*) = nullptr;
  const char* (*as_utf8)(void*) = nullptr;
  void (*decrease_references)(void*) = nullptr;
};

// One per process, as Python itself; it lives as long as the process.
Interpreter python;

template <class Function>
void find(Function& function, const char* name) {
  function = reinterpret_cast<Function>(dlsym(python.library, name));
  if (function == nullptr) cpp11::stop("libpython has no %s: bbcr needs Python 3.11 to 3.14", name);
}

void find_functions() {
  find(python.gil_ensure, "PyGILState_Ensure");
  find(python.gil_release, "PyGILState_Release");
  find(python.run, "PyRun_SimpleStringFlags");
  find(python.add_module, "PyImport_AddModule");
  find(python.get_attribute, "PyObject_GetAttrString");
  find(python.as_utf8, "PyUnicode_AsUTF8");
  find(python.decrease_references, "Py_DecRef");
}

void initialize(const std::string& executable) {
  int (*is_initialized)() = nullptr;
  wchar_t* (*decode)(const char*, std::size_t*) = nullptr;
  void (*set_program_name)(const wchar_t*) = nullptr;
  void (*initialize_without_signals)(int) = nullptr;
  void* (*release_thread)() = nullptr;
  find(is_initialized, "Py_IsInitialized");
  if (is_initialized() != 0) return;  // by another package
  find(decode, "Py_DecodeLocale");
  find(set_program_name, "Py_SetProgramName");
  find(initialize_without_signals, "Py_InitializeEx");
  find(release_thread, "PyEval_SaveThread");
  // The program's name leads Python to the packages of its environment; it keeps the pointer.
  set_program_name(decode(executable.c_str(), nullptr));
  initialize_without_signals(0);
  release_thread();  // every call takes the lock again
}

void start(const std::string& library, const std::string& executable) {
  if (python.library != nullptr) return;
  // Global, because Python's compiled modules look their symbols up in it.
  python.library = dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (python.library == nullptr) cpp11::stop("Python cannot be loaded: %s", dlerror());
  try {
    find_functions();
    initialize(executable);
  } catch (...) {
    python.library = nullptr;
    throw;
  }
}

std::string answer_of(const std::string& code) {
  const int state = python.gil_ensure();
  std::string answer = "Python could not run the code of the bridge";
  if (python.run(code.c_str(), nullptr) == 0) {
    void* text = python.get_attribute(python.add_module("__main__"), "bbcr_answer");
    if (text != nullptr) {
      if (const char* characters = python.as_utf8(text)) answer = characters;
      python.decrease_references(text);
    }
  }
  python.gil_release(state);
  return answer;
}

}  // namespace

#endif

[[cpp11::register]] void python_start(const std::string& library, const std::string& executable) {
  start(library, executable);
}

// Runs code that leaves a text in `bbcr_answer`; returns the text.
[[cpp11::register]] std::string python_run(const std::string& code) { return answer_of(code); }
