//===- Calls.cpp - The calls that the command line asks for ---------------===//
#include "Calls.h"
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

/// Whether a dict describes a call. An empty one is a call without arguments.
static bool isCall(const DictValue &dict) {
  return dict.size() == 0 || llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"args", "kwargs", "result", "method"},
                                          [&](llvm::StringRef key) { return dict.find(IValue(key)) != nullptr; });
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

StatusOr<std::vector<Call>> run::makeCalls(Program &program, const Options &options, CallContext &context) {
  if (options.inputs.empty()) {
    Call call;
    const bool isUnnamed = options.entry.empty() && !options.hasArgs;
    TSC_ASSIGN_OR_RETURN(call.entry, isUnnamed ? program.findWithoutArguments() : program.find(options.entry));
    TSC_ASSIGN_OR_RETURN(call.args, program.evaluate(context, options.args, "--args"));
    return std::vector<Call>{std::move(call)};
  }
  TSC_ASSIGN_OR_RETURN(IValue file, loadInputs(program.context(), options.inputs));
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
    TSC_ASSIGN_OR_RETURN(call.entry, program.find(call.method));
  }
  return calls;
}

Call run::copyContainers(const Call &call) {
  Call copied = call;
  for (IValue &argument : copied.args)
    argument = tsc::copyContainers(argument);
  for (auto &[name, argument] : copied.kwargs)
    argument = tsc::copyContainers(argument);
  return copied;
}
