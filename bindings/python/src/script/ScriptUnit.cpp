//===- ScriptUnit.cpp - Python's functions as a program -------------------===//
#include "ScriptUnit.h"
#include "../Callee.h"
#include "../Calls.h"
#include "../Loading.h"
#include "../Values.h"
#include "../torch/CompiledCallables.h"
#include "../torch/SharedTensor.h"
#include "Containers.h"
#include "EagerTrace.h"
#include "GraphObjects.h"
#include "Graphs.h"
#include "HostTrace.h"
#include "Script.h"
#include "tsc/Frontend/Compiler.h"
#include "tsc/Frontend/HostDefinitions.h"
#include "tsc/IR/ClassType.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/Dispatch/Arguments.h"
#include "tsc/Runtime/Dispatch/FileAccess.h"
#include "tsc/Serialization/Archive.h"
#include "tsc/Serialization/ArchiveWriter.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Support/ErrorsSince.h"
#include "tsc/Transforms/Inlining.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace tsc;
using namespace tsc::bindings;
using llvm::StringRef;

thread_local Compiler *CompilingThread::current = nullptr;

/// `torch.save` of any value: the program is the user's own Python, whose files it may write.
static Status saveAnyValue(CallContext &context, const IValue *const *args, IValue *) {
  if (!context.files)
    return permissionDenied("files are not accessible here: the host has lent the program none");
  return context.files->saveValue(*args[0], args[1]->toString());
}

ScriptUnit::ScriptUnit(ProgramRef program, nb::object reported)
    : reported(std::move(reported)), loaded(std::move(program)) {
  raiseIfError(engine().context().operators().registerOperator("tsc::save.value(t obj, str f) -> ()", saveAnyValue));
  loaded->raiseIfError(engine().define([&](Compiler &compiler) {
    theCompiler = &compiler;
    compiler.diagnostics().listAllOverloads(); // a message's first lines are what Python shows: tsc/_errors.py
    return true;
  }));
}

ScriptUnit::~ScriptUnit() = default;

const SourceBuffer &ScriptUnit::addText(std::string file, std::string text) {
  return engine().context().sources().add(std::move(file), std::move(text));
}

Definition ScriptUnit::define(llvm::function_ref<Definition(Compiler &)> declare, bool mayBeNothing) {
  Definition made;
  auto isMade = [&] { return mayBeNothing || made.value || made.function || made.type; };
  if (Compiler *compiler = CompilingThread::compiler()) { // what is compiled asks for what it names
    made = declare(*compiler);
    if (!isMade()) {
      PyErr_SetNone(reported.ptr());
      raiseCurrent();
    }
  } else {
    Status status;
    {
      WithoutGil released; // the compiler asks Python what names mean, perhaps in another thread
      status = engine().define([&](Compiler &own) {
        CompilingThread compiling(own);
        made = declare(own);
        return isMade();
      });
    }
    loaded->raiseIfError(status);
  }
  made.unit = shared_from_this();
  return made;
}

//===----------------------------------------------------------------------===//
// Definitions
//===----------------------------------------------------------------------===//

static Definition ofFunction(Compiler &compiler, Function *function) {
  Definition made;
  made.function = function;
  made.value = function ? valueOfFunction(compiler, {function}) : nullptr;
  return made;
}

static Definition ofType(Compiler &compiler, const Type *type) {
  Definition made;
  made.type = type;
  made.value = type ? valueOfType(compiler, type) : nullptr;
  return made;
}

Definition ScriptUnit::function(std::string text, std::string file, const std::string &name, nb::object scope) {
  const SourceBuffer &source = addText(std::move(file), std::move(text));
  PythonScope &names = addScope(std::move(scope));
  return define(
      [&](Compiler &compiler) { return ofFunction(compiler, declareFunction(compiler, source, name, names)); });
}

