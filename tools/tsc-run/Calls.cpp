//===- Calls.cpp - The calls that the command line asks for ---------------===//
#include "Calls.h"
#include "Keywords.h"
#include "Options.h"
#include "tsc/IR/Copies.h"
#include "tsc/Runtime/Dispatch/Arguments.h"
#include "tsc/Serialization/ValueFile.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::run;

static Status wrongEntry(llvm::StringRef name, const std::string &path, llvm::StringRef expected) {
  return dataLoss("'" + name + "' in '" + path + "' is not " + expected);
}

/// The elements of a tuple or list.
static StatusOr<std::vector<IValue>> elementsOf(const IValue &value, llvm::StringRef name, const std::string &path) {
  if (value.isTuple())
    return value.toTuple().elements;
  if (!value.isList())
    return wrongEntry(name, path, "a tuple or list");
  std::vector<IValue> elements;
  for (size_t i = 0; i != value.listSize(); ++i)
    elements.push_back(value.listElement(i));
  return elements;
}

static StatusOr<KeywordArguments> keywordsOf(const IValue &value, const std::string &path) {
  if (!value.isDict())
    return wrongEntry("kwargs", path, "a dict");
  KeywordArguments keywords;
  bool named = true;
  value.toDict().forEach([&](const IValue &key, const IValue &argument) {
    named &= key.isString();
    if (named)
      keywords.emplace_back(key.toString(), argument);
  });
  if (!named)
    return wrongEntry("kwargs", path, "a dict of names");
  return keywords;
}

/// Empty when none is named.
static StatusOr<std::string> methodIn(const DictValue &dict, const std::string &path) {
  const IValue *method = dict.find(IValue("method"));
  if (!method || method->isNone())
    return std::string();
  if (!method->isString())
    return wrongEntry("method", path, "a name");
  return std::string(method->toString());
}

/// Whether a dict describes a call by its keys. An empty one is a call without arguments.
static bool isCall(const DictValue &dict) {
  return dict.size() == 0 || llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"args", "kwargs", "result", "method"},
                                          [&](llvm::StringRef key) { return dict.find(IValue(key)) != nullptr; });
}

/// Whether a dict has an argument under each key, as a dict of tensors has that a program saved.
static bool hasNames(const DictValue &dict, const FunctionSchema &schema) {
  bool areNames = true;
  dict.forEach([&](const IValue &key, const IValue &) {
    areNames &= key.isString() && schema.argumentIndex(key.toString()).has_value();
  });
  return areNames;
}

/// Reads one call: a dict {'args', 'kwargs', 'result', 'method'} of which any may be missing, the tuple or list of its
/// arguments, or a tensor, which is its only argument.
static StatusOr<Call> callFrom(const IValue &value, const std::string &path) {
  Call call;
  if (value.isTensor()) {
    call.args = {value};
    return call;
  }
  if (value.isTuple() || value.isList()) {
    TSC_ASSIGN_OR_RETURN(call.args, elementsOf(value, "args", path));
    return call;
  }
  if (!value.isDict())
    return dataLoss("'" + llvm::Twine(path) + "' holds a value of type '" + pythonTypeName(value) +
                    "', which describes no call; " + howToSaveCalls);
  const DictValue &dict = value.toDict();
  if (!isCall(dict))
    return dataLoss("'" + llvm::Twine(path) +
                    "' holds a dict without any of the keys 'args', 'kwargs', 'result', 'method' and 'calls'; " +
                    howToSaveCalls);
  if (const IValue *args = dict.find(IValue("args"))) {
    TSC_ASSIGN_OR_RETURN(call.args, elementsOf(*args, "args", path));
  }
  if (const IValue *kwargs = dict.find(IValue("kwargs"))) {
    TSC_ASSIGN_OR_RETURN(call.kwargs, keywordsOf(*kwargs, path));
  }
  if (const IValue *result = dict.find(IValue("result")))
    call.expected = *result;
  TSC_ASSIGN_OR_RETURN(call.method, methodIn(dict, path));
  return call;
}

/// Reads the calls of a file: {'calls': [call, ...]}, or a single call. A method that is named beside 'calls' is that
/// of every call which names none.
static StatusOr<std::vector<Call>> callsFrom(const IValue &file, const std::string &path) {
  const IValue *list = file.isDict() ? file.toDict().find(IValue("calls")) : nullptr;
  std::vector<Call> calls;
  if (!list) {
    TSC_ASSIGN_OR_RETURN(calls.emplace_back(), callFrom(file, path));
    return calls;
  }
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> each, elementsOf(*list, "calls", path));
  TSC_ASSIGN_OR_RETURN(std::string shared, methodIn(file.toDict(), path));
  for (const IValue &value : each) {
    TSC_ASSIGN_OR_RETURN(Call call, callFrom(value, path));
    if (call.method.empty())
      call.method = shared;
    calls.push_back(std::move(call));
  }
  return calls;
}

/// Loads the value in the file of --inputs. An error about what the file holds says what it should hold.
static StatusOr<IValue> loadInputs(Context &context, const std::string &path) {
  StatusOr<IValue> value = loadValue(context, path);
  const StatusCode code = value.ok() ? StatusCode::Ok : value.status().code();
  if (code != StatusCode::DataLoss && code != StatusCode::Unimplemented && code != StatusCode::InvalidArgument)
    return value;
  return Status(code, (messageOf(value.status()) +
                       " (--inputs takes a file of torch.save with tensors, numbers, strings, and tuples, lists and "
                       "dicts of them; an array of NumPy is saved as torch.from_numpy(a))")
                          .str());
}

