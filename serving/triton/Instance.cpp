//===- Instance.cpp - Runs requests ---------------------------------------===//
#include "Instance.h"
#include <algorithm>
#include <cstring>
#include <new>

namespace tsc::triton {

static uint64_t now() {
  return static_cast<uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
          .count());
}

Status Instance::make(TRITONBACKEND_ModelInstance *handle, Model &model, std::unique_ptr<Instance> &instance) {
  TRITONSERVER_InstanceGroupKind kind = TRITONSERVER_INSTANCEGROUPKIND_CPU;
  if (Status failure = takeServer(TRITONBACKEND_ModelInstanceKind(handle, &kind)))
    return failure;
  if (kind == TRITONSERVER_INSTANCEGROUPKIND_GPU)
    return Failure{TSC_UNIMPLEMENTED, "this backend runs on the processor: use an instance_group of KIND_CPU"};
  instance.reset(new Instance(handle, model));
  if (model.stateMode == StateMode::Request || model.stateMode == StateMode::Sequence)
    return std::nullopt;
  return model.makeCallable(model.stateMode == StateMode::Instance, instance->callable);
}

//===-- Reading requests --------------------------------------------------===//

/// Reads to which sequence a request belongs.
static Status readSequence(Request &request) {
  uint64_t number = 0;
  const char *text = "";
  if (TRITONSERVER_Error *error = TRITONBACKEND_RequestCorrelationId(request.handle, &number)) {
    TRITONSERVER_ErrorDelete(error); // it is a string
    if (Status failure = takeServer(TRITONBACKEND_RequestCorrelationIdString(request.handle, &text)))
      return failure;
    request.sequence = std::string("'") + text + "'";
  } else if (number != 0) {
    request.sequence = std::to_string(number);
  }
  uint32_t flags = 0;
  if (Status failure = takeServer(TRITONBACKEND_RequestFlags(request.handle, &flags)))
    return failure;
  request.begins = flags & TRITONSERVER_REQUEST_FLAG_SEQUENCE_START;
  request.ends = flags & TRITONSERVER_REQUEST_FLAG_SEQUENCE_END;
  return std::nullopt;
}

Status Instance::read(TRITONBACKEND_Request *requestHandle, Request &request) const {
  request.handle = requestHandle;
  request.pieces.resize(model.inputs.size());
  uint32_t count = 0;
  if (Status failure = takeServer(TRITONBACKEND_RequestInputCount(requestHandle, &count)))
    return failure;
  for (uint32_t i = 0; i != count; ++i) {
    InputPiece piece;
    const char *name = nullptr;
    const int64_t *shape = nullptr;
    uint32_t rank = 0;
    if (Status failure = takeServer(TRITONBACKEND_RequestInputByIndex(requestHandle, i, &piece.input)))
      return failure;
    if (Status failure = takeServer(TRITONBACKEND_InputProperties(piece.input, &name, &piece.type, &shape, &rank,
                                                                  &piece.byteSize, &piece.bufferCount)))
      return failure;
    piece.shape = {shape, rank};
    for (size_t j = 0; j != model.inputs.size(); ++j)
      if (model.inputs[j].name == name)
        request.pieces[j] = piece;
  }
  if (model.configuration.hasSequences)
    if (Status failure = readSequence(request))
      return failure;
  if (model.configuration.maxBatchSize == 0)
    return std::nullopt;
  const InputPiece *first = nullptr;
  for (size_t i = 0; i != request.pieces.size(); ++i) {
    const InputPiece &piece = request.pieces[i];
    if (!piece.input)
      continue;
    if (piece.shape.empty() || piece.shape[0] < 0 || (first && piece.shape[0] != first->shape[0]))
      return invalid("input '" + model.inputs[i].name + "' has another batch size than the first one");
    first = first ? first : &piece;
  }
  request.batchSize = first ? first->shape[0] : 1;
  return std::nullopt;
}

