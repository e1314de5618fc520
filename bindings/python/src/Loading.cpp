//===- Loading.cpp - Programs as objects ----------------------------------===//
#include "Loading.h"
#include "Callee.h"
#include "Calls.h"
#include "ModuleObject.h"
#include "Types.h"
#include "Values.h"
#include "tsc/IR/Function.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/Zip.h"
#include <nanobind/stl/vector.h>
#if TSC_PYTHON_HAS_CPU_FUSER
#include "tsc/FuserCPU/FuserCPU.h"
#endif

using namespace tsc;
using namespace tsc::bindings;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {
/// Keyword arguments of load(), which tsc/_load.py has given their defaults.
class Options {
public:
  explicit Options(nb::dict values) : values(std::move(values)) {}
  nb::object get(const char *name) const { return nb::object(values[name]); }
  bool has(const char *name) const { return values.contains(name); }
  bool isTrue(const char *name) const { return nb::cast<bool>(get(name)); }
  int64_t number(const char *name, int64_t least, int64_t most) const {
    const IValue value = toIValue(get(name), nullptr);
    if (!value.isInt() || value.toInt() < least || value.toInt() > most)
      raise(PyExc_ValueError, std::string("'") + name + "' is an int from " + std::to_string(least) + " to " +
                                  std::to_string(most) + ", and not " + represented(get(name)));
    return value.toInt();
  }

private:
  nb::dict values;
};
} // namespace

/// Limits as (steps, depth, memory, output), with None for the usual ones.
static Quotas quotasOf(nb::handle parts) {
  Quotas quotas;
  auto limit = [&](int index) -> std::optional<uint64_t> {
    nb::object part = nb::object(nb::borrow(parts)[index]);
    if (part.is_none())
      return std::nullopt;
    return nb::cast<uint64_t>(part);
  };
  quotas.steps = limit(0).value_or(Quotas::unlimited);
  if (auto depth = limit(1))
    quotas.depth = static_cast<unsigned>(std::min<uint64_t>(*depth, std::numeric_limits<unsigned>::max()));
  quotas.memory = limit(2).value_or(Quotas::unlimited);
  quotas.output = limit(3).value_or(Quotas::unlimited);
  return quotas;
}

static std::vector<std::string> patternsOf(nb::handle patterns) {
  std::vector<std::string> all;
  if (patterns.is_none())
    return all;
  auto add = [&](nb::handle text) {
    std::vector<std::string> parsed = orRaise(parseOperatorPatterns(textOf(text)));
    all.insert(all.end(), parsed.begin(), parsed.end());
  };
  if (PyUnicode_Check(patterns.ptr()))
    add(patterns);
  else
    for (nb::handle one : nb::borrow(patterns))
      add(one);
  return all;
}

static CompileMode compileModeOf(nb::handle mode) {
  const std::string name = nb::cast<std::string>(mode);
  if (name == "background")
    return CompileMode::Background;
  if (name == "eager")
    return CompileMode::Eager;
  if (name == "off")
    return CompileMode::Off;
  raise(PyExc_ValueError, "'compile' is \"background\", \"eager\" or \"off\", and not '" + name + "'");
}

