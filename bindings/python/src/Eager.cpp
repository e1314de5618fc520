//===- Eager.cpp - Operators that Python calls one by one -----------------===//
#include "Eager.h"
#include "Calls.h"
#include "SignalWatch.h"
#include "TensorObject.h"
#include "TorchRandom.h"
#include "Types.h"
#include "Values.h"
#include "script/EagerTrace.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/OpRecord.h"
#include "tsc/Runtime/Dispatch/CallByName.h"
#include "tsc/Tensor/DefaultDType.h"
#include "llvm/ADT/StringMap.h"

using namespace tsc;
using namespace tsc::bindings;

std::vector<IValue> bindings::callEager(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs) {
  if (EagerTrace *trace = EagerTrace::current()) [[unlikely]]
    return trace->call(name, std::move(args), std::move(kwargs));
  EngineCall call(eagerContext());
  call.record();
  return orRaise(call.run([&] { return callOperator(call.context(), name, std::move(args), kwargs); }));
}

Tensor bindings::callForTensor(llvm::StringRef name, std::vector<IValue> args, KeywordArguments kwargs) {
  std::vector<IValue> results = callEager(name, std::move(args), std::move(kwargs));
  assert(results.size() == 1 && results.front().isTensor() && "an operator with one tensor as its result");
  return results.front().toTensor();
}

/// The names of an operator's results where each of an overload with so many has one: "values", "indices" of max.
static std::vector<std::string> resultNames(llvm::StringRef name, size_t count) {
  auto [qualified, overload] = name.split('.');
  for (const Operator *op : eagerContext().operators().overloads(eagerContext().symbol(qualified))) {
    const FunctionSchema &schema = op->schema();
    if (schema.returns().size() != count || (!overload.empty() && schema.overloadName() != overload))
      continue;
    std::vector<std::string> names;
    for (const Argument &result : schema.returns())
      if (!result.name.empty())
        names.push_back(result.name);
    if (names.size() == count)
      return names;
  }
  return {};
}

/// Returns the class of the named tuples that an operator gives, as torch.return_types.max, or None where its results
/// have no names.
static nb::object returnType(llvm::StringRef name, size_t count) {
  static auto &types = *new llvm::StringMap<PyObject *>;
  static nb::ft_mutex mutex;
  const std::string key = (name + "/" + llvm::Twine(count)).str();
  auto keep = [&](nb::object made) {
    PyObject *&kept = types[key];
    if (!kept)
      kept = made.release().ptr();
    return nb::borrow(kept);
  };
  return keptOrMade(mutex, keep, [&]() -> nb::object {
    std::vector<std::string> names = resultNames(name, count);
    if (names.empty())
      return nb::none();
    nb::list fields;
    for (const std::string &field : names)
      fields.append(field);
    const std::string last = name.split('.').first.split("::").second.str();
    return owned(PyImport_ImportModule("tsc._values")).attr("return_type")(last, fields);
  });
}

nb::object bindings::resultsOf(llvm::StringRef name, std::vector<IValue> results) {
  if (results.empty())
    return nb::none();
  if (results.size() == 1)
    return toPython(results.front(), nullptr);
  nb::object tuple = owned(PyTuple_New(static_cast<Py_ssize_t>(results.size())));
  for (size_t i = 0; i != results.size(); ++i)
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), toPython(results[i], nullptr).release().ptr());
  nb::object type = returnType(name, results.size());
  return type.is_none() ? tuple : owned(PyObject_CallFunctionObjArgs(type.ptr(), tuple.ptr(), nullptr));
}

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

static std::atomic<uint64_t> marks{1};
uint64_t bindings::gradientMarks() { return marks.load(std::memory_order_relaxed); }
void bindings::noteGradientMark() { marks.fetch_add(1, std::memory_order_relaxed); }

void bindings::requireGrad(const Tensor &tensor, bool wanted) {
  if (wanted && !isFloating(tensor.dtype()) && !isComplex(tensor.dtype()))
    raise(PyExc_RuntimeError, "only Tensors of floating point dtype can require gradients");
  if (!wanted && tensor.requiresGrad() && !Tape::isLeaf(tensor))
    raise(PyExc_RuntimeError,
          "you can only change requires_grad flags of leaf variables. If you want to use a computed "
          "variable in a subgraph that doesn't require differentiation use var_no_grad = "
          "var.detach().");
  if (tensor.requiresGrad() != wanted) {
    if (Tape::isLeaf(tensor))
      tensor.get()->setLeafOfFile(wanted);
    else
      tensor.get()->requiresGrad = wanted;
  }
  noteGradientMark();
}