Definition ScriptUnit::method(const Definition &type, std::string text, std::string file, const std::string &name,
                              nb::object scope) {
  auto *classType = const_cast<ClassType *>(llvm::dyn_cast_or_null<ClassType>(type.type));
  if (!classType)
    raise(PyExc_TypeError, "only classes have methods");
  const SourceBuffer &source = addText(std::move(file), std::move(text));
  PythonScope &names = addScope(std::move(scope));
  return define([&](Compiler &compiler) {
    Definition made;
    made.function = declareMethod(compiler, *classType, source, name, names);
    return made;
  });
}

Definition ScriptUnit::classOf(std::string text, std::string file, const std::string &name, nb::object scope) {
  const SourceBuffer &source = addText(std::move(file), std::move(text));
  PythonScope &names = addScope(std::move(scope));
  return define([&](Compiler &compiler) { return ofType(compiler, declareClass(compiler, source, name, names)); });
}

Definition ScriptUnit::typeOf(std::string text, nb::object scope) {
  const SourceBuffer &source = addText("<annotation>", std::move(text));
  PythonScope &names = addScope(std::move(scope));
  return define([&](Compiler &compiler) { return ofType(compiler, typeFromText(compiler, source, names)); });
}

Definition ScriptUnit::inferredTensor() {
  return define([](Compiler &compiler) { return ofType(compiler, Type::inferredTensorType()); });
}

Definition ScriptUnit::knownType(const std::string &name) {
  return define([&](Compiler &compiler) { return ofType(compiler, compiler.context().findNamed(name)); },
                /*mayBeNothing=*/true);
}

void ScriptUnit::setPythonClass(const Definition &type, nb::object object) {
  if (!type.type)
    raise(PyExc_TypeError, "only types have classes of Python's");
  (void)loaded->classOf(type.type, [&] { return object; });
}

Definition ScriptUnit::templateOf(std::string text, std::string file, nb::object scope, bool isLambda) {
  const SourceBuffer &source = addText(std::move(file), std::move(text));
  PythonScope &names = addScope(std::move(scope));
  return define([&](Compiler &compiler) {
    Definition made;
    made.value = valueOfTemplate(compiler, source, names, isLambda);
    return made;
  });
}

Definition ScriptUnit::overloads(const std::vector<Definition> &functions) {
  std::vector<Function *> all;
  for (const Definition &one : functions) {
    if (!one.function)
      raise(PyExc_TypeError, "only functions can be overloads of one");
    all.push_back(one.function);
  }
  if (all.empty())
    raise(PyExc_ValueError, "a function has at least one overload");
  return define([&](Compiler &compiler) {
    Definition made;
    made.value = valueOfFunction(compiler, std::move(all));
    return made;
  });
}

Definition ScriptUnit::constant(nb::handle value, const Definition *type) {
  const Type *of = type ? type->type : nullptr;
  IValue constant = of ? valueOf(value, of, "a constant") : toIValue(value, loaded.get());
  return define([&](Compiler &compiler) {
    Definition made;
    made.type = of;
    made.value = valueOfConstant(compiler, std::move(constant), of);
    return made;
  });
}

Definition ScriptUnit::library(const std::string &path) {
  return define(
      [&](Compiler &compiler) {
        Definition made;
        made.value = valueOfLibrary(compiler, path);
        made.type = typeOfLibrary(compiler, path);
        if (!made.value && made.type)
          made.value = valueOfType(compiler, made.type);
        return made;
      },
      /*mayBeNothing=*/true);
}

Definition ScriptUnit::namespaceOf(nb::object object, std::string description, nb::object scope) {
  Definition made;
  made.unit = shared_from_this();
  made.value = &namespaces.add(addScope(std::move(scope)), std::move(object), std::move(description));
  return made;
}

Definition ScriptUnit::refused(std::string description, std::string why) {
  Definition made;
  made.unit = shared_from_this();
  made.value = &refusedValues.add(std::move(description), std::move(why));
  return made;
}