/// Finds what is called by this name: a function or method, and of an archive also a method of a module in it, as in
/// encoder.layers.0.forward.
static StatusOr<Program::Entry> findEntry(const Program &program, llvm::StringRef name) {
  const size_t dot = name.rfind('.');
  if (!program.module() || dot == llvm::StringRef::npos)
    return program.find(name);
  TSC_ASSIGN_OR_RETURN(Module owner, program.findModule(name.take_front(dot)));
  return program.entryOf(owner.object(), name.substr(dot + 1));
}

/// Makes the call of --args.
static StatusOr<Call> callOfArguments(Program &program, const Options &options, CallContext &context) {
  Call call;
  const bool isUnnamed = options.entry.empty() && !options.hasArgs;
  TSC_ASSIGN_OR_RETURN(call.entry, isUnnamed ? program.findWithoutArguments() : findEntry(program, options.entry));
  TSC_ASSIGN_OR_RETURN(ArgumentText text, separateKeywords(options.args, "--args"));
  TSC_ASSIGN_OR_RETURN(call.args, program.evaluate(context, text.expressions, "--args"));
  assert(call.args.size() >= text.keywords.size() && "a value for each name");
  const size_t numPositional = call.args.size() - text.keywords.size();
  for (auto [name, value] : llvm::zip(text.keywords, llvm::ArrayRef(call.args).drop_front(numPositional)))
    call.kwargs.emplace_back(name, value);
  call.args.resize(numPositional);
  return call;
}

/// Makes the call of a file that holds a dict with the names of arguments as its keys; no call where it holds another
/// value.
static StatusOr<std::optional<Call>> callOfNames(const Program &program, const Options &options, const IValue &file) {
  if (!file.isDict() || file.toDict().find(IValue("calls")) || isCall(file.toDict()))
    return std::nullopt;
  Call call;
  call.method = options.entry;
  TSC_ASSIGN_OR_RETURN(call.entry, findEntry(program, call.method));
  if (!hasNames(file.toDict(), call.entry.schema()))
    return std::nullopt;
  TSC_ASSIGN_OR_RETURN(call.kwargs, keywordsOf(file, options.inputs));
  return call;
}

StatusOr<std::vector<Call>> run::makeCalls(Program &program, const Options &options, CallContext &context) {
  if (options.inputs.empty()) {
    TSC_ASSIGN_OR_RETURN(Call call, callOfArguments(program, options, context));
    return std::vector<Call>{std::move(call)};
  }
  TSC_ASSIGN_OR_RETURN(IValue file, loadInputs(program.context(), options.inputs));
  TSC_ASSIGN_OR_RETURN(std::optional<Call> named, callOfNames(program, options, file));
  if (named)
    return std::vector<Call>{*std::move(named)};
  TSC_ASSIGN_OR_RETURN(std::vector<Call> calls, callsFrom(file, options.inputs));
  // Calls may share values in the file; each gets its own, so that a program that writes to one does not change the
  // next.
  for (Call &call : calls) {
    IValue copied = deepCopy(makeTuple(call.args));
    call.args = copied.toTuple().elements;
    for (auto &[name, value] : call.kwargs)
      value = deepCopy(value);
    if (!options.entry.empty())
      call.method = options.entry;
    TSC_ASSIGN_OR_RETURN(call.entry, findEntry(program, call.method));
  }
  return calls;
}

//===----------------------------------------------------------------------===//
// What may be wrong with the arguments
//===----------------------------------------------------------------------===//

/// Returns an expression of a type, to show how arguments are written.
static std::string exampleOf(const Type *type) {
  switch (type->kind()) {
  case TypeKind::Tensor: return "torch.ones([2, 4])";
  case TypeKind::Int: return "3";
  case TypeKind::Float: return "0.5";
  case TypeKind::Bool: return "True";
  case TypeKind::String: return "\"text\"";
  default: return "…";
  }
}

static bool isGiven(const Call &call, llvm::StringRef name) {
  return llvm::any_of(call.kwargs, [&](const auto &keyword) { return keyword.first == name; });
}

Status run::withHint(Status error, const Call &call, const Options &options) {
  llvm::ArrayRef<Argument> parameters = call.entry.schema().arguments();
  if (error.code() != StatusCode::InvalidArgument || wasDiagnosed(error))
    return error;
  const bool hasSelf =
      !parameters.empty() && parameters.front().name == "self" && parameters.front().type->kind() == TypeKind::Class;
  parameters = parameters.drop_front(hasSelf);
  std::string hint;
  if (call.args.size() > parameters.size()) {
    if (options.hasArgs && parameters.size() == 1 && parameters.front().type->kind() == TypeKind::Tuple)
      hint = "a tuple that is the only argument ends in a comma: --args '(a, b),'";
    else if (hasSelf)
      hint = "self, the module, counts as one";
  } else if (!options.hasArgs && options.inputs.empty()) {
    std::string examples;
    for (const Argument &parameter : parameters)
      if (!parameter.defaultValue && !isGiven(call, parameter.name))
        examples += (examples.empty() ? "" : ", ") + exampleOf(parameter.type);
    if (!examples.empty())
      hint = "give arguments with --args '" + examples + "', or with --inputs FILE";
  }
  if (hint.empty())
    return error;
  return invalidArgument(messageOf(error) + "\n(" + hint + ")");
}

Call run::copyContainers(const Call &call) {
  Call copied = call;
  for (IValue &argument : copied.args)
    argument = tsc::copyContainers(argument);
  for (auto &[name, argument] : copied.kwargs)
    argument = tsc::copyContainers(argument);
  return copied;
}
