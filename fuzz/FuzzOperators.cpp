//===- FuzzOperators.cpp - Calls of every schema --------------------------===//
//
// The bytes are a sequence of calls, each of a record of 48 bytes: eight choose an
// operator of the table, the others its operands. Each call is a graph of one node that
// runs as a program's does: under limits, as it is written, sometimes with Python's
// meaning, on several threads, on a tape that is then asked for gradients, or optimized
// and fused. Tensors lie between pages that nobody may touch; results of a call may be operands of the next
// ones. No call may crash, hang, or give a tensor that reaches out of its memory.
//
//   fuzz-operators crash-… --print         prints each call before it is made
//   fuzz-operators --only=aten::svd        calls operators whose names begin so; several between commas
//   fuzz-operators --without=aten::rand    does not call these
//
//===----------------------------------------------------------------------===//
#include "GuardedMemory.h"
#include "Operands.h"
#include "tsc/Engine/Program.h"
#include "tsc/FuserCPU/FuserCPU.h"
#include "tsc/IR/Context.h"
#include "tsc/IR/Operator.h"
#include "tsc/IR/Parser.h"
#include "tsc/Runtime/Compare.h"
#include "tsc/Runtime/Executor/GraphExecutor.h"
#include "tsc/Runtime/Tape/Tape.h"
#include "tsc/Serialization/Zip.h"
#include "tsc/Support/Diagnostics.h"
#include "tsc/Support/ThreadPool.h"
#include "tsc/Tensor/MemorySource.h"
#include "tsc/Tensor/Opaque.h"
#include "tsc/Tensor/Quantizer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <condition_variable>
#include <random>
#include <thread>
using namespace tsc;
using fuzz::Choices;
using fuzz::Operand;

static constexpr size_t recordSize = 48, mostCalls = 16;
static constexpr size_t mostKept = 8;
/// Tensors of more elements are no operands of later calls, which would take long.
static constexpr int64_t mostElementsKept = 4096;
/// A call is cancelled then; one that does not end soon after is a finding (-timeout). Behind so much time no further
/// call of an input is made.
static constexpr std::chrono::milliseconds mostTime(1500), mostTimeOfInput(3000);

/// Kernels believe that what they get for a result begins at a multiple of 64.
static constexpr fuzz::GuardedMemory resultMemory(/*alignment=*/64);

//===----------------------------------------------------------------------===//
// Options and counts
//===----------------------------------------------------------------------===//

static bool printsCalls = false;
static std::vector<const OpRecord *> called;
static std::vector<uint64_t> hashes; ///< Of their names.
static uint64_t numCalls = 0, numResults = 0, numDifferences = 0;
static std::vector<uint32_t> resultsByOp;

static void printCounts() {
  const size_t with = llvm::count_if(called, [](const OpRecord *op) { return resultsByOp[size_t(op->kind)] != 0; });
  llvm::errs() << "stat::number_of_calls: " << numCalls << "\nstat::calls_with_result: " << numResults
               << "\nstat::operators: " << called.size() << "\nstat::operators_with_result: " << with
               << "\nstat::fused_otherwise: " << numDifferences << '\n';
  if (printsCalls)
    for (const OpRecord *op : called)
      if (resultsByOp[static_cast<size_t>(op->kind)] == 0)
        llvm::errs() << "no result: " << op->schema << '\n';
}