/// Calls a function of Python's with the arguments of an operator, and sets the operator's result.
static void callPython(nb::handle function, const FunctionSchema &schema, const ProgramRef &program,
                       const IValue *const *args, IValue *results) {
  nb::list given;
  for (size_t i = 0; i != schema.arguments().size(); ++i)
    given.append(toPython(*args[i], program));
  nb::object result = owned(PyObject_CallObject(function.ptr(), nb::tuple(given).ptr()));
  if (schema.returns().empty())
    return;
  const Type *type = schema.returns()[0].type;
  if (result.is_none() && type->isTensor()) { // a function without an annotation may give nothing
    results[0] = IValue(Tensor());
    return;
  }
  std::optional<IValue> converted = convertTo(program->program->context(), toIValue(result, program.get()), type);
  if (!converted)
    raise(PyExc_TypeError, "Expected the function to return a value of type " + type->annotation() +
                               " but instead got value of type " + typeNameOf(result) + ".");
  results[0] = *std::move(converted);
}

/// A text of no more than some pages: its begin and its end. Compiled code and functions of Python's may call each
/// other, and each tells what the one that it called has told.
static std::string shortened(std::string text) {
  constexpr size_t kept = 4096;
  if (text.size() <= 2 * kept)
    return text;
  const size_t from = text.find('\n', kept), to = text.rfind('\n', text.size() - kept);
  return from < to && to != std::string::npos ? text.substr(0, from) + "\n..." + text.substr(to)
                                              : text.substr(0, kept) + "..." + text.substr(text.size() - kept);
}

/// Makes the kernel of an operator that calls a function of Python's. `op` is set when the operator is there.
static CustomKernel makeKernel(nb::object callable, std::shared_ptr<const Operator *> op,
                               std::weak_ptr<LoadedProgram> program) {
  PyObject *function = callable.release().ptr(); // the kernel may go without the GIL: the function stays for ever
  return [function, op, program](CallContext &context, const IValue *const *args, IValue *results) -> Status {
    WithGil held;
    llvm::SaveAndRestore<bool> mode(ThreadState::get().gradMode, context.gradMode);
    try {
      callPython(function, (*op)->schema(), program.lock(), args, results);
      return okStatus();
    } catch (nb::python_error &error) {
      if (leaveCall(error))
        return cancelled("a function of Python's ended the call");
      return invalidArgument("The following operation failed in Python: " + shortened(error.what()));
    } catch (const std::exception &error) {
      return invalidArgument(error.what());
    }
  };
}

Definition ScriptUnit::callback(const std::string &schema, std::string name, nb::object callable) {
  auto op = std::make_shared<const Operator *>(nullptr);
  OperatorTable &table = engine().context().operators();
  raiseIfError(table.registerOperator(schema, makeKernel(std::move(callable), op, loaded)));
  const auto [path, overload] = StringRef(schema).split('(').first.trim().split('.');
  const std::string qualified = path.str();
  *op = table.find(qualified, overload);
  if (!*op)
    raise(PyExc_ValueError, "the schema '" + schema + "' does not name its operator");
  Definition made;
  made.unit = shared_from_this();
  made.value = &callbacks.add(qualified, std::move(name));
  return made;
}

Definition ScriptUnit::variadic(std::string name, nb::object maker) {
  Definition made;
  made.unit = shared_from_this();
  made.value = &variadics.add(*this, std::move(maker), std::move(name));
  return made;
}

bool ScriptUnit::isTaken(const std::string &name) {
  return theCompiler->unit().find(name) || engine().context().findNamed(name);
}

//===----------------------------------------------------------------------===//
// Archives
//===----------------------------------------------------------------------===//

namespace {
/// The bytes of an archive, which the tensors in it keep.
struct ArchiveBytes final : RefCounted {
  explicit ArchiveBytes(std::string text) : text(std::move(text)) {}
  std::string text;
};

/// Compiles what an archive's module can call, while its names mean what the archive says.
class BodyDefiner {
public:
  /// False after a report.
  bool define(const ObjectValue &object) {
    if (!seen.insert(&object).second)
      return true;
    for (Function *method : object.type->methods())
      if (!define(*method))
        return false;
    return llvm::all_of(object.slots, [&](const IValue &slot) { return !slot.isObject() || define(slot.toObject()); });
  }

