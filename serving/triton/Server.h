//===- Server.h - Errors, logs and metrics of the server ------------------===//
#ifndef TSC_SERVING_TRITON_SERVER_H
#define TSC_SERVING_TRITON_SERVER_H

#include "Failure.h"
#include "Json.h"
#include "TritonInterface.h"

namespace tsc::triton {

/// Takes an error of the server's, which may be null, and deletes it.
Status takeServer(TRITONSERVER_Error *error);
/// Makes an error of the server's, which the caller owns; null of none.
TRITONSERVER_Error *makeServerError(const Status &status);
/// Writes a line to the server's log.
void log(TRITONSERVER_LogLevel level, const std::string &text);
/// Logs a failure of a function that the caller can do nothing about.
void logFailure(TRITONSERVER_Error *error, const char *what);
/// Reads a message. It stays the caller's.
Status readMessage(TRITONSERVER_Message *message, Json &json);

/// What is counted for all models: https://prometheus.io names, with labels `model` and `version`.
class Metrics {
public:
  ~Metrics();
  /// Makes the families; without effect where the server has no metrics.
  void start();

  enum Counter { Calls, Quota, Cancelled, NumCounters };
  /// The counters of one model.
  class OfModel {
  public:
    ~OfModel();
    void start(const Metrics &metrics, const std::string &model, const std::string &version);
    void count(Counter counter);
    void setSequences(size_t count);

  private:
    TRITONSERVER_Metric *counters[NumCounters] = {};
    TRITONSERVER_Metric *sequences = nullptr;
  };

private:
  TRITONSERVER_MetricFamily *counters[NumCounters] = {};
  TRITONSERVER_MetricFamily *sequences = nullptr;
};

} // namespace tsc::triton

#endif