static EngineOptions engineOptions(const Options &given, LoadedProgram &program) {
  EngineOptions options;
  options.optimization = static_cast<unsigned>(given.number("optimization", 0, 3));
  options.plans = compileModeOf(given.get("compile"));
#if TSC_PYTHON_HAS_CPU_FUSER
  if (given.isTrue("fuser") && options.optimization >= 2) {
    CpuFuserOptions fusing;
    fusing.mode = options.plans;
    if (nb::object folder = given.get("cache_folder"); !folder.is_none())
      fusing.cacheFolder = textOf(owned(PyOS_FSPath(folder.ptr())));
    options.fusers.add(DeviceKind::CPU, createCpuFuser(fusing));
  }
#endif
  options.allowSetState = given.isTrue("allow_setstate");
  options.allowFiles = given.isTrue("allow_files");
  options.operators.allowed = patternsOf(given.get("allow_operators"));
  options.operators.denied = patternsOf(given.get("deny_operators"));
  options.loadingQuotas = quotasOf(given.get("loading_quotas"));
  if (nb::object seed = given.get("seed"); !seed.is_none())
    options.seed = nb::cast<uint64_t>(seed);
  if (nb::object folder = given.get("source_folder"); !folder.is_none())
    options.sourceFolder = textOf(owned(PyOS_FSPath(folder.ptr())));
  // All that users script belongs to one program, in which they keep apart what threads share, as in PyTorch.
  options.counted = given.has("is_unit") ? CountedCalls::None : CountedCalls::All;
  options.onDiagnostic = [messages = program.messages](const Diagnostic &one) { messages->add(one); };
  options.loadingOut = &program.loadingOut->stream;
  return options;
}

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

namespace {
/// Bytes of Python's that a program's weights borrow.
class KeptBytes final : public Kept {
public:
  explicit KeptBytes(nb::handle bytes) {
    if (PyObject_GetBuffer(bytes.ptr(), &view, 0) != 0)
      raiseCurrent();
  }
  ~KeptBytes() override { PyBuffer_Release(&view); }
  llvm::StringRef data() const { return {static_cast<const char *>(view.buf), static_cast<size_t>(view.len)}; }

private:
  Py_buffer view{};
};
class BytesKeeper final : public RefCounted {
public:
  explicit BytesKeeper(Kept *kept) : kept(kept) {}
  ~BytesKeeper() override { releaseLater(kept); }

private:
  Kept *kept;
};
} // namespace

/// Loads a file by its path, or, where `bytes` is not None, from memory, with `name` in the place of its path. `given`
/// are the options that differ from the defaults, for copies of the program.
static ProgramRef load(nb::object bytes, const std::string &name, nb::dict all, nb::dict given) {
  const Options options(std::move(all));
  auto loaded = std::make_shared<LoadedProgram>();
  loaded->name = name;
  loaded->messages = std::make_shared<DiagnosticList>();
  loaded->quotas = quotasOf(options.get("quotas"));
  const int64_t threads = options.number("threads", 1, 1024);
  EngineOptions engine = engineOptions(options, *loaded);
  Ref<RefCounted> keeper;
  llvm::StringRef data;
  if (!bytes.is_none()) {
    auto *kept = new KeptBytes(bytes);
    data = kept->data();
    keeper = makeRef<BytesKeeper>(kept);
  }
  StatusOr<Program> program = [&] {
    ClearsReleased clears;
    WithoutGil released;
    if (threads > 1)
      loaded->executor = std::make_shared<ThreadPool>(static_cast<unsigned>(threads));
    ExecutorScope scope(loaded->executor.get());
    return keeper ? Program::load(Bytes{data, std::move(keeper)}, name, std::move(engine))
                  : Program::load(name, std::move(engine));
  }();
  clearReleased();
  loaded->showLoadingOut();
  loaded->program.emplace(loaded->orRaise(std::move(program)));
  loaded->given = given.release().ptr();
  loaded->messages->warn();
  return loaded;
}

void LoadedProgram::showLoadingOut() { writeToStdout(std::exchange(loadingOut->text, {})); }

//===----------------------------------------------------------------------===//
// What there is in a program
//===----------------------------------------------------------------------===//

static nb::object findFunction(const ProgramRef &program, const std::string &name) {
  Callee callee;
  callee.program = program;
  callee.entryName = name;
  callee.findEntry();
  return makeFunction(std::move(callee));
}

static std::vector<std::string> functionNames(const ProgramRef &program) {
  std::vector<std::string> names;
  for (const Function *function : program->program->functions())
    names.push_back(function->name().str());
  return names;
}

