//===- Instance.h - Runs requests -----------------------------------------===//
#ifndef TSC_SERVING_TRITON_INSTANCE_H
#define TSC_SERVING_TRITON_INSTANCE_H

#include "Model.h"
#include "Tensors.h"

namespace tsc::triton {

/// A request from its arrival to its release.
struct Request {
  TRITONBACKEND_Request *handle = nullptr;
  std::vector<InputPiece> pieces; ///< One for each of the model's inputs.
  int64_t batchSize = 1;
  std::string sequence; ///< Its correlation id; "" of none.
  bool begins = false, ends = false;
};

/// Times of a call, in nanoseconds.
struct Times {
  uint64_t start = 0, computeStart = 0, computeEnd = 0;
};

/// An instance of a model: runs one batch of requests at a time.
class Instance {
public:
  static Status make(TRITONBACKEND_ModelInstance *handle, Model &model, std::unique_ptr<Instance> &instance);

  /// Answers and releases all requests. Where the model joins requests, those with equal shapes are one call; if it
  /// fails, it is repeated for each of them alone, so that one does not spoil the others.
  void execute(std::span<TRITONBACKEND_Request *const> handles);

private:
  Instance(TRITONBACKEND_ModelInstance *handle, Model &model) : handle(handle), model(model) {}
  Status read(TRITONBACKEND_Request *handle, Request &request) const;
  void run(std::span<Request *const> group);
  Status tryRun(std::span<Request *const> group, Times &times, Result &result);
  Status findCallable(const Request &request, Callable &own, Model::Sequence &sequence, const Callable *&callable);
  Status respond(std::span<Request *const> group, const Result &result,
                 std::vector<TRITONBACKEND_Response *> &responses);
  Status writeOutput(const Request &request, TRITONBACKEND_Response *response, const OutputBinding &binding,
                     const OutputTensor &output, int64_t row);
  void finish(const Request &request, TRITONBACKEND_Response *response, const Status &status, const Times &times);

  TRITONBACKEND_ModelInstance *handle;
  Model &model;
  Callable callable; ///< Of all requests, unless each has its own.
};

} // namespace tsc::triton

#endif
