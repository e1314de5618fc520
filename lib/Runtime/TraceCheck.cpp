//===- TraceCheck.cpp - Whether a trace does what its function does -------===//
#include "tsc/Runtime/TraceCheck.h"
#include "tsc/IR/Context.h"
#include "tsc/Runtime/Dispatch/FileAccess.h"
#include "tsc/Runtime/Interpreter/Code.h"
#include "tsc/Runtime/Tracer/GraphTracer.h"
#include "tsc/Tensor/Generator.h"
#include "tsc/Transforms/TracedModules.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace tsc;

/// Runs a graph as it is written.
static StatusOr<IValue> runGraph(CallContext &context, const Graph &graph, llvm::StringRef name,
                                 std::vector<IValue> args) {
  CodeCache codes;
  if (recorderOf(context))
    codes.makeForTape(nullptr);
  TSC_ASSIGN_OR_RETURN(const Code *code, codes.get(graph, name));
  llvm::SaveAndRestore<const CallSite *> outerSite(context.site);
  TSC_ASSIGN_OR_RETURN(std::vector<IValue> results, code->run(context, std::move(args)));
  return results.empty() ? IValue() : results.size() == 1 ? results.front() : makeTuple(std::move(results));
}

TracedFunction tsc::tracedFunction(const Graph &graph, llvm::StringRef name, TraceOptions options) {
  const std::string called = name.str();
  return {[&graph, called](CallContext &context, std::vector<IValue> args) {
            return runGraph(context, graph, called, std::move(args));
          },
          [&graph, called, options](CallContext &context, std::vector<IValue> args) {
            return traceGraph(context, graph, called, std::move(args), options);
          }};
}

//===----------------------------------------------------------------------===//
// The first node that differs
//===----------------------------------------------------------------------===//

namespace {

/// Compares two traces node by node. Constants count where they are used.
class TraceComparison {
public:
  TraceComparison(Graph &first, Graph &second) : first(first), second(second) {}

  /// Returns a sentence about the first difference; empty where there is none.
  std::string find() {
    for (auto [a, b] : llvm::zip(first.inputs(), second.inputs()))
      same[a] = b;
    llvm::SmallVector<Node *> left = nodesOf(first), right = nodesOf(second);
    for (size_t i = 0; i != std::max(left.size(), right.size()); ++i) {
      if (i >= left.size() || i >= right.size())
        return describe(*(i < left.size() ? left : right)[i]) + " is in one trace only";
      if (!areSame(*left[i], *right[i]))
        return describe(*left[i]) + " differs in a second trace, which has " + describe(*right[i]);
      for (auto [a, b] : llvm::zip(left[i]->outputs(), right[i]->outputs()))
        same[a] = b;
    }
    return "";
  }

private:
  static llvm::SmallVector<Node *> nodesOf(Graph &graph) {
    llvm::SmallVector<Node *> nodes;
    for (Node &node : graph.nodes())
      if (node.kind() != prim::Constant)
        nodes.push_back(&node);
    return nodes;
  }
  static std::string describe(const Node &node) { return placeOf(node.range()) + "'" + node.kindName().str() + "'"; }
  bool areSame(const Node &a, const Node &b) const {
    return a.kind() == b.kind() && a.numInputs() == b.numInputs() && a.numOutputs() == b.numOutputs() &&
           haveSameName(a, b) && llvm::all_of(llvm::zip(a.inputs(), b.inputs()), [&](auto pair) {
             return areSame(std::get<0>(pair), std::get<1>(pair));
           });
  }
  /// Whether nodes of one kind read the same attribute, or call the same method, if they do that.
  static bool haveSameName(const Node &a, const Node &b) {
    const AttributeValue *left = a.attribute(attr::name), *right = b.attribute(attr::name);
    return !left || !right ? left == right : std::get<std::string>(*left) == std::get<std::string>(*right);
  }
  bool areSame(Value *a, Value *b) const {
    if (!isConstant(a) || !isConstant(b))
      return same.lookup(a) == b;
    const std::optional<IValue> left = constantValue(a), right = constantValue(b);
    if (!left || !right)
      return !left && !right;
    if (left->isTensor() && right->isTensor())
      return !findMismatch(*left, *right, {0.0, 0.0});
    return left->getTag() == right->getTag() && valuesEqual(*left, *right);
  }

