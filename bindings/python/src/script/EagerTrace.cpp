//===- EagerTrace.cpp - Traces of tsc's own tensors -----------------------===//
#include "EagerTrace.h"
#include "../Gil.h"
#include "../TensorObject.h"
#include "../Values.h"
#include "HostTrace.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Graph.h"
#include "tsc/IR/Operator.h"
#include "tsc/Runtime/TraceCheck.h"
#include "llvm/ADT/ScopeExit.h"
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

using namespace tsc;
using namespace tsc::bindings;

namespace {
/// A number that a trace computes, as Python holds it.
struct EagerNumber {
  TracedInt number;
};
} // namespace

static EagerTrace &currentTrace() {
  EagerTrace *trace = EagerTrace::current();
  if (!trace)
    raise(PyExc_RuntimeError, "a number of a trace is used that is over");
  return *trace;
}

void bindings::noteNumber(EagerTrace &trace, nb::handle object, int64_t value) {
  if (PyLong_CheckExact(object.ptr()) || !nb::hasattr(object, "recorded")) {
    trace.numbers.emplace_back(value);
    return;
  }
  nb::object tracer = owned(PyImport_ImportModule("tsc.jit._tracing")).attr("eager");
  trace.numbers.push_back(nb::cast<EagerNumber &>(nb::object(object.attr("recorded")(tracer))).number);
}

void bindings::refuseReading(const Tensor &tensor) {
  EagerTrace *trace = EagerTrace::current();
  if (trace && Tracer::of(trace->context)->state().isTraced(tensor))
    raise(PyExc_RuntimeError, "a traced function reads an element of a tensor that the trace computes: the trace would "
                              "hold it as a constant. Keep it a tensor, or put what depends on it into a compiled "
                              "function");
}