/// Whether two requests can be one call.
static bool fit(const Request &a, const Request &b) {
  for (size_t i = 0; i != a.pieces.size(); ++i) {
    const InputPiece &left = a.pieces[i], &right = b.pieces[i];
    if (!left.input != !right.input || left.type != right.type || left.shape.size() != right.shape.size() ||
        (left.input && !std::equal(left.shape.begin() + 1, left.shape.end(), right.shape.begin() + 1)))
      return false;
  }
  return true;
}

//===-- Calls -------------------------------------------------------------===//

Status Instance::findCallable(const Request &request, Callable &own, Model::Sequence &sequence,
                              const Callable *&found) {
  found = &callable;
  if (model.stateMode == StateMode::Request) {
    found = &own;
    return model.makeCallable(true, own);
  }
  if (model.stateMode == StateMode::Sequence) {
    if (Status failure = model.findSequence(request.sequence, request.begins, sequence))
      return failure;
    found = sequence.get();
  }
  return std::nullopt;
}

Status Instance::tryRun(std::span<Request *const> group, Times &times, Result &result) {
  std::vector<TRITONBACKEND_Request *> handles;
  bool isCancelled = true;
  for (const Request *request : group) {
    handles.push_back(request->handle);
    bool cancelled = false;
    if (Status failure = takeServer(TRITONBACKEND_RequestIsCancelled(request->handle, &cancelled)))
      return failure;
    isCancelled &= cancelled;
  }
  if (isCancelled)
    return Failure{TSC_CANCELLED, "the request was cancelled"};
  std::vector<Value> values(model.inputs.size());
  for (size_t i = 0; i != values.size(); ++i) {
    const InputBinding &binding = model.inputs[i];
    std::vector<const InputPiece *> pieces;
    for (const Request *request : group)
      pieces.push_back(&request->pieces[i]);
    if (!pieces.front()->input) {
      if (binding.isOptional)
        continue;
      return invalid("input '" + binding.name + "' is missing");
    }
    // A program that writes state may keep what it is given.
    if (Status failure =
            makeArgument(binding.name, model.signature.arguments[static_cast<size_t>(binding.argument)].kind, pieces,
                         model.stateMode == StateMode::None, values[i]))
      return failure;
  }
  Callable own;
  Model::Sequence sequence;
  const Callable *found = nullptr;
  if (Status failure = findCallable(*group.front(), own, sequence, found))
    return failure;
  times.computeStart = now();
  Value returned;
  Status failure;
  {
    Watch::Call watched(model.backend.watch, found->context.get(), handles);
    failure = call(model, *found, values, returned);
  }
  times.computeEnd = now();
  model.metrics.count(Metrics::Calls);
  if (sequence && failure && (failure->code == TSC_CANCELLED || failure->code == TSC_RESOURCE_EXHAUSTED)) {
    model.endSequence(group.front()->sequence);
    failure->message += "\nsequence " + group.front()->sequence + " ends with this: its state may be half written";
  }
  return failure ? failure : result.take(std::move(returned));
}

//===-- Responses ---------------------------------------------------------===//

/// Whether the client wants an output.
static bool isRequested(TRITONBACKEND_Request *request, const std::string &name) {
  uint32_t count = 0;
  if (takeServer(TRITONBACKEND_RequestOutputCount(request, &count)))
    return false;
  for (uint32_t i = 0; i != count; ++i) {
    const char *requested = nullptr;
    if (!takeServer(TRITONBACKEND_RequestOutputName(request, i, &requested)) && name == requested)
      return true;
  }
  return false;
}

/// Copies rows to memory that the server gave.
static Status copyRows(const std::string &name, void *buffer, TRITONSERVER_MemoryType memory, const char *data,
                       size_t size) {
  if (memory == TRITONSERVER_MEMORY_GPU)
    return Failure{TSC_UNIMPLEMENTED, "output '" + name + "' is wanted in the memory of a GPU"};
  if (size)
    std::memcpy(buffer, data, size);
  return std::nullopt;
}