  Graph &first, &second;
  llvm::DenseMap<Value *, Value *> same;
};

//===----------------------------------------------------------------------===//
// Other inputs
//===----------------------------------------------------------------------===//

/// Gives tensors one row more, the first one again.
class RowAdder {
public:
  explicit RowAdder(CallContext &context) : context(context) {}
  StatusOr<std::vector<IValue>> add(std::vector<IValue> args) {
    llvm::SaveAndRestore<bool> detached(context.gradMode, false);
    llvm::SaveAndRestore<OperatorObserver *> unobserved(context.observer, nullptr);
    for (IValue &arg : args) {
      TSC_ASSIGN_OR_RETURN(arg, longer(arg));
    }
    return args;
  }
  bool hasAdded() const { return isAdded; }

private:
  StatusOr<IValue> longer(const IValue &value) {
    if (value.isTensor())
      return longerTensor(value);
    std::vector<IValue> parts;
    if (value.isTuple())
      parts = value.toTuple().elements;
    else if (value.isTensorList())
      for (size_t i = 0; i != value.listSize(); ++i)
        parts.push_back(value.listElement(i));
    else
      return value;
    for (IValue &part : parts) {
      TSC_ASSIGN_OR_RETURN(part, longer(part));
    }
    if (value.isTuple())
      return makeTuple(std::move(parts), value.toTuple().type);
    IValue list = makeList(Type::tensorType(), parts.size());
    for (IValue &part : parts)
      appendToList(list, std::move(part));
    return list;
  }
  StatusOr<IValue> longerTensor(const IValue &value) {
    const Tensor &tensor = value.asTensor();
    if (tensor.dim() == 0 || tensor.size(0) == 0)
      return value;
    if (!rows)
      rows = tensor.size(0);
    if (tensor.size(0) != *rows)
      return value;
    isAdded = true;
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> row, callOperator(context, "aten::narrow", {value, 0, 0, 1}));
    TSC_ASSIGN_OR_RETURN(std::vector<IValue> made,
                         callOperator(context, "aten::cat", {std::vector<Tensor>{tensor, row[0].toTensor()}, 0}));
    made[0].asTensor().get()->requiresGrad = tensor.requiresGrad();
    return made[0];
  }
  CallContext &context;
  std::optional<int64_t> rows;
  bool isAdded = false;
};

//===----------------------------------------------------------------------===//
// The check
//===----------------------------------------------------------------------===//

/// Tells what a caller can see of a value, in which objects are tuples of their attributes, also those within tuples,
/// lists and dicts, to a depth that programs have. An object that is seen again is a number, so that objects that refer
/// to each other have an end. A list or dict that holds objects is a tuple, too.
class VisibleParts {
public:
  IValue of(const IValue &value, unsigned depth = 0) {
    if (depth >= maxDepth)
      return value.isObject() ? IValue() : value;
    if (value.isObject())
      return ofObject(value.toObject(), depth);
    if (value.isTuple())
      return ofParts(value, value.toTuple().elements, depth);
    if (value.isGenericList())
      return ofParts(value, value.toGenericList().elements, depth);
    if (!value.isDict())
      return value;
    std::vector<IValue> entries;
    value.toDict().forEach([&](const IValue &key, const IValue &item) {
      entries.push_back(key);
      entries.push_back(item);
    });
    return ofParts(value, entries, depth);
  }

private:
  static constexpr unsigned maxDepth = 32;
  IValue ofObject(const ObjectValue &object, unsigned depth) {
    auto [seen, isNew] = numbers.try_emplace(&object, static_cast<int64_t>(numbers.size()));
    if (!isNew)
      return IValue(seen->second);
    std::vector<IValue> parts;
    for (const IValue &slot : object.slots)
      if (!slot.isFuture() && !slot.isFunction())
        parts.push_back(of(slot, depth + 1));
    return makeTuple(std::move(parts));
  }
  /// Returns the value itself where there is no object in it.
  IValue ofParts(const IValue &value, llvm::ArrayRef<IValue> elements, unsigned depth) {
    std::vector<IValue> parts;
    bool holdsObject = false;
    for (const IValue &element : elements) {
      parts.push_back(of(element, depth + 1));
      holdsObject |= parts.back().counted() != element.counted();
    }
    return holdsObject ? makeTuple(std::move(parts)) : value;
  }
  llvm::DenseMap<const ObjectValue *, int64_t> numbers;
};

/// The files that a run finds, as `found` has them. What it writes it reads again, and nobody else does.
class FilesOfRun final : public FileAccess {
public:
  explicit FilesOfRun(FileAccess &found) : found(found) {}
  Status saveValue(const IValue &value, const std::string &path) override {
    written[path] = deepCopy(value);
    return okStatus();
  }
  StatusOr<IValue> loadValue(Context &context, const std::string &path) override {
    auto at = written.find(path);
    return at == written.end() ? found.loadValue(context, path) : StatusOr<IValue>(deepCopy(at->second));
  }
  Status writeText(const std::string &text, const std::string &path) override {
    written[path] = IValue(text);
    return okStatus();
  }
  StatusOr<std::string> readText(const std::string &path) override {
    auto at = written.find(path);
    if (at == written.end())
      return found.readText(path);
    if (!at->second.isString())
      return unimplemented("'" + path + "' was written by torch.save, and cannot be read as a text in a check");
    return at->second.toString();
  }
  bool exists(const std::string &path) override { return written.count(path) || found.exists(path); }
  /// Returns the paths and contents of the files that were written, in the order of the paths.
  IValue contents() const {
    std::vector<IValue> parts;
    for (const auto &[path, content] : written) {
      parts.emplace_back(path);
      parts.push_back(content);
    }
    return makeTuple(std::move(parts));
  }

private:
  FileAccess &found;
  std::map<std::string, IValue> written; ///< By path, in an order that does not depend on the run.
};

IValue visibleParts(const IValue &value) { return VisibleParts().of(value); }