static bool beginsWithAny(llvm::StringRef name, llvm::StringRef prefixes) {
  llvm::SmallVector<llvm::StringRef> all;
  prefixes.split(all, ',', -1, /*KeepEmpty=*/false);
  return llvm::any_of(all, [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
}

extern "C" int LLVMFuzzerInitialize(int *count, char ***arguments) {
  llvm::StringRef only, without;
  for (llvm::StringRef argument : llvm::ArrayRef(*arguments, *count)) {
    printsCalls |= argument == "--print";
    if (argument.consume_front("--only="))
      only = argument;
    else if (argument.consume_front("--without="))
      without = argument;
  }
  for (const OpRecord &record : allOpRecords()) {
    const std::string name = (record.qualified + (record.overload.empty() ? "" : ".") + record.overload).str();
    if ((only.empty() || beginsWithAny(name, only)) && !beginsWithAny(name, without))
      called.push_back(&record), hashes.push_back(llvm::xxh3_64bits(name));
  }
  if (called.empty()) {
    llvm::errs() << "no operator has such a name\n";
    std::exit(1);
  }
  resultsByOp.resize(allOpRecords().size());
  memory::setProcessorMemory(resultMemory);
  std::atexit(printCounts);
  return 0;
}

//===----------------------------------------------------------------------===//
// Graphs of one node
//===----------------------------------------------------------------------===//

namespace {

/// Cancels a call that takes long, as a host does.
class Watch {
public:
  Watch() : thread([this] { run(); }) {}
  void begin(CallContext &call) {
    std::lock_guard guard(lock);
    watched = &call;
    end = std::chrono::steady_clock::now() + mostTime;
  }
  void finish() {
    std::lock_guard guard(lock);
    watched = nullptr;
  }

private:
  void run() {
    std::unique_lock guard(lock);
    for (;;) {
      changed.wait_for(guard, mostTime / 8);
      if (watched && std::chrono::steady_clock::now() > end)
        watched->cancel();
    }
  }
  std::mutex lock;
  std::condition_variable changed;
  CallContext *watched = nullptr;
  std::chrono::steady_clock::time_point end;
  std::thread thread;
};

/// What calls share. Never destroyed: the watch runs until the process ends.
struct Session {
  Context context;
  Watch watch;
  ThreadPool threads{3};
  // What grows with each call of another kind, and begins anew from time to time.
  llvm::StringMap<std::unique_ptr<Graph>> graphs; ///< By operator and types; null where no graph calls it so.
  std::optional<GraphExecutor> codes;             ///< Of these graphs.
  FuserRegistry fusers;
  unsigned numFused = 0;

  Session() {
    codes.emplace();
    addFuser();
  }
  /// Between two calls.
  void forgetMany() {
    constexpr unsigned mostGraphs = 20000, mostFused = 2000;
    if (graphs.size() > mostGraphs) {
      codes.emplace();
      graphs.clear();
    }
    if (numFused > mostFused) {
      numFused = 0;
      fusers = {};
      addFuser();
    }
  }

private:
  void addFuser() {
    CpuFuserOptions options;
    options.mode = CompileMode::Eager;
    options.cacheFolder = "";
    fusers.add(DeviceKind::CPU, createCpuFuser(options));
  }
};

} // namespace

static Session &session() {
  static Session *instance = new Session;
  return *instance;
}

/// How many results an operator has that may have any number.
static constexpr unsigned variableResults = 2;

/// Whether a value can stand in the text of a graph.
static bool hasText(const IValue &value) {
  return (value.isNone() || value.isScalar() || value.isString() || value.isDevice() || value.isIntList() ||
          value.isDoubleList() || value.isBoolList()) &&
         Graph::canBeConstant(value);
}

/// A graph that calls `op` with values of the operands' types; those that have a text stand in it, where that is asked
/// for. Null where the verifier refuses it.
static std::unique_ptr<Graph> graphOf(const Operator &op, llvm::ArrayRef<Operand> operands,
                                      llvm::ArrayRef<const Type *> results, bool hasConstants) {
  auto graph = std::make_unique<Graph>(session().context);
  graph->setName("f");
  graph->setInsertPoint(graph->block());
  llvm::SmallVector<Value *, 8> inputs;
  for (const Operand &operand : operands) {
    inputs.push_back(hasConstants && hasText(operand.value) ? graph->insertConstant(operand.value)
                                                            : graph->addInput("", operand.type));
  }
  Node *node = graph->insertNodeHere(graph->create(op.symbol(), inputs, results.size()));
  node->setOp(&op);
  for (auto [output, type] : llvm::zip(node->outputs(), results)) {
    output->setType(type);
    graph->addOutput(output);
  }
  DiagnosticEngine diags;
  return succeeded(verify(*graph, diags)) ? std::move(graph) : nullptr;
}

static const Graph *keptGraphOf(const Operator &op, llvm::ArrayRef<Operand> operands,
                                llvm::ArrayRef<const Type *> results) {
  std::string key = std::to_string(static_cast<unsigned>(op.record()->kind));
  for (const Operand &operand : operands)
    key += "," + operand.type->str();
  for (const Type *type : results)
    key += ">" + type->str();
  auto [place, isNew] = session().graphs.try_emplace(key);
  if (isNew)
    place->second = graphOf(op, operands, results, /*hasConstants=*/false);
  return place->second.get();
}

//===----------------------------------------------------------------------===//
// What must hold
//===----------------------------------------------------------------------===//

[[noreturn]] static void fail(const llvm::Twine &what) {
  llvm::errs() << "broken promise: " << what << '\n';
  std::abort();
}

static void checkOpaque(const Tensor &tensor) {
  if (llvm::any_of(tensor.strides(), [](int64_t stride) { return stride != 0; }))
    fail("a sparse or nested tensor has strides, and no elements there");
  if (const SparseParts *parts = sparseOf(tensor))
    if (parts->indices.size(0) + parts->values.dim() - 1 != tensor.dim())
      fail("a sparse tensor of " + shapeString(tensor.sizes()) + " has indices for " +
           llvm::Twine(parts->indices.size(0)) + " dimensions");
}

static void checkTensor(const Tensor &tensor) {
  if (!tensor || !tensor.get()->storage)
    return;
  if (tensor.dtype() == DType::Opaque && tensor.get()->companion)
    return checkOpaque(tensor);
  const TensorImpl &impl = *tensor.get();
  StatusOr<int64_t> count = elementCount(impl.sizes);
  if (!count.ok() || *count != impl.count)
    fail("a tensor of " + shapeString(impl.sizes) + " says that it has " + llvm::Twine(impl.count) + " elements");
  if (impl.contiguous != isContiguous(impl.sizes, impl.strides))
    fail("a tensor of " + shapeString(impl.sizes) + " and strides " + shapeString(impl.strides) +
         " is wrong about being contiguous");
  const Quantizer *quantizer = quantizerOf(tensor);
  if (quantizer && quantizer->isPerChannel() &&
      (quantizer->axis >= tensor.dim() || quantizer->scales.numel() < tensor.size(quantizer->axis)))
    fail("a quantized tensor of " + shapeString(impl.sizes) + " has " + llvm::Twine(quantizer->scales.numel()) +
         " scales for dimension " + llvm::Twine(quantizer->axis));
  std::optional<int64_t> needed = requiredElements(impl.sizes, impl.strides, impl.offset);
  if (impl.count != 0 &&
      (!needed || *needed > static_cast<int64_t>(impl.storage->size() / itemSize(impl.dtype)) || impl.offset < 0))
    fail("a tensor of " + shapeString(impl.sizes) + ", strides " + shapeString(impl.strides) + " and offset " +
         llvm::Twine(impl.offset) + " reaches out of its " + llvm::Twine(impl.storage->size()) + " bytes");
}

static void forEachTensor(const IValue &value, llvm::function_ref<void(const Tensor &)> visit) {
  if (value.isTensor())
    visit(value.asTensor());
  else if (value.isList())
    for (size_t i = 0; i != value.listSize(); ++i)
      forEachTensor(value.listElement(i), visit);
  else if (value.isTuple())
    for (const IValue &element : value.toTuple().elements)
      forEachTensor(element, visit);
}

static void check(const Operator &op, llvm::ArrayRef<Operand> operands, const StatusOr<std::vector<IValue>> &results) {
  for (const Operand &operand : operands) // which it may have written, and resized
    forEachTensor(operand.value, checkTensor);
  if (!results.ok()) {
    if (messageOf(results.status()).empty())
      fail(op.record()->qualified + " fails without a word");
    return;
  }
  for (const IValue &result : *results)
    forEachTensor(result, checkTensor);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static void limit(CallContext &call) {
  call.setWarningHandler(nullptr);
  call.quotas.steps = 20000;
  call.quotas.depth = 200;
  call.quotas.memory = 64 << 20;
  call.quotas.output = 10000;
}

static std::vector<IValue> valuesOf(llvm::ArrayRef<Operand> operands) {
  std::vector<IValue> values;
  for (const Operand &operand : operands)
    values.push_back(operand.value);
  return values;
}

/// Asks for the gradients of what a call gave on a tape.
static void differentiate(CallContext &call, Choices &choices, llvm::ArrayRef<Operand> operands,
                          llvm::ArrayRef<IValue> results) {
  GradientRequest request;
  for (const IValue &result : results)
    forEachTensor(result, [&](const Tensor &tensor) {
      if (!tensor || !tensor.requiresGrad() || tensor.numel() > mostElementsKept || tensor.dtype() == DType::Opaque)
        return;
      StatusOr<Tensor> weight = Tensor::full(tensor.sizes(), 1, tensor.dtype());
      if (!weight.ok())
        return;
      request.outputs.push_back(tensor);
      request.weights.push_back(*weight);
    });
  for (const Operand &operand : operands)
    forEachTensor(operand.value, [&](const Tensor &tensor) {
      if (tensor && tensor.requiresGrad())
        request.inputs.push_back(tensor);
    });
  if (request.outputs.empty() || request.inputs.empty())
    return;
  request.createGraph = choices.percent(20);
  request.allowUnused = true;
  StatusOr<std::vector<Tensor>> gradients = [&] {
    CallContext::MemoryScope counting(call);
    return recorderOf(call)->backward(call, request);
  }();
  if (gradients.ok())
    for (const Tensor &gradient : *gradients)
      checkTensor(gradient);
}

/// Makes the same call with code that is optimized and fused. What it gives should be the same: differences are
/// counted, and printed on demand, since some operators promise less.
static void callFused(const Operator &op, llvm::ArrayRef<Operand> operands, llvm::ArrayRef<const Type *> types,
                      const StatusOr<std::vector<IValue>> &expected) {
  std::unique_ptr<Graph> graph = graphOf(op, operands, types, /*hasConstants=*/true);
  if (!graph)
    return;
  const std::string text = graph->str();
  EngineOptions options;
  options.plans = CompileMode::Eager;
  options.fusers = session().fusers;
  options.loadingQuotas.memory = 256 << 20;
  StatusOr<Program> program = Program::load(Bytes{text, nullptr}, "call.ir", std::move(options));
  if (!program.ok())
    return; // no program may call it
  std::vector<IValue> args;
  for (const Operand &operand : operands)
    if (!hasText(operand.value))
      args.push_back(operand.value);
  ++session().numFused;
  CallContext call(program->context());
  limit(call);
  session().watch.begin(call);
  StatusOr<IValue> result = program->run(call, "f", std::move(args));
  session().watch.finish();
  if (result.ok())
    forEachTensor(*result, checkTensor);
  if (op.record()->has(Trait::Nondeterministic))
    return;
  std::optional<std::string> difference;
  if (result.ok() != expected.ok())
    difference = result.ok() ? "fails only as it is written" : "fails only when it is fused";
  else if (result.ok() && expected->size() == 1)
    difference = findMismatch(*result, expected->front(), {0.0, 0.0});
  if (!difference)
    return;
  ++numDifferences;
  if (printsCalls)
    llvm::errs() << "  fused: " << *difference << '\n';
}

static void print(const Operator &op, llvm::ArrayRef<Operand> operands, llvm::StringRef how) {
  llvm::errs() << op.record()->schema << how << '\n';
  llvm::ArrayRef<Argument> arguments = op.schema().arguments();
  for (size_t i = 0; i != operands.size(); ++i) {
    llvm::StringRef name = i < arguments.size() ? llvm::StringRef(arguments[i].name) : "...";
    llvm::errs() << "  " << name << " = " << fuzz::describe(operands[i].value) << '\n';
  }
}

static llvm::SmallVector<const Type *, 4> resultTypes(const FunctionSchema &schema, fuzz::OperandMaker &maker) {
  llvm::SmallVector<const Type *, 4> types;
  for (const Argument &result : schema.returns())
    types.push_back(maker.concrete(result.type));
  if (schema.isVarret())
    types.resize(variableResults, Type::anyType());
  return types;
}

/// The operator that stands for a number. The same one when others join the table, mostly: each has a score for the
/// number, and the highest one wins (Thaler and Ravishankar, "A Name-Based Mapping Scheme for Rendezvous", 1996).
static const OpRecord &operatorOf(uint64_t number) {
  uint64_t highest = 0;
  size_t winner = 0;
  for (size_t i = 0; i != hashes.size(); ++i) {
    uint64_t score = (hashes[i] ^ number) * 0x9e3779b97f4a7c15;
    score = (score ^ (score >> 32)) * 0xd6e8feb86659fd93;
    if (score > highest)
      highest = score, winner = i;
  }
  return *called[winner];
}

static void callOnce(Choices choices, std::vector<Tensor> &kept) {
  session().forgetMany();
  const OpRecord &record = operatorOf(choices.bits());
  const Operator &op = *session().context.operators().find(record.qualified, record.overload);
  const uint64_t way = choices.below(128);
  const bool isFused = way < 2;
  Choices again = choices;
  fuzz::OperandMaker maker(session().context, choices, isFused ? llvm::ArrayRef<Tensor>() : llvm::ArrayRef(kept));
  std::vector<Operand> operands = maker.make(op.schema());
  llvm::SmallVector<const Type *, 4> types = resultTypes(op.schema(), maker);
  const bool isTaped = !isFused && (maker.wantsGradients() || way > 100);
  if (printsCalls)
    print(op, operands, isFused ? " # fused" : isTaped ? " # on a tape" : "");
  const Graph *graph = keptGraphOf(op, operands, types);
  if (!graph)
    return;
  ++numCalls;
  CallContext call(session().context);
  limit(call);
  call.gradMode = isTaped || choices.percent(50);
  std::optional<Tape> tape;
  if (isTaped)
    call.observer = &tape.emplace(session().context);
  ExecutorScope executor(choices.percent(15) ? &session().threads : nullptr);
  session().watch.begin(call);
  StatusOr<std::vector<IValue>> results = session().codes->call(*graph, "f", call, valuesOf(operands));
  check(op, operands, results);
  if (results.ok() && isTaped)
    differentiate(call, choices, operands, *results);
  session().watch.finish();
  if (printsCalls)
    llvm::errs() << "  -> " << (results.ok() ? "a result" : messageOf(results.status()).rtrim().rsplit('\n').second)
                 << '\n';
  if (results.ok()) {
    ++numResults;
    ++resultsByOp[static_cast<size_t>(record.kind)];
  }
  if (isFused) {
    fuzz::OperandMaker same(session().context, again, {});
    std::vector<Operand> operandsAgain = same.make(op.schema());
    callFused(op, operandsAgain, types, results);
    return;
  }
  if (!results.ok())
    return;
  for (const IValue &result : *results)
    forEachTensor(result, [&](const Tensor &tensor) {
      if (tensor && tensor.numel() <= mostElementsKept && kept.size() < mostKept && !call.observer)
        kept.push_back(tensor);
    });
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz::GuardedMemory::restart();
  std::vector<Tensor> kept;
  llvm::ArrayRef<uint8_t> input(data, size);
  const auto end = std::chrono::steady_clock::now() + mostTimeOfInput;
  for (size_t i = 0; i != mostCalls && !input.empty() && std::chrono::steady_clock::now() < end; ++i) {
    callOnce(Choices(input.take_front(recordSize)), kept);
    input = input.drop_front(std::min(input.size(), recordSize));
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Changes
//===----------------------------------------------------------------------===//

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/// Changes whole records, or bytes within one: the calls around it stay what they are.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  std::minstd_rand random(seed);
  const size_t room = std::min(most / recordSize, mostCalls);
  size_t count = std::min(size / recordSize, room);
  if (room == 0)
    return LLVMFuzzerMutate(data, size, most);
  auto record = [&](size_t i) { return data + i * recordSize; };
  auto randomize = [&](size_t i) {
    std::generate(record(i), record(i) + recordSize, [&] { return static_cast<uint8_t>(random() >> 8); });
  };
  if (count == 0 || random() % 3 == 0) { // other calls
    for (count = 0; count != room; ++count)
      randomize(count);
    return count * recordSize;
  }
  const size_t chosen = random() % count, other = random() % count;
  switch (random() % 6) {
  case 0:
    if (count != room)
      randomize(count++);
    break;
  case 1: randomize(chosen); break;
  case 2: std::swap_ranges(record(chosen), record(chosen) + recordSize, record(other)); break;
  case 3: // another operator with the same choices
    std::generate(record(chosen), record(chosen) + 8, [&] { return static_cast<uint8_t>(random() >> 8); });
    break;
  case 4:
    std::memmove(record(chosen), record(chosen) + recordSize, (count - chosen - 1) * recordSize);
    count = std::max<size_t>(count - 1, 1);
    break;
  default: LLVMFuzzerMutate(record(chosen), recordSize, recordSize); break;
  }
  return count * recordSize;
}