nb::object bindings::sizesOf(const Tensor &tensor) {
  nb::object sizes = makeSize(tensor.sizes());
  EagerTrace *trace = EagerTrace::current();
  if (!trace || !Tracer::of(trace->context)->state().isTraced(tensor))
    return sizes;
  return owned(PyImport_ImportModule("tsc.jit._tracing")).attr("eager_sizes")(wrapTensor(tensor), sizes);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

namespace {
/// Finds the numbers that Python gave among the arguments of an operator. Both have the ints in one order.
class NumberFinder {
public:
  explicit NumberFinder(std::vector<TracedInt> numbers) : numbers(std::move(numbers)) {
    left = llvm::count_if(this->numbers, [](TracedInt one) { return one.traced; });
  }
  TracedArgument find(IValue value) {
    if (value.isInt())
      return next(value.toInt());
    if (!value.isIntList() && !isTupleOfInts(value))
      return value;
    std::vector<TracedInt> list;
    const size_t before = left;
    if (value.isIntList())
      for (int64_t one : value.toIntList().elements)
        list.push_back(next(one));
    else
      for (const IValue &one : value.toTuple().elements)
        list.push_back(next(one.toInt()));
    return left == before ? TracedArgument(std::move(value)) : TracedArgument(std::move(list));
  }
  bool hasLeft() const { return left != 0; }

private:
  static bool isTupleOfInts(const IValue &value) {
    return value.isTuple() && !value.toTuple().elements.empty() &&
           llvm::all_of(value.toTuple().elements, [](const IValue &one) { return one.isInt(); });
  }
  TracedInt next(int64_t value) {
    for (size_t i = at; i != numbers.size(); ++i)
      if (numbers[i].value == value) {
        at = i + 1;
        left -= numbers[i].traced != nullptr;
        return numbers[i];
      }
    return value;
  }
  std::vector<TracedInt> numbers;
  size_t at = 0, left = 0;
};
} // namespace

/// Whether ints at the end of the arguments are the elements of one list: `x.view(n, -1)`.
static bool takesListAt(Context &context, llvm::StringRef name, size_t position) {
  for (const Operator *op : context.operators().overloads(context.symbol(name.split('.').first))) {
    const auto arguments = op->schema().arguments();
    if (position < arguments.size() && arguments[position].type->kind() == TypeKind::List &&
        arguments[position].type->contained()[0]->kind() == TypeKind::Int)
      return true;
  }
  return false;
}

std::vector<IValue> EagerTrace::call(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs) {
  context.gradMode = ThreadState::get().gradMode;
  NumberFinder finder(std::exchange(numbers, {}));
  size_t first = args.size(); // of the ints at the end
  while (first != 0 && args[first - 1].isInt())
    --first;
  if (args.size() - first > 1 && takesListAt(context.context(), name, first)) {
    std::vector<int64_t> list;
    for (const IValue &one : llvm::drop_begin(args, first))
      list.push_back(one.toInt());
    args.resize(first);
    args.emplace_back(std::move(list));
  }
  std::vector<TracedArgument> given;
  for (IValue &arg : args)
    given.push_back(finder.find(std::move(arg)));
  if (finder.hasLeft())
    raise(PyExc_RuntimeError, "a size that the trace computes would become a constant in the call of '" + name.str() +
                                  "': give it by its position, and as an int");
  return orRaise(Tracer::call(context, name, std::move(given), kwargs));
}

/// Calls an operator of ints.
static EagerNumber compute(const std::string &op, const nb::list &operands) {
  EagerTrace &trace = currentTrace();
  std::vector<TracedInt> numbers;
  for (nb::handle one : operands)
    numbers.push_back(PyLong_Check(one.ptr()) ? TracedInt(nb::cast<int64_t>(one))
                                              : nb::cast<EagerNumber &>(one).number);
  return {orRaise(Tracer::compute(trace.context, op, numbers))};
}

static EagerNumber sizeOf(nb::handle tensor, int64_t dim) {
  return {orRaise(Tracer::size(currentTrace().context, tensorOf(tensor), dim))};
}

//===----------------------------------------------------------------------===//
// A trace
//===----------------------------------------------------------------------===//

namespace {
/// A function of Python's that is traced.
class TracedPython {
public:
  TracedPython(ScriptUnit &unit, nb::object function, bool warnsOnly)
      : unit(unit), function(std::move(function)), warnsOnly(warnsOnly) {}

  /// Calls the function, and returns what it gives. Python's exceptions wait in `raised`.
  StatusOr<IValue> call(CallContext &context, llvm::ArrayRef<IValue> inputs, bool isTraced) {
    WithGil held;
    ThreadState &thread = ThreadState::get();
    EagerTrace trace{context, *unit.program(), {}};
    auto restored = llvm::make_scope_exit([&, before = thread.trace] { thread.trace = before; });
    thread.trace = isTraced ? &trace : nullptr;
    try {
      nb::object args = owned(PyTuple_New(static_cast<Py_ssize_t>(inputs.size())));
      for (size_t i = 0; i != inputs.size(); ++i)
        PyTuple_SetItem(args.ptr(), static_cast<Py_ssize_t>(i), toPython(inputs[i], unit.program()).release().ptr());
      return toIValue(owned(PyObject_Call(function.ptr(), args.ptr(), nullptr)), unit.program().get());
    } catch (...) {
      forget();
      setErrorOfException();
      PyErr_Fetch(&raised[0], &raised[1], &raised[2]);
      return cancelled("the traced function raised an exception");
    }
  }
  StatusOr<TracedGraph> trace(CallContext &context, std::vector<IValue> inputs) {
    TraceOptions options;
    options.warnsOnly = warnsOnly;
    return Tracer::trace(
        context, [this](CallContext &traced, llvm::ArrayRef<IValue> given) { return call(traced, given, true); },
        std::move(inputs), std::move(options));
  }
  /// Raises what Python raised in the function.
  void raiseAgain() {
    if (!raised[0])
      return;
    PyErr_Restore(raised[0], raised[1], raised[2]);
    raised[0] = raised[1] = raised[2] = nullptr;
    raiseCurrent();
  }

  /// Forgets what Python raised. The thread has the GIL.
  void forget() {
    for (PyObject *&part : raised)
      Py_CLEAR(part);
  }

private:
  ScriptUnit &unit;
  nb::object function;
  const bool warnsOnly;
  PyObject *raised[3] = {};
};
} // namespace

/// What trace_eager() returns: the function, what the user should know, and how the trace differs from the function.
using EagerResult = std::tuple<Definition, std::vector<std::string>, std::vector<std::string>>;

static EagerResult traceEager(ScriptUnit &unit, nb::object function, const nb::list &inputs,
                              const std::vector<Definition> &types, const std::vector<std::string> &names,
                              const std::string &name, bool checks, bool warnsOnly) {
  if (EagerTrace::current())
    raise(PyExc_RuntimeError, "Tracing can't be nested");
  TracedPython traced(unit, std::move(function), warnsOnly);
  std::vector<IValue> values;
  for (size_t i = 0; i != inputs.size(); ++i) {
    values.push_back(toIValue(inputs[i], unit.program().get()));
    const Type *type = i < types.size() ? types[i].type : nullptr; // null for what has none
    if (std::optional<IValue> typed =
            type ? convertTo(unit.program()->program->context(), values.back(), type) : std::nullopt)
      values.back() = *std::move(typed);
  }
  EngineCall call(unit.program()->program->context());
  call.record();
  StatusOr<TracedGraph> made = call.run([&] { return traced.trace(call.context(), values); });
  traced.raiseAgain();
  TracedGraph graph = orRaise(std::move(made));
  std::vector<std::string> remarks, differences;
  for (const TraceRemark &remark : graph.remarks)
    remarks.push_back(remark.str());
  if (checks) {
    const TracedFunction again{
        [&](CallContext &context, std::vector<IValue> args) { return traced.call(context, args, false); },
        [&](CallContext &context, std::vector<IValue> args) { return traced.trace(context, std::move(args)); }};
    StatusOr<TraceCheckReport> report =
        call.run([&] { return checkTrace(call.context(), *graph.graph, again, values); });
    if (!report.ok())
      traced.raiseAgain();
    traced.forget(); // it fails with other sizes, which are not compared then
    differences = orRaise(std::move(report)).differences;
  }
  for (auto [input, given] : llvm::zip(graph.graph->inputs(), names))
    input->setName(given);
  return {functionOfTrace(unit, std::move(graph.graph), name), std::move(remarks), std::move(differences)};
}

void bindings::bindEagerTraces(nb::module_ &module) {
  nb::class_<EagerNumber>(module, "EagerNumber", "A number that a trace computes.");
  module.def("eager_compute", compute, nb::arg("op"), nb::arg("operands"));
  module.def("eager_size", sizeOf, nb::arg("tensor"), nb::arg("dim"));
  module.def("trace_eager", traceEager, nb::arg("unit"), nb::arg("function"), nb::arg("inputs"), nb::arg("types"),
             nb::arg("names"), nb::arg("name"), nb::arg("checks"), nb::arg("warns_only"));
}