class TraceChecker {
public:
  TraceChecker(CallContext &context, const Graph &trace, const TracedFunction &function,
               const TraceCheckOptions &options)
      : context(context), trace(trace.clone()), function(function), options(options) {
    inlineTracedCalls(*this->trace);
  }

  StatusOr<TraceCheckReport> check(llvm::ArrayRef<IValue> args) {
    const Generator before = context.generator();
    llvm::raw_ostream &out = context.out();
    context.setOut(llvm::nulls()); // what the program prints was printed when it was traced
    auto restored = llvm::make_scope_exit([&] {
      context.generator() = before;
      context.setOut(out);
    });
    TSC_RETURN_IF_ERROR(compare("on the same arguments", args, before));
    Generator reseeded(options.seed);
    TSC_RETURN_IF_ERROR(compare("with another seed", args, reseeded));
    RowAdder adder(context);
    StatusOr<std::vector<IValue>> longer = adder.add(copiesOf(args));
    if (!longer.ok() || !adder.hasAdded()) {
      report.notes.push_back("not compared with other sizes: there is no argument to add a row to");
    } else if (Status status = compare("with one row more", *longer, before); !status.ok()) {
      report.notes.push_back("not compared with other sizes, for which the traced function fails");
    }
    describeNodes();
    return std::move(report);
  }

private:
  static std::vector<IValue> copiesOf(llvm::ArrayRef<IValue> args) {
    return deepCopy(makeTuple(args.vec())).toTuple().elements;
  }

  /// Calls both with copies of the arguments, from one state of the generator.
  Status compare(llvm::StringRef how, llvm::ArrayRef<IValue> args, const Generator &generator) {
    std::vector<IValue> ours = copiesOf(args), theirs = copiesOf(args);
    IValue ourFiles, theirFiles;
    auto run = [&](IValue &files, llvm::function_ref<StatusOr<IValue>()> call) {
      context.generator() = generator;
      if (!context.files)
        return call();
      FilesOfRun own(*context.files);
      llvm::SaveAndRestore<FileAccess *> lending(context.files, &own);
      StatusOr<IValue> result = call();
      files = own.contents();
      return result;
    };
    TSC_ASSIGN_OR_RETURN(IValue expected, run(theirFiles, [&] { return function.call(context, theirs); }));
    StatusOr<IValue> result = run(ourFiles, [&] { return runGraph(context, *trace, "trace", ours); });
    std::optional<std::string> difference;
    if (!result.ok())
      difference = "the trace fails: " + messageOf(result.status()).str();
    else
      difference = findMismatch(visibleParts(*result), visibleParts(expected), options.tolerance);
    if (!difference)
      if (auto found = findMismatch(visibleParts(ourFiles), visibleParts(theirFiles), options.tolerance))
        difference = "what is written to files differs: " + *found;
    for (size_t i = 0; i != args.size() && !difference; ++i)
      if (auto found = findMismatch(visibleParts(ours[i]), visibleParts(theirs[i]), options.tolerance))
        difference = "argument " + std::to_string(i) + " is left different: " + *found;
    if (difference)
      report.differences.push_back((how + ": " + *difference + "; " + firstDifference(args, generator)).str());
    return okStatus();
  }

  std::string firstDifference(llvm::ArrayRef<IValue> args, const Generator &generator) {
    context.generator() = generator;
    std::optional<FilesOfRun> own;
    if (context.files)
      own.emplace(*context.files);
    llvm::SaveAndRestore<FileAccess *> lending(context.files, own ? &*own : nullptr);
    StatusOr<TracedGraph> again = function.trace(context, copiesOf(args));
    if (!again.ok())
      return "it cannot be traced so: " + messageOf(again.status()).str();
    inlineTracedCalls(*again->graph);
    std::string text = TraceComparison(*trace, *again->graph).find();
    return text.empty() ? "a second trace has the same nodes, so that a state differs that both read" : text;
  }

  void describeNodes() {
    llvm::StringSet<> noted;
    trace->walk([&](Node &node) {
      const bool draws = node.hasTrait(Trait::Random);
      if (!draws && !node.hasSideEffects())
        return;
      std::string note = placeOf(node.range()) + "'" + node.kindName().str() +
                         (draws ? "' draws random numbers" : "' has effects, or calls what may have some");
      if (noted.insert(note).second) // a loop leaves many nodes of one place
        report.notes.push_back(std::move(note));
    });
    for (Value *input : trace->inputs())
      if (!input->hasUses() && input->type()->kind() != TypeKind::Class)
        report.notes.push_back("input '" + input->displayName() +
                               "' is not used: what was computed of it has become constants");
  }

  CallContext &context;
  std::unique_ptr<Graph> trace;
  const TracedFunction &function;
  const TraceCheckOptions &options;
  TraceCheckReport report;
};

} // namespace

StatusOr<TraceCheckReport> tsc::checkTrace(CallContext &context, const Graph &trace, const TracedFunction &function,
                                           llvm::ArrayRef<IValue> args, const TraceCheckOptions &options) {
  return TraceChecker(context, trace, function, options).check(args);
}
