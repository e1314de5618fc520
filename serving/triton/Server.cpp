//===- Server.cpp - Errors, logs and metrics of the server ----------------===//
#include "Server.h"

namespace tsc::triton {

static TRITONSERVER_Error_Code serverCode(tsc_code code) {
  switch (code) {
  case TSC_CANCELLED: return TRITONSERVER_ERROR_CANCELLED;
  case TSC_NOT_FOUND: return TRITONSERVER_ERROR_NOT_FOUND;
  case TSC_INVALID_ARGUMENT:
  case TSC_PERMISSION_DENIED:
  case TSC_ABORTED:
  case TSC_OUT_OF_RANGE:
  case TSC_DATA_LOSS: return TRITONSERVER_ERROR_INVALID_ARG;
  case TSC_RESOURCE_EXHAUSTED:
  case TSC_FAILED_PRECONDITION: return TRITONSERVER_ERROR_UNAVAILABLE;
  case TSC_UNIMPLEMENTED: return TRITONSERVER_ERROR_UNSUPPORTED;
  default: return TRITONSERVER_ERROR_INTERNAL;
  }
}

Status takeServer(TRITONSERVER_Error *error) {
  if (!error)
    return std::nullopt;
  tsc_code code = TSC_INTERNAL;
  switch (TRITONSERVER_ErrorCode(error)) {
  case TRITONSERVER_ERROR_NOT_FOUND: code = TSC_NOT_FOUND; break;
  case TRITONSERVER_ERROR_INVALID_ARG: code = TSC_INVALID_ARGUMENT; break;
  case TRITONSERVER_ERROR_UNAVAILABLE: code = TSC_RESOURCE_EXHAUSTED; break;
  case TRITONSERVER_ERROR_UNSUPPORTED: code = TSC_UNIMPLEMENTED; break;
  case TRITONSERVER_ERROR_CANCELLED: code = TSC_CANCELLED; break;
  default: break;
  }
  Failure failure{code, TRITONSERVER_ErrorMessage(error)};
  TRITONSERVER_ErrorDelete(error);
  return failure;
}

TRITONSERVER_Error *makeServerError(const Status &status) {
  return status ? TRITONSERVER_ErrorNew(serverCode(status->code), status->message.c_str()) : nullptr;
}

void log(TRITONSERVER_LogLevel level, const std::string &text) {
  if (TRITONSERVER_Error *error = TRITONSERVER_LogMessage(level, __FILE__, __LINE__, ("tsc: " + text).c_str()))
    TRITONSERVER_ErrorDelete(error);
}

void logFailure(TRITONSERVER_Error *error, const char *what) {
  if (Status failure = takeServer(error))
    log(TRITONSERVER_LOG_ERROR, std::string(what) + ": " + failure->message);
}

Status readMessage(TRITONSERVER_Message *message, Json &json) {
  const char *text = nullptr;
  size_t size = 0;
  if (Status failure = takeServer(TRITONSERVER_MessageSerializeToJson(message, &text, &size)))
    return failure;
  return Json::parse({text, size}, json);
}

/// Deletes an error: a server without metrics has them all.
static bool isMade(TRITONSERVER_Error *error) {
  if (error)
    TRITONSERVER_ErrorDelete(error);
  return !error;
}

void Metrics::start() {
  static constexpr const char *names[NumCounters][2] = {
      {"tsc_calls_total", "Calls of programs; fewer than requests where requests are batched"},
      {"tsc_quota_exceeded_total", "Requests that ended because a quota or memory was used up"},
      {"tsc_cancelled_total", "Requests that were cancelled before or while their call ran"}};
  for (int i = 0; i != NumCounters; ++i)
    if (!isMade(TRITONSERVER_MetricFamilyNew(&counters[i], TRITONSERVER_METRIC_KIND_COUNTER, names[i][0], names[i][1])))
      counters[i] = nullptr;
  if (!isMade(TRITONSERVER_MetricFamilyNew(&sequences, TRITONSERVER_METRIC_KIND_GAUGE, "tsc_sequences",
                                           "Sequences whose state is kept")))
    sequences = nullptr;
}

Metrics::~Metrics() {
  for (TRITONSERVER_MetricFamily *family : {counters[Calls], counters[Quota], counters[Cancelled], sequences})
    if (family)
      logFailure(TRITONSERVER_MetricFamilyDelete(family), "deleting metrics");
}

void Metrics::OfModel::start(const Metrics &metrics, const std::string &model, const std::string &version) {
  const TRITONSERVER_Parameter *labels[] = {
      TRITONSERVER_ParameterNew("model", TRITONSERVER_PARAMETER_STRING, model.c_str()),
      TRITONSERVER_ParameterNew("version", TRITONSERVER_PARAMETER_STRING, version.c_str())};
  auto add = [&](TRITONSERVER_MetricFamily *family, TRITONSERVER_Metric *&metric) {
    if (family && labels[0] && labels[1] && !isMade(TRITONSERVER_MetricNew(&metric, family, labels, 2)))
      metric = nullptr;
  };
  for (int i = 0; i != NumCounters; ++i)
    add(metrics.counters[i], counters[i]);
  add(metrics.sequences, sequences);
  for (const TRITONSERVER_Parameter *label : labels)
    if (label)
      TRITONSERVER_ParameterDelete(const_cast<TRITONSERVER_Parameter *>(label));
}

Metrics::OfModel::~OfModel() {
  for (TRITONSERVER_Metric *metric : {counters[Calls], counters[Quota], counters[Cancelled], sequences})
    if (metric)
      logFailure(TRITONSERVER_MetricDelete(metric), "deleting metrics");
}

void Metrics::OfModel::count(Counter counter) {
  if (counters[counter])
    isMade(TRITONSERVER_MetricIncrement(counters[counter], 1));
}

void Metrics::OfModel::setSequences(size_t count) {
  if (sequences)
    isMade(TRITONSERVER_MetricSet(sequences, static_cast<double>(count)));
}

} // namespace tsc::triton