/// One tensor, or a list or tuple of tensors and Nones.
static std::vector<Tensor> tensorsOf(nb::handle object, const char *what) {
  std::vector<Tensor> tensors;
  if (object.is_none())
    return tensors;
  auto add = [&](nb::handle one) {
    if (one.is_none())
      tensors.emplace_back();
    else if (isTensor(one))
      tensors.push_back(tensorOf(one));
    else
      raise(PyExc_TypeError, std::string(what) + " are tensors, but got an object of type " + typeNameOf(one));
  };
  if (isTensor(object))
    add(object);
  else
    for (nb::handle one : nb::borrow(object))
      add(one);
  return tensors;
}

static nb::object computeGradients(nb::object outputs, nb::object inputs, nb::object weights, bool retainGraph,
                                   bool createGraph, bool allowUnused) {
  GradientRequest request;
  request.outputs = tensorsOf(outputs, "outputs");
  request.inputs = tensorsOf(inputs, "inputs");
  request.weights = tensorsOf(weights, "gradients");
  request.retainGraph = retainGraph;
  request.createGraph = createGraph;
  request.allowUnused = allowUnused;
  for (const Tensor &output : request.outputs)
    if (!output.defined() || !output.requiresGrad())
      raise(PyExc_RuntimeError, "element 0 of tensors does not require grad and does not have a grad_fn");
  EngineCall call(eagerContext());
  call.record();
  std::vector<Tensor> gradients =
      orRaise(call.run([&] { return call.thread().tape.backward(call.context(), request); }));
  nb::object tuple = owned(PyTuple_New(static_cast<Py_ssize_t>(gradients.size())));
  for (size_t i = 0; i != gradients.size(); ++i)
    PyTuple_SetItem(tuple.ptr(), static_cast<Py_ssize_t>(i), wrapTensor(gradients[i]).release().ptr());
  return tuple;
}

/// Makes a dtype of torch's the thread's default, and returns the one before; None where it is the default already.
static nb::object enterDefaultDType(nb::object dtype) {
  static thread_local PyObject *known = nullptr; // the object that was given last, and its dtype
  static thread_local DType knownDType = DType::Float;
  if (dtype.ptr() != known) {
    knownDType = dtypeOf(dtype);
    known = nb::object(dtype).release().ptr(); // torch's dtypes live as long as the process
  }
  const DType before = defaultDType();
  if (before == knownDType)
    return nb::none();
  setDefaultDType(knownDType);
  return dtypeObject(before);
}

void bindings::bindGradients(nb::module_ &module) {
  module.def("_gradients", computeGradients, nb::arg("outputs"), nb::arg("inputs").none(),
             nb::arg("grad_outputs").none(), nb::arg("retain_graph"), nb::arg("create_graph"), nb::arg("allow_unused"));
  module.def("_retain_grad", [](nb::object tensor) {
    if (!isTensor(tensor))
      raise(PyExc_TypeError, "expected a tensor");
    EngineCall call(eagerContext());
    call.thread().tape.retainGradient(call.context(), tensorOf(tensor));
  });
  module.def(
      "is_grad_enabled", [] { return ThreadState::get().gradMode; },
      "Whether what this thread computes is recorded for gradients.");
  module.def("_set_grad_enabled", [](bool enabled) { ThreadState::get().gradMode = enabled; });
  module.def(
      "manual_seed", [](uint64_t seed) { ThreadState::get().generator.setSeed(seed); }, nb::arg("seed"),
      "Begins the sequence of random numbers of a seed, in this thread: the numbers that PyTorch draws.");
  module.def(
      "initial_seed", [] { return ThreadState::get().generator.seed(); }, "The seed of this thread's random numbers.");
  module.def(
      "set_default_dtype",
      [](nb::object dtype) {
        const DType wanted = dtypeOf(dtype);
        if (!isFloating(wanted))
          raise(PyExc_TypeError, "only floating-point types are supported as the default type");
        setDefaultDType(wanted);
      },
      nb::arg("d"), "Sets the dtype of this thread's floating-point numbers where nothing says another.");
  module.def(
      "get_default_dtype", [] { return dtypeObject(defaultDType()); },
      "The dtype of this thread's floating-point numbers where nothing says another.");
  module.def("_enter_default_dtype", enterDefaultDType);
  module.def("_take_torch_random", takeTorchRandom);
  module.def("_give_torch_random", giveTorchRandom);
  module.def("_set_main_thread", [](unsigned long ident) { SignalWatch::setMainThread(ident); });
}
