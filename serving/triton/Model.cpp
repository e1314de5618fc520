//===- Model.cpp - Loading programs, and the states of sequences ----------===//
#include "Model.h"
#include "Tensors.h"
#include <cstring>

namespace tsc::triton {

/// Says which file or model a failure is about.
static Status about(const std::string &what, Status failure) {
  if (failure)
    failure->message = what + ": " + failure->message;
  return failure;
}

static void logWarning(void *, const char *text, size_t length) {
  while (length && text[length - 1] == '\n')
    --length;
  log(TRITONSERVER_LOG_WARN, std::string(text, length));
}

Status Model::loadProgram(const std::string &path) {
  Options options(tsc_options_new());
  if (!options)
    return Failure{TSC_RESOURCE_EXHAUSTED, "out of memory"};
  if (Status failure = settings.apply(options.get()))
    return failure;
  if (Status failure = make(program, tsc_program_load, path.c_str(), static_cast<const tsc_options *>(options.get())))
    return failure->message.find(path) == std::string::npos ? about(path, failure) : failure;
  std::string entryName = settings.get("entry");
  if (Status failure = make(entry, tsc_program_find, static_cast<const tsc_program *>(program.get()),
                            static_cast<const char *>(entryName.c_str())))
    return about(path, failure);
  if (Status failure = Signature::parse(tsc_entry_schema(entry.get()), signature))
    return about(path, failure);
  if (signature.result == "NoneType" || signature.result == "None")
    return invalid(path + ": the entry returns nothing: " + tsc_entry_schema(entry.get()));
  if (Status failure = chooseStateMode())
    return about(path, failure);
  bool isFrozen = false;
  if (Status failure = parseSwitch(settings.get("freeze", "false"), isFrozen))
    return about("parameter 'freeze'", failure);
  if (!isFrozen)
    return std::nullopt;
  if (stateMode != StateMode::None)
    return invalid("parameter 'freeze': the program writes state, which freezing would make constant");
  const char *method = tsc_entry_name(entry.get());
  return about(path, take(tsc_program_freeze(program.get(), &method, 1)));
}

Status Model::chooseStateMode() {
  int writes = 0;
  Value first;
  tsc_value *text = nullptr;
  Status failure = take(tsc_program_writes_state(program.get(), &writes, &text));
  first.reset(text);
  if (failure)
    return failure;
  std::string wanted = settings.get("state");
  if (wanted != "" && wanted != "instance" && wanted != "request" && wanted != "sequence")
    return invalid("parameter 'state' is '" + wanted + "', and none of instance, request and sequence");
  if (wanted == "sequence" && !configuration.hasSequences)
    return invalid("parameter 'state' is 'sequence', and the model has no sequence_batching");
  if (!writes)
    return std::nullopt;
  if (wanted == "" && !configuration.hasSequences) {
    const char *line = "";
    tsc_value_get_string(first.get(), &line, nullptr);
    return invalid(
        "calls write state, which requests would share:\n" + std::string(line) +
        "\ngive the model sequence_batching, so that each sequence has a state, or set the parameter 'state' "
        "to 'request' (each request begins with the state of the file) or 'instance' (the state lives on)");
  }
  stateMode = wanted == "instance"  ? StateMode::Instance
              : wanted == "request" ? StateMode::Request
                                    : StateMode::Sequence;
  return std::nullopt;
}

Status Model::chooseBatching(const Json &config) {
  std::string wanted = settings.get("batching");
  if (wanted != "" && wanted != "exact" && wanted != "joined")
    return invalid("parameter 'batching' is '" + wanted + "', and neither exact nor joined");
  if (wanted == "joined" && (configuration.maxBatchSize == 0 || stateMode != StateMode::None))
    return invalid(
        "parameter 'batching': requests of a model with max_batch_size 0, or whose calls write state, cannot "
        "be joined");
  joinsRequests = wanted == "joined";
  if (wanted == "" && config["dynamic_batching"].kind() == Json::Kind::Object)
    log(TRITONSERVER_LOG_INFO, name +
                                   ": each request of a batch is a call of its own, with the bits that it has alone. "
                                   "The parameter 'batching' with the value 'joined' makes one call of them, which is "
                                   "faster and may differ in last bits");
  return std::nullopt;
}

Status Model::makeCallable(bool isFork, Callable &callable) const {
  const tsc_program *from = program.get();
  if (isFork) {
    if (Status failure = make(callable.fork, tsc_program_fork, from))
      return failure;
    from = callable.fork.get();
  }
  std::string entryName = settings.get("entry");
  if (Status failure = make(callable.entry, tsc_program_find, from, static_cast<const char *>(entryName.c_str())))
    return failure;
  if (Status failure = make(callable.context, tsc_context_new, from))
    return failure;
  if (Status failure = take(tsc_context_set_warn(callable.context.get(), logWarning, nullptr)))
    return failure;
  return settings.apply(callable.context.get());
}

//===-- Calls -------------------------------------------------------------===//

Status call(const Model &model, const Callable &callable, std::span<const Value> values, Value &result) {
  const std::vector<Argument> &arguments = model.signature.arguments;
  std::vector<tsc_value *> given(arguments.size()), positional, named, keyed;
  std::vector<const char *> names;
  std::vector<Value> made; // keys, and what arguments that are left out become
  std::vector<tsc_value *> keys;
  for (size_t i = 0; i != values.size(); ++i) {
    const InputBinding &binding = model.inputs[i];
    if (!values[i])
      continue;
    if (!binding.isKey) {
      given[static_cast<size_t>(binding.argument)] = values[i].get();
      continue;
    }
    made.emplace_back(tsc_value_new_string(binding.name.data(), binding.name.size()));
    keys.push_back(made.back().get());
    keyed.push_back(values[i].get());
  }
  if (!keys.empty()) {
    Value dictionary;
    if (Status failure = make(dictionary, tsc_value_new_dict, keys.data(), keyed.data(), keys.size()))
      return failure;
    given[0] = dictionary.get();
    made.push_back(std::move(dictionary));
  }
  bool hasGap = false;
  for (size_t i = 0; i != arguments.size(); ++i) {
    const Argument &argument = arguments[i];
    if (!given[i] && !argument.hasDefault) { // bindInputs() saw that None is a value of its type
      made.emplace_back(tsc_value_new_none());
      given[i] = made.back().get();
    }
    hasGap |= !given[i] || argument.isKeywordOnly;
    if (given[i] && hasGap) {
      named.push_back(given[i]);
      names.push_back(argument.name.c_str());
    } else if (given[i]) {
      positional.push_back(given[i]);
    }
  }
  tsc_value *value = nullptr;
  Status failure = take(tsc_entry_run_named(callable.entry.get(), callable.context.get(), positional.data(),
                                            positional.size(), names.data(), named.data(), named.size(), &value));
  result.reset(value);
  return failure;
}

//===-- Sequences ---------------------------------------------------------===//

/// The server ends a sequence that was idle for long enough without saying so. It counts from the arrival of a request,
/// which may then wait for its turn: a state is kept for some time more.
void Model::dropIdleSequences() {
  auto limit = std::chrono::microseconds(configuration.maxIdleMicroseconds) * 2 + std::chrono::seconds(10);
  Clock::time_point now = Clock::now();
  while (!sequences.empty() && now - sequences.front().lastUse > limit) {
    sequenceOf.erase(sequences.front().id);
    sequences.pop_front();
  }
}

Status Model::findSequence(const std::string &id, bool begins, Sequence &sequence) {
  std::lock_guard lock(mutex);
  dropIdleSequences();
  auto found = sequenceOf.find(id);
  if (begins) {
    sequence = std::make_shared<Callable>();
    if (Status failure = makeCallable(true, *sequence))
      return failure;
    if (found == sequenceOf.end()) {
      sequences.push_back({id, sequence, Clock::now()});
      sequenceOf[id] = std::prev(sequences.end());
    } else {
      found->second->state = sequence;
    }
    found = sequenceOf.find(id);
  } else if (found == sequenceOf.end()) {
    return Failure{TSC_NOT_FOUND, "sequence " + id +
                                      " has no state: it did not begin, has ended, or a call of it was "
                                      "cut short"};
  } else {
    sequence = found->second->state;
  }
  found->second->lastUse = Clock::now();
  sequences.splice(sequences.end(), sequences, found->second);
  metrics.setSequences(sequences.size());
  return std::nullopt;
}

void Model::endSequence(const std::string &id) {
  std::lock_guard lock(mutex);
  auto found = sequenceOf.find(id);
  if (found == sequenceOf.end())
    return;
  sequences.erase(found->second);
  sequenceOf.erase(found);
  metrics.setSequences(sequences.size());
}

//===-- The configuration -------------------------------------------------===//

/// Calls the program once with zeros, and says what it returned. Dimensions that the configuration leaves open have
/// `unknownSize` elements.
Status Model::tryCall(int64_t batchSize, int64_t unknownSize, std::vector<TensorDescription> &results) const {
  Callable callable;
  if (Status failure = makeCallable(stateMode != StateMode::None, callable))
    return failure;
  std::vector<Value> values(inputs.size());
  for (size_t i = 0; i != inputs.size(); ++i) {
    const InputBinding &binding = inputs[i];
    if (binding.isOptional)
      continue;
    int dtype = elementType(binding.description.type);
    if (dtype < 0 ||
        (!binding.isKey && signature.arguments[static_cast<size_t>(binding.argument)].kind != ArgumentKind::Tensor))
      return invalid("its inputs are not all tensors");
    std::vector<int64_t> sizes;
    if (configuration.maxBatchSize > 0)
      sizes.push_back(batchSize);
    for (int64_t dim : binding.description.dims)
      sizes.push_back(dim < 0 ? unknownSize : dim);
    tsc_tensor tensor = {
        sizeof(tsc_tensor), nullptr, sizes.data(), nullptr, static_cast<int32_t>(sizes.size()), dtype, 0};
    if (Status failure = make(values[i], tsc_value_new_empty_tensor, &tensor))
      return failure;
    uint8_t zero = 0; // a tensor over one element, with strides of zero
    std::vector<int64_t> strides(sizes.size(), 0);
    tsc_tensor source = {sizeof(tsc_tensor), &zero, sizes.data(), strides.data(), static_cast<int32_t>(sizes.size()),
                         TSC_UINT8,          0};
    if (dtype == TSC_BOOL)
      source.dtype = TSC_BOOL;
    if (Status failure = take(tsc_tensor_copy_from(values[i].get(), &source)))
      return failure;
  }
  Value returned;
  if (Status failure = call(*this, callable, values, returned))
    return failure;
  Result result;
  if (Status failure = result.take(std::move(returned)))
    return failure;
  for (const auto &[key, value] : result.all()) {
    OutputTensor output;
    if (Status failure = output.read(key, value.get()))
      return failure;
    results.push_back({key, output.type, output.shape, false});
  }
  return std::nullopt;
}

/// Adds the outputs to a configuration that has none: two calls with zeros say what they are, and dimensions in which
/// the calls differ are open.
Status Model::completeOutputs(Json &config, bool &changed) const {
  if (!config["output"].elements().empty())
    return std::nullopt;
  std::vector<TensorDescription> results, others;
  // A program with state may have it for one observation.
  int64_t rows = stateMode == StateMode::None ? 2 : 1, otherRows = stateMode == StateMode::None ? 3 : 1;
  Status failure = tryCall(rows, 2, results);
  if (!failure)
    failure = tryCall(otherRows, 3, others);
  if (!failure && results.size() != others.size())
    failure = invalid("it returns another number of values each time");
  if (failure)
    return about("the configuration names no outputs, and a call with zeros does not show them. Write them into "
                 "config.pbtxt, as in\n  output [ { name: \"OUTPUT__0\" data_type: TYPE_FP32 dims: [ -1 ] } ]\nThe "
                 "call",
                 failure);
  Json outputs = Json::array();
  for (size_t i = 0; i != results.size(); ++i) {
    const TensorDescription &result = results[i];
    std::string name = !result.name.empty()               ? result.name
                       : i < signature.resultNames.size() ? signature.resultNames[i]
                                                          : "OUTPUT__" + std::to_string(i);
    bool isState = false;
    for (const TensorDescription &state : configuration.stateOutputs)
      isState |= state.name == name;
    if (isState)
      continue;
    bool isBatched = configuration.maxBatchSize > 0;
    if (others[i].dims.size() != result.dims.size() ||
        (isBatched && (result.dims.empty() || result.dims[0] != rows || others[i].dims[0] != otherRows)))
      return invalid("output '" + name + "' of a batch of " + std::to_string(rows) +
                     " has another first dimension: set max_batch_size to 0");
    Json dims = Json::array();
    for (size_t j = isBatched; j < result.dims.size(); ++j)
      dims.elements().push_back(Json::integer(result.dims[j] == others[i].dims[j] ? result.dims[j] : -1));
    if (dims.elements().empty()) // of one element: the server has no tensors without dimensions
      dims.elements().push_back(Json::integer(1));
    Json output = Json::object();
    output.set("name", Json::string(name));
    output.set("data_type", Json::string(typeName(result.type)));
    output.set("dims", std::move(dims));
    outputs.elements().push_back(std::move(output));
  }
  config.set("output", std::move(outputs));
  changed = true;
  return std::nullopt;
}

Status Model::complete(TRITONBACKEND_Model *handle, Json &config) {
  bool isWanted = false, changed = false;
  if (Status failure = takeServer(TRITONBACKEND_ModelAutoCompleteConfig(handle, &isWanted)))
    return failure;
  if (isWanted)
    if (Status failure = completeInputs(config, signature, changed))
      return failure;
  if (Status failure = Configuration::read(config, configuration))
    return failure;
  if (Status failure = bindInputs(configuration, signature, inputs))
    return failure;
  if (isWanted)
    if (Status failure = completeOutputs(config, changed))
      return failure;
  if (Status failure = Configuration::read(config, configuration))
    return failure;
  if (Status failure = bindOutputs(configuration, signature, outputs))
    return failure;
  if (!changed)
    return std::nullopt;
  TRITONSERVER_Message *message = nullptr;
  std::string text = config.print();
  if (Status failure = takeServer(TRITONSERVER_MessageNewFromSerializedJson(&message, text.data(), text.size())))
    return failure;
  Status failure = takeServer(TRITONBACKEND_ModelSetConfig(handle, 1, message));
  logFailure(TRITONSERVER_MessageDelete(message), "deleting a message");
  return failure;
}

Status Model::load(TRITONBACKEND_Model *handle, Backend &backend, std::unique_ptr<Model> &model) {
  model.reset(new Model(backend));
  const char *name = "", *location = "";
  uint64_t version = 0;
  TRITONBACKEND_ArtifactType kind = TRITONBACKEND_ARTIFACT_FILESYSTEM;
  TRITONSERVER_Message *message = nullptr;
  if (Status failure = takeServer(TRITONBACKEND_ModelName(handle, &name)))
    return failure;
  if (Status failure = takeServer(TRITONBACKEND_ModelVersion(handle, &version)))
    return failure;
  if (Status failure = takeServer(TRITONBACKEND_ModelRepository(handle, &kind, &location)))
    return failure;
  if (Status failure = takeServer(TRITONBACKEND_ModelConfig(handle, 1, &message)))
    return failure;
  Json config;
  Status failure = readMessage(message, config);
  logFailure(TRITONSERVER_MessageDelete(message), "deleting a message");
  model->name = name;
  if (!failure)
    failure = Configuration::read(config, model->configuration);
  if (!failure)
    failure = Settings::readModel(config, backend.commandLine, model->settings);
  if (!failure)
    failure =
        model->loadProgram(std::string(location) + "/" + std::to_string(version) + "/" + model->configuration.fileName);
  if (!failure)
    failure = model->chooseBatching(config);
  if (!failure)
    failure = model->complete(handle, config);
  if (!failure)
    model->metrics.start(backend.metrics, name, std::to_string(version));
  return failure;
}

} // namespace tsc::triton