/// A module that a source file has made, or an object of a class of modules; the archive's module for "".
static nb::object findModule(const ProgramRef &program, const std::string &name) {
  if (program->program->module())
    return name.empty() ? ownModuleOf(program)
                        : objectOf(IValue(program->orRaise(program->program->findModule(name)).object()), program);
  StatusOr<IValue> module = [&] {
    WithoutGil released;
    return program->program->moduleToSave(name);
  }();
  return objectOf(program->orRaise(std::move(module)), program);
}

static nb::object getAttribute(const ProgramRef &program, const std::string &name) {
  StatusOr<Program::Entry> entry = [&]() -> StatusOr<Program::Entry> {
    if (llvm::StringRef(name).starts_with("__"))
      return notFound("no function has such a name");
    WithoutGil released;
    return program->program->find(name);
  }();
  if (!entry.ok() && entry.status().code() == StatusCode::NotFound)
    raise(PyExc_AttributeError, "'" + program->name + "' has no function '" + name + "'");
  Callee callee;
  callee.program = program;
  callee.entry = program->orRaise(std::move(entry));
  return makeFunction(std::move(callee));
}

static ProgramRef forkProgram(const ProgramRef &program) {
  auto made = std::make_shared<LoadedProgram>();
  made->name = program->name;
  made->messages = program->messages;
  made->loadingOut = program->loadingOut;
  made->executor = program->executor;
  made->quotas = program->quotas;
  Py_XINCREF(program->given);
  made->given = program->given;
  StatusOr<Program> forked = [&] {
    WithoutGil released;
    return program->program->fork();
  }();
  made->program.emplace(program->orRaise(std::move(forked)));
  return made;
}

static nb::object evaluate(const ProgramRef &program, const std::string &text) {
  EngineCall call(program->program->context(), program->executor.get());
  call.context().quotas = program->quotas;
  if (call.thread().gradMode)
    call.record();
  std::vector<IValue> values =
      program->orRaise(call.run([&] { return program->program->evaluate(call.context(), text, "<expression>"); }));
  nb::list list;
  for (const IValue &value : values)
    list.append(toPython(value, program));
  return list;
}

std::vector<std::pair<std::string, std::string>> bindings::extraFilesOf(nb::handle files) {
  std::vector<std::pair<std::string, std::string>> extra;
  for (nb::handle item : owned(PyMapping_Items(files.ptr()))) {
    const auto [name, content] = std::pair(PyTuple_GetItem(item.ptr(), 0), PyTuple_GetItem(item.ptr(), 1));
    if (!PyUnicode_Check(name))
      raise(PyExc_TypeError, "the name of an extra file is a str, and not a " + typeNameOf(name));
    if (PyUnicode_Check(content)) {
      extra.emplace_back(textOf(name), textOf(content));
      continue;
    }
    if (!PyObject_CheckBuffer(content)) // bytes(3) would be three zeros
      raise(PyExc_TypeError,
            "the content of the extra file '" + textOf(name) + "' is a str or bytes, and not a " + typeNameOf(content));
    nb::object bytes = owned(PyBytes_FromObject(content));
    char *data = nullptr;
    Py_ssize_t size = 0;
    if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0)
      raiseCurrent();
    extra.emplace_back(textOf(name), std::string(data, static_cast<size_t>(size)));
  }
  return extra;
}

static nb::object archiveOf(const ProgramRef &program, const std::string &entry, const std::string &folder,
                            nb::handle files) {
  auto extra = extraFilesOf(files);
  StatusOr<std::string> bytes = [&]() -> StatusOr<std::string> {
    WithoutGil released;
    TSC_ASSIGN_OR_RETURN(IValue module, program->program->moduleToSave(entry));
    SaveOptions options;
    options.folder = folder;
    options.extraFiles = std::move(extra);
    return program->program->save(module, std::move(options));
  }();
  const std::string archive = program->orRaise(std::move(bytes));
  return owned(PyBytes_FromStringAndSize(archive.data(), static_cast<Py_ssize_t>(archive.size())));
}

