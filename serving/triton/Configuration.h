//===- Configuration.h - A model's configuration, and what it stands for --===//
#ifndef TSC_SERVING_TRITON_CONFIGURATION_H
#define TSC_SERVING_TRITON_CONFIGURATION_H

#include "Json.h"
#include "Signature.h"
#include "TritonInterface.h"

namespace tsc::triton {

/// An input, output or state of a model's configuration.
struct TensorDescription {
  std::string name;
  TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
  std::vector<int64_t> dims; ///< Without the dimension of batches; -1 for any size. After a `reshape`, if there is one.
  bool isOptional = false;   ///< A request may leave it out.
};

/// What the configuration of a model says, as far as this backend reads it.
struct Configuration {
  int64_t maxBatchSize = 0; ///< 0: requests have no dimension of batches.
  std::string fileName;     ///< The file in a version's folder.
  std::vector<TensorDescription> inputs, outputs;
  bool hasSequences = false;
  uint64_t maxIdleMicroseconds = 0;                         ///< After which the server ends a sequence.
  std::vector<TensorDescription> stateInputs, stateOutputs; ///< Of implicit state: as many of each, in the same order.
  std::vector<std::string> controls; ///< Names of inputs by which the server tells of a sequence.

  static Status read(const Json &config, Configuration &configuration);
};

/// Which argument an input of requests is, and which part of the result an output is.
struct InputBinding {
  std::string name;
  int argument = 0;
  bool isKey = false;      ///< The input is the value of this name in a dictionary, which is the argument.
  bool isOptional = false; ///< A request may leave it out.
  TensorDescription description;
};
struct OutputBinding {
  TensorDescription description;
  size_t index = 0;     ///< The place among the tensors and numbers of the result, counted from left to right.
  std::string key;      ///< The key, where the result is a dictionary.
  bool isState = false; ///< The output is a state, which the server keeps for the sequence.
  bool isOutput = true; ///< Clients may ask for it.
};

/// Finds what each input stands for: the argument of its name; NAME__3 is the argument 3; where no name is either, the
/// arguments in their order. Where the entry's only argument is a Dict[str, Tensor], names are keys.
Status bindInputs(const Configuration &configuration, const Signature &signature, std::vector<InputBinding> &bindings);
/// Finds what each output stands for: the field of a NamedTuple or the key of a dictionary of its name; NAME__3 is the
/// part 3; where no name is either, the parts in their order.
Status bindOutputs(const Configuration &configuration, const Signature &signature,
                   std::vector<OutputBinding> &bindings);

/// Completes names, types and dimensions of the inputs in `config` where the signature says them. `changed` says
/// whether something was missing. A tensor whose dtype or dimensions nobody knows is a failure that shows what to
/// write.
Status completeInputs(Json &config, const Signature &signature, bool &changed);

/// Returns "TYPE_FP32" for a type, and the type for "TYPE_FP32".
std::string typeName(TRITONSERVER_DataType type);
TRITONSERVER_DataType typeNamed(std::string_view name);

} // namespace tsc::triton

#endif