  /// An operator of what was defined that touches files or other ranks, which the unit's functions may and an archive's
  /// code may not; null where there is none.
  Symbol foundOutside;

private:
  bool define(Function &function) {
    if (!seen.insert(&function).second)
      return true;
    if (failed(function.ensureDefined()) || !function.graph())
      return false;
    bool isGood = true;
    function.graph()->walk([&](Node &node) {
      if (node.kind().ns() == "tsc" && (!node.record() || node.hasTrait(Trait::SideEffects)))
        foundOutside = node.kind();
      if (node.kind() == prim::CallFunction || node.kind() == prim::CallMethod)
        if (Function *callee = calleeOf(node))
          isGood = isGood && define(*callee);
    });
    return isGood;
  }

  llvm::SmallPtrSet<const void *, 32> seen;
};
} // namespace

/// Reads an archive whose classes and functions have names that the program has not, compiles what its module can call,
/// and returns the module.
static nb::object loadArchiveInto(ScriptUnit &unit, const nb::bytes &archive) {
  auto kept = makeRef<ArchiveBytes>(std::string(archive.c_str(), archive.size()));
  IValue object;
  Status status;
  (void)unit.declare([&](Compiler &compiler) {
    const ErrorsSince errors(compiler.diagnostics());
    StatusOr<ArchiveContents> contents = loadArchive(compiler, Bytes{kept->text, kept});
    if (!contents.ok())
      status = contents.status();
    else if (BodyDefiner definer; !definer.define(contents->object.toObject()))
      status = invalidArgument(errors.str());
    else if (definer.foundOutside)
      status = permissionDenied("an archive's code may not call " + definer.foundOutside.qualified() +
                                ": what reaches beyond a program's values is left to code of Python's");
    else
      object = std::move(contents->object);
    return Definition();
  });
  unit.program()->raiseIfError(status);
  return toPython(object, unit.program());
}

//===----------------------------------------------------------------------===//
// What was made of them
//===----------------------------------------------------------------------===//

static Function &functionOf(const Definition &definition) {
  if (!definition.function)
    raise(PyExc_TypeError, "this is compiled for each call of it, and has no code of its own");
  return *definition.function;
}

Program::Entry ScriptUnit::entryOf(const Definition &definition) {
  Function &function = functionOf(definition);
  std::optional<StatusOr<Program::Entry>> entry;
  {
    WithoutGil released;
    entry.emplace(engine().entryOf(function));
  }
  Program::Entry found = loaded->orRaise(*std::move(entry));
  loaded->messages->warn();
  return found;
}

nb::object ScriptUnit::compiled(const Definition &function) {
  Callee callee;
  callee.program = loaded;
  callee.entry = entryOf(function);
  callee.function = function.function;
  return makeFunction(std::move(callee));
}

nb::object ScriptUnit::graphOf(const Definition &function) {
  (void)entryOf(function);
  const Graph &graph = *function.function->graph();
  auto keep = [&](nb::object made) {
    nb::object &kept = graphs[&graph];
    if (!kept.is_valid())
      kept = std::move(made);
    return kept;
  };
  return keptOrMade(graphsMutex, keep, [&] {
    std::unique_ptr<Graph> shown = graph.clone();
    bringToShownForm(*shown, function.isTraced);
    showAsPyTorch(*shown, function.isTraced);
    return nb::object(makeGraph(*shown, loaded));
  });
}

/// The signature of a graph: its inputs are the parameters.
static FunctionSchema signatureOf(const Graph &graph, const std::string &name) {
  std::vector<Argument> parameters, results;
  for (const Value *input : graph.inputs()) {
    Argument parameter;
    parameter.name = input->hasName() ? input->name().split('.').first.str() : "argument_" + input->displayName();
    parameter.type = input->type();
    parameters.push_back(std::move(parameter));
  }
  for (const Value *output : graph.outputs()) {
    Argument result;
    result.type = output->type();
    results.push_back(std::move(result));
  }
  return FunctionSchema(name, "", std::move(parameters), std::move(results));
}