/// The bytes of an archive of the program's module, frozen for `forward` and the methods and attributes in `keep`.
static nb::bytes frozenArchiveOf(const ProgramRef &program, const std::vector<std::string> &keep) {
  StatusOr<std::string> bytes = [&]() -> StatusOr<std::string> {
    WithoutGil released;
    TSC_ASSIGN_OR_RETURN(IValue module, program->program->freezeToSave(keep));
    return program->program->save(module, SaveOptions());
  }();
  const std::string archive = program->orRaise(std::move(bytes));
  return nb::bytes(archive.data(), archive.size());
}

void bindings::bindPrograms(nb::module_ &module) {
  module.def("_load", load, nb::arg("bytes").none(), nb::arg("name"), nb::arg("options"), nb::arg("given"));
  nb::class_<LoadedProgram>(module, "Program",
                            "A loaded program: its functions are its attributes. tsc.load and tsc.CompilationUnit make "
                            "one.")
      .def_ro("name", &LoadedProgram::name, "The path of the file, or what stands for it.")
      .def("find", findFunction, nb::arg("name") = "",
           "Returns a function, or a method as in \"Net.encode\", compiled. \"\" is forward, else main, else the only "
           "function.")
      .def_prop_ro(
          "options",
          [](const ProgramRef &self) {
            return self->given ? nb::object(nb::borrow(self->given)) : nb::object(nb::dict());
          },
          "The options that the program was loaded with, where they differ from the usual ones.")
      .def("__getattr__", getAttribute)
      .def_prop_ro("functions", functionNames, "The names of the functions that a source file defines.")
      .def("module", findModule, nb::arg("name") = "",
           "Returns the module of an archive, or one within it by its path; of a source file, the module that it made "
           "under a name, or\nthe last one.")
      .def("evaluate", evaluate, nb::arg("expressions"),
           "Returns a list of the values of TorchScript expressions that commas separate.")
      .def("fork", forkProgram,
           "Returns a program that shares the code and the parameters, and has buffers of its own, for another thread.")
      .def(
          "freeze",
          [](const ProgramRef &self, std::vector<std::string> methods, std::vector<std::string> keep) {
            Status status = [&] {
              WithoutGil released;
              return self->program->freeze(methods, std::move(keep));
            }();
            self->raiseIfError(status);
          },
          nb::arg("methods"), nb::arg("keep") = std::vector<std::string>())
      .def(
          "compile_all",
          [](const ProgramRef &self) {
            Status status = [&] {
              WithoutGil released;
              return self->program->compileAll();
            }();
            self->raiseIfError(status);
            self->messages->warn();
          },
          "Compiles every function and method; raises CompileError for what is wrong.")
      .def(
          "finish_compiling",
          [](const ProgramRef &self) {
            WithoutGil released;
            self->program->finishCompiling();
          },
          "Waits for the code that calls have asked for so far.")
      .def_prop_ro(
          "writes_state",
          [](const ProgramRef &self) {
            WithoutGil released;
            return self->program->writes().state;
          },
          "Where a call may write to the module's state, or \"\": such calls run one at a time.")
      .def_prop_ro("format_version", [](const ProgramRef &self) { return self->program->formatVersion(); })
      .def_prop_ro("extra_file_names",
                   [](const ProgramRef &self) {
                     llvm::ArrayRef<std::string> names = self->program->extraFileNames();
                     return std::vector<std::string>(names.begin(), names.end());
                   })
      .def_prop_ro("is_archive", [](const ProgramRef &self) { return self->program->module() != nullptr; })
      .def("_archive", archiveOf)
      .def("_frozen_archive", frozenArchiveOf, nb::arg("keep"))
      .def("__repr__", [](const ProgramRef &self) { return "<tsc.Program '" + self->name + "'>"; });
}