Status Instance::writeOutput(const Request &request, TRITONBACKEND_Response *response, const OutputBinding &binding,
                             const OutputTensor &output, int64_t row) {
  const std::string &name = binding.description.name;
  std::vector<int64_t> shape = output.shape;
  const char *data = output.data;
  size_t size = output.byteSize;
  if (model.configuration.maxBatchSize > 0) {
    size_t rowSize = output.shape[0] ? output.byteSize / static_cast<size_t>(output.shape[0]) : 0;
    shape[0] = request.batchSize;
    data += static_cast<size_t>(row) * rowSize;
    size = static_cast<size_t>(request.batchSize) * rowSize;
  }
  if (shape.size() == (model.configuration.maxBatchSize > 0) && binding.description.dims.size() == 1)
    shape.push_back(1); // a scalar, which the configuration has as [1]
  TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;
  int64_t id = 0;
  void *buffer = nullptr;
  TRITONSERVER_DataType type =
      output.type == TRITONSERVER_TYPE_INVALID ? binding.description.type : output.type; // of an empty list
  if (binding.isOutput && isRequested(request.handle, name)) {
    TRITONBACKEND_Output *made = nullptr;
    if (Status failure = takeServer(TRITONBACKEND_ResponseOutput(response, &made, name.c_str(), type, shape.data(),
                                                                 static_cast<uint32_t>(shape.size()))))
      return failure;
    if (Status failure = takeServer(TRITONBACKEND_OutputBuffer(made, &buffer, size, &memory, &id)))
      return failure;
    if (Status failure = copyRows(name, buffer, memory, data, size))
      return failure;
  }
  if (!binding.isState)
    return std::nullopt;
  TRITONBACKEND_State *state = nullptr;
  memory = TRITONSERVER_MEMORY_CPU;
  if (Status failure = takeServer(TRITONBACKEND_StateNew(&state, request.handle, name.c_str(), type, shape.data(),
                                                         static_cast<uint32_t>(shape.size()))))
    return failure;
  if (Status failure = takeServer(TRITONBACKEND_StateBuffer(state, &buffer, size, &memory, &id)))
    return failure;
  if (Status failure = copyRows(name, buffer, memory, data, size))
    return failure;
  return takeServer(TRITONBACKEND_StateUpdate(state));
}

Status Instance::respond(std::span<Request *const> group, const Result &result,
                         std::vector<TRITONBACKEND_Response *> &responses) {
  bool isBatched = model.configuration.maxBatchSize > 0;
  int64_t rows = 0;
  for (const Request *request : group)
    rows += request->batchSize;
  std::vector<OutputTensor> outputs(model.outputs.size());
  for (size_t i = 0; i != outputs.size(); ++i) {
    const OutputBinding &binding = model.outputs[i];
    const tsc_value *part = nullptr;
    if (Status failure = result.find(binding, part))
      return failure;
    if (Status failure = outputs[i].read(binding.description.name, part))
      return failure;
    if (Status failure = outputs[i].check(binding.description, isBatched))
      return failure;
    if (isBatched && outputs[i].shape[0] != rows)
      return Failure{TSC_INTERNAL, "output '" + binding.description.name + "' has " +
                                       std::to_string(outputs[i].shape[0]) + " rows for a batch of " +
                                       std::to_string(rows) + ": set max_batch_size to 0"};
  }
  for (const Request *request : group) {
    TRITONBACKEND_Response *&response = responses.emplace_back();
    if (Status failure = takeServer(TRITONBACKEND_ResponseNew(&response, request->handle)))
      return failure;
  }
  int64_t row = 0;
  for (size_t i = 0; i != group.size(); ++i) {
    for (size_t j = 0; j != outputs.size(); ++j)
      if (Status failure = writeOutput(*group[i], responses[i], model.outputs[j], outputs[j], row))
        return failure;
    row += group[i]->batchSize;
  }
  return std::nullopt;
}