Definition ScriptUnit::functionOfGraph(const std::string &name, nb::handle graph) {
  if (isTaken(name))
    raise(PyExc_ValueError, "'" + name + "' is defined already");
  std::unique_ptr<Graph> body = bodyOf(graph, *loaded);
  return define([&](Compiler &compiler) {
    Function *function = compiler.unit().create(name);
    function->setSchema(signatureOf(*body, name));
    function->setGraph(std::move(body));
    return ofFunction(compiler, function);
  });
}

nb::object ScriptUnit::codeOf(const Definition &function) {
  (void)entryOf(function);
  return bindings::codeOf(*function.function, *function.function->graph(), loaded);
}

nb::object ScriptUnit::schemaOf(const Definition &function) {
  (void)entryOf(function);
  return makeSchema(function.function->schema(), loaded);
}

nb::bytes ScriptUnit::save(const Definition &definition, nb::handle files) {
  Function &function = functionOf(definition);
  (void)entryOf(definition);
  SaveOptions options;
  options.extraFiles = extraFilesOf(files);
  std::optional<StatusOr<std::string>> bytes;
  {
    WithoutGil released;
    bytes.emplace([&]() -> StatusOr<std::string> {
      TSC_ASSIGN_OR_RETURN(IValue module, engine().moduleToSave(function));
      return engine().save(module, std::move(options));
    }());
  }
  std::string archive = loaded->orRaise(*std::move(bytes));
  return nb::bytes(archive.data(), archive.size());
}

//===----------------------------------------------------------------------===//
// Binding
//===----------------------------------------------------------------------===//

static void bindDefinition(nb::module_ &module) {
  nb::class_<Definition>(module, "Definition", "A function, class or constant that compiled code can name.")
      .def_prop_ro("is_function", [](const Definition &self) { return self.function != nullptr; })
      .def_prop_ro("is_type", [](const Definition &self) { return self.type != nullptr; })
      .def_prop_ro("is_known", [](const Definition &self) { return self.value || self.function || self.type; })
      .def_prop_ro(
          "name",
          [](const Definition &self) {
            return self.function ? self.function->qualifiedName().str() : self.type ? self.type->str() : std::string();
          })
      .def_prop_ro(
          "annotation",
          [](const Definition &self) { return self.type ? std::optional(self.type->annotation()) : std::nullopt; })
      .def_prop_ro("attributes",
                   [](const Definition &self) {
                     std::vector<std::string> names;
                     if (auto *type = llvm::dyn_cast_or_null<ClassType>(self.type))
                       for (const ClassAttribute &attribute : type->attributes())
                         names.push_back(attribute.name);
                     return names;
                   })
      .def_prop_ro("methods",
                   [](const Definition &self) {
                     std::vector<std::string> names;
                     if (auto *type = llvm::dyn_cast_or_null<ClassType>(self.type))
                       for (const Function *method : type->methods())
                         names.push_back(method->name().str());
                     return names;
                   })
      .def_prop_ro("parameters", [](const Definition &self) {
        std::vector<std::pair<std::string, std::string>> parameters;
        if (self.function)
          for (const Argument &argument : self.function->schema().arguments())
            parameters.emplace_back(argument.name, argument.type->annotation());
        return parameters;
      });
}

static Definition moduleTypeOf(ScriptUnit &unit, const std::string &name, PythonModuleClass &of,
                               decltype(ModuleParts::attributes) attributes, std::vector<std::string> children,
                               decltype(ModuleParts::constants) constants, decltype(ModuleParts::values) values,
                               decltype(ModuleParts::untyped) untyped, bool isList, bool isDict) {
  return unit.moduleType(name, of,
                         {std::move(attributes), std::move(children), std::move(constants), std::move(values),
                          std::move(untyped), isList, isDict});
}

