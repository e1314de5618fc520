//===- Configuration.cpp - Reading, completing and binding configurations -===//
#include "Configuration.h"
#include <algorithm>
#include <charconv>
#include <set>

namespace tsc::triton {

static constexpr const char *typeNames[] = {"TYPE_INVALID", "TYPE_BOOL", "TYPE_UINT8", "TYPE_UINT16", "TYPE_UINT32",
                                            "TYPE_UINT64",  "TYPE_INT8", "TYPE_INT16", "TYPE_INT32",  "TYPE_INT64",
                                            "TYPE_FP16",    "TYPE_FP32", "TYPE_FP64",  "TYPE_STRING", "TYPE_BF16"};

std::string typeName(TRITONSERVER_DataType type) { return typeNames[type]; }

TRITONSERVER_DataType typeNamed(std::string_view name) {
  for (int i = 0; i != std::size(typeNames); ++i)
    if (name == typeNames[i])
      return static_cast<TRITONSERVER_DataType>(i);
  return TRITONSERVER_TYPE_INVALID;
}

static bool isUnsignedBeyondBytes(TRITONSERVER_DataType type) {
  return type == TRITONSERVER_TYPE_UINT16 || type == TRITONSERVER_TYPE_UINT32 || type == TRITONSERVER_TYPE_UINT64;
}

/// Reads a description. `name` is the member that holds its name.
static Status readDescription(const Json &json, std::string_view name, TensorDescription &description) {
  description.name = json[name].text();
  description.type = typeNamed(json["data_type"].text());
  const Json &reshape = json["reshape"];
  for (const Json &dim : (reshape.kind() == Json::Kind::Object ? reshape["shape"] : json["dims"]).elements())
    description.dims.push_back(dim.asInteger(-1));
  description.isOptional = json["optional"].asBool();
  if (isUnsignedBeyondBytes(description.type))
    return invalid("'" + description.name + "' is " + typeName(description.type) +
                   ", and TorchScript has no such tensors: use TYPE_INT32 or TYPE_INT64");
  if (json["allow_ragged_batch"].asBool())
    return Failure{TSC_UNIMPLEMENTED, "input '" + description.name +
                                          "' allows ragged batches, which this backend does "
                                          "not make"};
  return std::nullopt;
}

Status Configuration::read(const Json &config, Configuration &result) {
  result = Configuration();
  result.maxBatchSize = config["max_batch_size"].asInteger();
  result.fileName = config["default_model_filename"].text();
  if (result.fileName.empty())
    result.fileName = "model.pt";
  for (const Json &input : config["input"].elements())
    if (Status failure = readDescription(input, "name", result.inputs.emplace_back()))
      return failure;
  for (const Json &output : config["output"].elements())
    if (Status failure = readDescription(output, "name", result.outputs.emplace_back()))
      return failure;
  if (!config["batch_input"].elements().empty() || !config["batch_output"].elements().empty())
    return Failure{TSC_UNIMPLEMENTED, "batch_input and batch_output are not supported"};
  if (config["model_transaction_policy"]["decoupled"].asBool())
    return Failure{TSC_UNIMPLEMENTED, "this backend gives one response for each request: it cannot be decoupled"};
  const Json &sequences = config["sequence_batching"];
  result.hasSequences = sequences.kind() == Json::Kind::Object;
  result.maxIdleMicroseconds = static_cast<uint64_t>(sequences["max_sequence_idle_microseconds"].asInteger(1000000));
  for (const Json &control : sequences["control_input"].elements())
    result.controls.push_back(control["name"].text());
  for (const Json &state : sequences["state"].elements()) {
    if (Status failure = readDescription(state, "input_name", result.stateInputs.emplace_back()))
      return failure;
    if (Status failure = readDescription(state, "output_name", result.stateOutputs.emplace_back()))
      return failure;
  }
  return std::nullopt;
}

/// Returns N of a name NAME__N, or -1.
static int indexInName(std::string_view name) {
  size_t place = name.rfind("__");
  if (place == std::string_view::npos)
    return -1;
  std::string_view digits = name.substr(place + 2);
  int index = -1;
  auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  return error == std::errc() && end == digits.data() + digits.size() && !digits.empty() ? index : -1;
}

static std::string listArguments(const Signature &signature) {
  std::string text;
  for (const Argument &argument : signature.arguments)
    text += (text.empty() ? "" : ", ") + argument.type + " " + argument.name;
  return "(" + text + ")";
}

/// Whether a request can give the argument.
static Status checkArgument(const Argument &argument, const TensorDescription &description, int64_t maxBatchSize) {
  std::string what = "argument '" + argument.name + "' is a " + argument.type;
  bool isTensor = argument.kind == ArgumentKind::Tensor || argument.kind == ArgumentKind::TensorDict;
  if (argument.kind == ArgumentKind::Other)
    return Failure{TSC_UNIMPLEMENTED, what + ", which no input of a request can be"};
  if (maxBatchSize > 0 && !isTensor)
    return invalid(what + ", which has no batches: set max_batch_size to 0, or make it a Tensor");
  bool isString = argument.kind == ArgumentKind::String || argument.kind == ArgumentKind::StringList;
  if (isString != (description.type == TRITONSERVER_TYPE_BYTES))
    return invalid(what + ", and input '" + description.name + "' is " + typeName(description.type));
  return std::nullopt;
}

/// Arguments that inputs stand for, by the rules of bindInputs().
static Status findArguments(const std::vector<TensorDescription> &inputs, const Signature &signature,
                            std::vector<int> &found) {
  bool hasNamed = false, hasUnnamed = false;
  for (const TensorDescription &input : inputs) {
    int argument = signature.find(input.name);
    if (argument < 0)
      argument = indexInName(input.name);
    found.push_back(argument);
    (argument < 0 ? hasUnnamed : hasNamed) = true;
    if (argument >= static_cast<int>(signature.arguments.size()))
      return invalid("input '" + input.name + "' would be argument " + std::to_string(argument) + " of " +
                     listArguments(signature) + ", which has " + std::to_string(signature.arguments.size()));
  }
  if (hasUnnamed && hasNamed)
    for (size_t i = 0; i != inputs.size(); ++i)
      if (found[i] < 0)
        return invalid("input '" + inputs[i].name + "' is no argument of " + listArguments(signature) +
                       ": name inputs as these, or NAME__0, NAME__1 and so on");
  if (hasUnnamed) {
    if (inputs.size() > signature.arguments.size())
      return invalid("there are " + std::to_string(inputs.size()) + " inputs, and the entry takes " +
                     listArguments(signature));
    for (size_t i = 0; i != inputs.size(); ++i)
      found[i] = static_cast<int>(i);
  }
  std::set<int> seen;
  for (size_t i = 0; i != inputs.size(); ++i)
    if (!seen.insert(found[i]).second)
      return invalid("two inputs are argument '" + signature.arguments[static_cast<size_t>(found[i])].name + "'");
  return std::nullopt;
}

Status bindInputs(const Configuration &configuration, const Signature &signature, std::vector<InputBinding> &bindings) {
  std::vector<TensorDescription> inputs = configuration.inputs;
  inputs.insert(inputs.end(), configuration.stateInputs.begin(), configuration.stateInputs.end());
  bool isDict = signature.arguments.size() == 1 && signature.arguments[0].kind == ArgumentKind::TensorDict;
  // What the server tells of a sequence is given to a program that asks for it by name.
  for (const std::string &name : configuration.controls)
    if (signature.find(name) >= 0)
      inputs.push_back({name, TRITONSERVER_TYPE_INVALID, {}, true});
  std::vector<int> found(inputs.size(), 0);
  if (!isDict) {
    found.clear();
    if (Status failure = findArguments(inputs, signature, found))
      return failure;
  }
  std::set<int> given(found.begin(), found.end());
  bindings.clear();
  for (size_t i = 0; i != inputs.size(); ++i) {
    const Argument &argument = signature.arguments[static_cast<size_t>(found[i])];
    if (argument.kind == ArgumentKind::TensorDict && !isDict)
      return Failure{TSC_UNIMPLEMENTED,
                     "argument '" + argument.name + "' is a dictionary, which an entry must have as its only argument"};
    if (Status failure = checkArgument(argument, inputs[i], configuration.maxBatchSize))
      return failure;
    if (inputs[i].isOptional && !isDict && !argument.isOptional && !argument.hasDefault)
      return invalid("input '" + inputs[i].name + "' is optional, and argument '" + argument.name + "' is not");
    bindings.push_back({inputs[i].name, found[i], isDict, inputs[i].isOptional, inputs[i]});
  }
  for (size_t i = 0; i != signature.arguments.size(); ++i) {
    const Argument &argument = signature.arguments[i];
    if (!argument.hasDefault && !argument.isOptional && !given.contains(static_cast<int>(i)))
      return invalid("no input is argument '" + argument.name + "' of " + listArguments(signature));
  }
  return std::nullopt;
}

Status bindOutputs(const Configuration &configuration, const Signature &signature,
                   std::vector<OutputBinding> &bindings) {
  bindings.clear();
  for (const TensorDescription &output : configuration.outputs)
    bindings.push_back({output, 0, "", false, true});
  for (const TensorDescription &state : configuration.stateOutputs) {
    auto same = std::find_if(bindings.begin(), bindings.end(),
                             [&](const OutputBinding &output) { return output.description.name == state.name; });
    if (same != bindings.end())
      same->isState = true;
    else
      bindings.push_back({state, 0, "", true, false});
  }
  if (signature.result.starts_with("Dict(")) {
    for (OutputBinding &binding : bindings)
      binding.key = binding.description.name;
    return std::nullopt;
  }
  bool hasNamed = false, hasUnnamed = false;
  std::set<size_t> seen;
  for (OutputBinding &binding : bindings) {
    const std::string &name = binding.description.name;
    auto field = std::find(signature.resultNames.begin(), signature.resultNames.end(), name);
    int index = field == signature.resultNames.end() ? indexInName(name)
                                                     : static_cast<int>(field - signature.resultNames.begin());
    (index < 0 ? hasUnnamed : hasNamed) = true;
    binding.index = static_cast<size_t>(index);
    if (index >= 0 && !seen.insert(binding.index).second)
      return invalid("two outputs are part " + std::to_string(index) + " of the result");
  }
  if (hasNamed && hasUnnamed)
    return invalid("some outputs are named after parts of the result, " + signature.result +
                   ", and some are not: name all NAME__0, NAME__1 and so on, or none");
  if (hasUnnamed)
    for (size_t i = 0; i != bindings.size(); ++i)
      bindings[i].index = i;
  return std::nullopt;
}

/// What the type of an argument says about the input that gives it: its type, and dimensions; none for tensors.
static TRITONSERVER_DataType typeOf(ArgumentKind kind, int64_t &size) {
  size = kind == ArgumentKind::IntList || kind == ArgumentKind::FloatList || kind == ArgumentKind::BoolList ||
                 kind == ArgumentKind::StringList
             ? -1
             : 1;
  switch (kind) {
  case ArgumentKind::Int:
  case ArgumentKind::IntList: return TRITONSERVER_TYPE_INT64;
  case ArgumentKind::Float:
  case ArgumentKind::FloatList: return TRITONSERVER_TYPE_FP64;
  case ArgumentKind::Bool:
  case ArgumentKind::BoolList: return TRITONSERVER_TYPE_BOOL;
  case ArgumentKind::String:
  case ArgumentKind::StringList: return TRITONSERVER_TYPE_BYTES;
  default: return TRITONSERVER_TYPE_INVALID;
  }
}

/// Completes one input, which is `argument`.
static Status completeInput(Json &input, const Argument &argument, bool &changed) {
  int64_t size = 0;
  TRITONSERVER_DataType type = typeOf(argument.kind, size);
  bool hasType = typeNamed(input["data_type"].text()) != TRITONSERVER_TYPE_INVALID;
  bool hasDims = !input["dims"].elements().empty() || input["reshape"].kind() == Json::Kind::Object;
  if (type == TRITONSERVER_TYPE_INVALID && (!hasType || !hasDims))
    return invalid("the program does not say what dtype and how many dimensions its argument '" + argument.name +
                   "' has: write them into config.pbtxt, as in\n  input [ { name: \"" + argument.name +
                   "\" data_type: TYPE_FP32 dims: [ -1 ] } ]");
  if (input["name"].text().empty()) {
    input.set("name", Json::string(argument.name));
    changed = true;
  }
  if (!hasType) {
    input.set("data_type", Json::string(typeName(type)));
    changed = true;
  }
  if (!hasDims) {
    Json dims = Json::array();
    dims.elements().push_back(Json::integer(size));
    input.set("dims", dims);
    changed = true;
  }
  return std::nullopt;
}

Status completeInputs(Json &config, const Signature &signature, bool &changed) {
  Json inputs = config["input"].kind() == Json::Kind::Array ? config["input"] : Json::array();
  Configuration configuration;
  if (Status failure = Configuration::read(config, configuration))
    return failure;
  if (signature.arguments.size() == 1 && signature.arguments[0].kind == ArgumentKind::TensorDict) {
    if (inputs.elements().empty())
      return invalid("the program does not say what keys its argument '" + signature.arguments[0].name +
                     "' has: write an input for each into config.pbtxt");
    return std::nullopt;
  }
  auto isKept = [&](const std::string &name) { // by the server, for the sequence
    auto named = [&](const TensorDescription &state) { return state.name == name; };
    return std::any_of(configuration.stateInputs.begin(), configuration.stateInputs.end(), named) ||
           std::find(configuration.controls.begin(), configuration.controls.end(), name) !=
               configuration.controls.end();
  };
  if (inputs.elements().empty()) {
    for (const Argument &argument : signature.arguments)
      if (!argument.hasDefault && !argument.isOptional && !isKept(argument.name))
        inputs.elements().push_back(Json::object());
  }
  // Inputs without a name are the arguments that no other input is, in their order.
  size_t next = 0;
  auto isTaken = [&](const Argument &argument) {
    return isKept(argument.name) ||
           std::any_of(inputs.elements().begin(), inputs.elements().end(),
                       [&](const Json &input) { return input["name"].text() == argument.name; });
  };
  for (Json &input : inputs.elements()) {
    int index = signature.find(input["name"].text());
    if (input["name"].text().empty()) {
      while (next != signature.arguments.size() && isTaken(signature.arguments[next]))
        ++next;
      if (next == signature.arguments.size())
        return invalid("there are more inputs than arguments of " + listArguments(signature));
      index = static_cast<int>(next);
    } else if (index < 0) {
      index = indexInName(input["name"].text());
    }
    if (index >= 0 && index < static_cast<int>(signature.arguments.size()))
      if (Status failure = completeInput(input, signature.arguments[static_cast<size_t>(index)], changed))
        return failure;
  }
  config.set("input", inputs);
  return std::nullopt;
}

} // namespace tsc::triton