void Instance::finish(const Request &request, TRITONBACKEND_Response *response, const Status &status,
                      const Times &times) {
  if (model.stateMode == StateMode::Sequence && request.ends) // before the client can begin another one
    model.endSequence(request.sequence);
  if (status && status->code == TSC_RESOURCE_EXHAUSTED)
    model.metrics.count(Metrics::Quota);
  if (status && status->code == TSC_CANCELLED)
    model.metrics.count(Metrics::Cancelled);
  if (!response)
    logFailure(TRITONBACKEND_ResponseNew(&response, request.handle), "making a response");
  if (response) {
    TRITONSERVER_Error *error = makeServerError(status);
    logFailure(TRITONBACKEND_ResponseSend(response, TRITONSERVER_RESPONSE_COMPLETE_FINAL, error), "sending a response");
    if (error)
      TRITONSERVER_ErrorDelete(error);
  }
  logFailure(TRITONBACKEND_ModelInstanceReportStatistics(handle, request.handle, !status, times.start,
                                                         times.computeStart, times.computeEnd, now()),
             "reporting statistics");
  logFailure(TRITONBACKEND_RequestRelease(request.handle, TRITONSERVER_REQUEST_RELEASE_ALL), "releasing a request");
}

void Instance::run(std::span<Request *const> group) {
  Times times{now(), now(), now()};
  Status failure;
  std::vector<TRITONBACKEND_Response *> responses;
  bool isCalled = false;
  try {
    responses.reserve(group.size());
    Result result;
    failure = tryRun(group, times, result);
    isCalled = !failure;
    if (!failure)
      failure = respond(group, result, responses);
  } catch (const std::bad_alloc &) {
    failure = Failure{TSC_RESOURCE_EXHAUSTED, "out of memory"};
  }
  if (failure && group.size() > 1 && responses.empty()) {
    for (Request *const &request : group)
      run({&request, 1});
    return;
  }
  responses.resize(group.size(), nullptr);
  uint64_t batchSize = 0;
  for (size_t i = 0; i != group.size(); ++i) {
    batchSize += static_cast<uint64_t>(group[i]->batchSize);
    finish(*group[i], responses[i], failure, times);
  }
  if (isCalled)
    logFailure(TRITONBACKEND_ModelInstanceReportBatchStatistics(handle, batchSize, times.start, times.computeStart,
                                                                times.computeEnd, now()),
               "reporting statistics");
}

void Instance::execute(std::span<TRITONBACKEND_Request *const> handles) {
  std::vector<Request> requests(handles.size());
  std::vector<Request *> open;
  open.reserve(handles.size());
  for (size_t i = 0; i != handles.size(); ++i) {
    Times times{now(), now(), now()};
    Status failure;
    try {
      failure = read(handles[i], requests[i]);
    } catch (const std::bad_alloc &) {
      failure = Failure{TSC_RESOURCE_EXHAUSTED, "out of memory"};
    }
    // The server fills slots of a batch that have no sequence with requests of its own.
    bool isFiller = model.stateMode == StateMode::Sequence && requests[i].sequence.empty();
    if (failure || isFiller)
      finish(requests[i], nullptr, failure, times);
    else
      open.push_back(&requests[i]);
  }
  std::span<Request *> rest(open);
  while (!rest.empty()) {
    size_t count = 1;
    for (size_t i = 1; model.joinsRequests && i != rest.size();
         ++i) // those that fit with the first come behind it, in their order
      if (fit(*rest[0], *rest[i]))
        std::rotate(rest.begin() + static_cast<ptrdiff_t>(count++), rest.begin() + static_cast<ptrdiff_t>(i),
                    rest.begin() + static_cast<ptrdiff_t>(i) + 1);
    run(rest.first(count));
    rest = rest.subspan(count);
  }
}

} // namespace tsc::triton