void bindings::bindScript(nb::module_ &module) {
  bindGraphs(module);
  bindDefinition(module);
  bindContainers(module);
  bindTorchLibrary(module);
  bindSharedTensors(module);
  bindCompiledCallables(module);
  nb::class_<PythonModuleClass>(module, "ModuleClass", "A class of live modules.");
  nb::class_<ScriptUnit>(module, "ScriptUnit", "A program that grows by functions and classes of Python's.")
      .def(nb::new_([](ProgramRef program, nb::object reported) {
             return std::make_shared<ScriptUnit>(std::move(program), std::move(reported));
           }),
           nb::arg("program"), nb::arg("reported"))
      .def("function", &ScriptUnit::function, nb::arg("text"), nb::arg("file"), nb::arg("name"), nb::arg("scope"))
      .def("method", &ScriptUnit::method, nb::arg("type"), nb::arg("text"), nb::arg("file"), nb::arg("name"),
           nb::arg("scope"))
      .def("class_", &ScriptUnit::classOf, nb::arg("text"), nb::arg("file"), nb::arg("name"), nb::arg("scope"))
      .def("type", &ScriptUnit::typeOf, nb::arg("text"), nb::arg("scope"))
      .def("inferred_tensor", &ScriptUnit::inferredTensor)
      .def("known_type", &ScriptUnit::knownType, nb::arg("name"))
      .def("set_python_class", &ScriptUnit::setPythonClass, nb::arg("type"), nb::arg("object"))
      .def("template", &ScriptUnit::templateOf, nb::arg("text"), nb::arg("file"), nb::arg("scope"),
           nb::arg("is_lambda"))
      .def("overloads", &ScriptUnit::overloads, nb::arg("functions"))
      .def("constant", &ScriptUnit::constant, nb::arg("value"), nb::arg("type").none() = nb::none())
      .def("library", &ScriptUnit::library, nb::arg("path"))
      .def("namespace", &ScriptUnit::namespaceOf, nb::arg("object"), nb::arg("description"), nb::arg("scope"))
      .def("refused", &ScriptUnit::refused, nb::arg("description"), nb::arg("why"))
      .def("callback", &ScriptUnit::callback, nb::arg("schema"), nb::arg("name"), nb::arg("callable"))
      .def("variadic", &ScriptUnit::variadic, nb::arg("name"), nb::arg("maker"))
      .def("is_taken", &ScriptUnit::isTaken, nb::arg("name"))
      .def("module_class", &ScriptUnit::moduleClass, nb::arg("answers"), nb::arg("name"), nb::arg("is_library"),
           nb::rv_policy::reference_internal)
      .def("module_type", moduleTypeOf, nb::arg("name"), nb::arg("of"), nb::arg("attributes"), nb::arg("children"),
           nb::arg("constants"), nb::arg("values"), nb::arg("untyped"), nb::arg("is_list"), nb::arg("is_dict"))
      .def("find_method", &ScriptUnit::findMethod, nb::arg("type"), nb::arg("name"))
      .def("set_hooks", &ScriptUnit::setHooks, nb::arg("type"), nb::arg("before"), nb::arg("after"))
      .def("set_overloads", &ScriptUnit::setOverloads, nb::arg("type"), nb::arg("name"), nb::arg("overloads"))
      .def("make_object", &ScriptUnit::makeObject, nb::arg("type"), nb::arg("values"))
      .def("traced_module", &ScriptUnit::tracedModule, nb::arg("name"), nb::arg("attributes"))
      .def("type_of_module", &ScriptUnit::typeOfModule, nb::arg("module"))
      .def("load_archive", loadArchiveInto, nb::arg("archive"))
      .def("compile", &ScriptUnit::compile, nb::arg("function"))
      .def("compiled", &ScriptUnit::compiled, nb::arg("function"))
      .def("graph", &ScriptUnit::graphOf, nb::arg("function"))
      .def("function_of_graph", &ScriptUnit::functionOfGraph, nb::arg("name"), nb::arg("graph"))
      .def_prop_ro("program", [](const ScriptUnit &self) { return self.program(); })
      .def("code_with_constants", &ScriptUnit::codeOf, nb::arg("function"))
      .def("schema", &ScriptUnit::schemaOf, nb::arg("function"))
      .def("save", &ScriptUnit::save, nb::arg("function"), nb::arg("extra_files"));
  bindTraces(module);
  bindEagerTraces(module);
}
