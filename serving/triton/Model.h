//===- Model.h - A version of a model: its program, and who calls it ------===//
#ifndef TSC_SERVING_TRITON_MODEL_H
#define TSC_SERVING_TRITON_MODEL_H

#include "Configuration.h"
#include "Server.h"
#include "Settings.h"
#include "Watch.h"
#include <chrono>
#include <list>
#include <map>
#include <mutex>

namespace tsc::triton {

/// What all models share.
struct Backend {
  Settings commandLine;
  Metrics metrics;
  Watch watch;
};

/// What one caller at a time needs to call a program.
struct Callable {
  Program fork; ///< A program of its own, where calls write state; else null.
  Entry entry;
  CallContext context;
};

/// What becomes of the state that calls of a program write.
enum class StateMode {
  None,     ///< Calls write none: all instances share the program.
  Instance, ///< It lives as long as the instance, and all requests of it see it.
  Request,  ///< Each request begins with the state of the file.
  Sequence  ///< Each sequence of requests has one, which begins with that of the file.
};

/// A version of a model.
///
/// Threads: instances use it at the same time.
class Model {
public:
  /// Loads the file of the model's version, and completes the model's configuration.
  static Status load(TRITONBACKEND_Model *handle, Backend &backend, std::unique_ptr<Model> &model);

  /// Makes what a caller needs: of the program itself, or with `isFork` of a fork of it.
  Status makeCallable(bool isFork, Callable &callable) const;

  /// The state of a sequence while one of its requests runs.
  using Sequence = std::shared_ptr<Callable>;
  /// Finds the state of the sequence `id`; it is made anew where a request begins the sequence.
  Status findSequence(const std::string &id, bool begins, Sequence &sequence);
  /// Forgets the sequence.
  void endSequence(const std::string &id);

  Backend &backend;
  std::string name;
  Configuration configuration;
  Signature signature;
  StateMode stateMode = StateMode::None;
  /// Whether requests of a batch become one call. Kernels of products add in another order for many rows, so that last
  /// bits may then differ from those of single requests.
  bool joinsRequests = false;
  std::vector<InputBinding> inputs;
  std::vector<OutputBinding> outputs;
  Metrics::OfModel metrics;

private:
  explicit Model(Backend &backend) : backend(backend) {}
  Status loadProgram(const std::string &path);
  Status chooseStateMode();
  Status chooseBatching(const Json &config);
  Status complete(TRITONBACKEND_Model *handle, Json &config);
  Status completeOutputs(Json &config, bool &changed) const;
  Status tryCall(int64_t batchSize, int64_t unknownSize, std::vector<TensorDescription> &results) const;
  void dropIdleSequences();

  Settings settings;
  Program program;
  Entry entry;

  using Clock = std::chrono::steady_clock;
  struct KeptSequence {
    std::string id;
    Sequence state;
    Clock::time_point lastUse;
  };
  std::mutex mutex;                  ///< Guards what follows.
  std::list<KeptSequence> sequences; ///< The one that was used last is at the end.
  std::map<std::string, std::list<KeptSequence>::iterator> sequenceOf;
};

/// Calls a callable with values for the inputs; null for inputs that are left out. The results are a call's.
Status call(const Model &model, const Callable &callable, std::span<const Value> values, Value &result);

} // namespace tsc::triton

#endif
