//===- Backend.cpp - The functions that Triton calls ----------------------===//
#include "Instance.h"
#include <new>

using namespace tsc::triton;

/// Runs `body`, and turns its failure into an error of the server's. No exception leaves this library.
template <typename Body> static TRITONSERVER_Error *guarded(Body body) {
  try {
    return makeServerError(body());
  } catch (const std::bad_alloc &) {
    return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_UNAVAILABLE, "out of memory");
  } catch (const std::exception &exception) {
    return TRITONSERVER_ErrorNew(TRITONSERVER_ERROR_INTERNAL, exception.what());
  }
}

/// Returns what was set as the state of a handle.
template <typename State, auto get, typename Handle> static Status stateOf(Handle *handle, State *&state) {
  void *found = nullptr;
  Status failure = takeServer(get(handle, &found));
  state = static_cast<State *>(found);
  return failure;
}

static Status startBackend(TRITONBACKEND_Backend *handle) {
  uint32_t major = 0, minor = 0;
  if (Status failure = takeServer(TRITONBACKEND_ApiVersion(&major, &minor)))
    return failure;
  if (major != 1 || minor < 17) // cancelled requests and states came by then
    return Failure{TSC_UNIMPLEMENTED, "the backend tsc needs version 1.17 of the backend interface or a later 1, and "
                                      "this server has " +
                                          std::to_string(major) + "." + std::to_string(minor)};
  auto backend = std::make_unique<Backend>();
  TRITONSERVER_Message *message = nullptr;
  if (Status failure = takeServer(TRITONBACKEND_BackendConfig(handle, &message)))
    return failure;
  Json config;
  if (Status failure = readMessage(message, config))
    return failure;
  std::vector<std::string> unknown;
  if (Status failure = Settings::readCommandLine(config, backend->commandLine, unknown))
    return failure;
  for (const std::string &name : unknown) // but for those that the server itself puts there
    if (name != "auto-complete-config" && name != "backend-directory" && name != "min-compute-capability" &&
        name != "default-max-batch-size" && name != "version")
      log(TRITONSERVER_LOG_WARN, "--backend-config=tsc," + name + " is no setting of this backend");
  backend->metrics.start();
  if (Status failure = takeServer(TRITONBACKEND_BackendSetState(handle, backend.get())))
    return failure;
  backend.release(); // the handle has it, until it is finalized
  log(TRITONSERVER_LOG_INFO, std::string("version ") + tsc_version());
  return std::nullopt;
}

#define TSC_TRITON_EXPORT extern "C" __attribute__((visibility("default")))

TSC_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_Initialize(TRITONBACKEND_Backend *handle) {
  return guarded([&] { return startBackend(handle); });
}

TSC_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_Finalize(TRITONBACKEND_Backend *handle) {
  return guarded([&]() -> Status {
    Backend *backend = nullptr;
    Status failure = stateOf<Backend, TRITONBACKEND_BackendState>(handle, backend);
    delete backend;
    return failure;
  });
}

TSC_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_GetBackendAttribute(TRITONBACKEND_Backend *,
                                                                        TRITONBACKEND_BackendAttribute *attribute) {
  return guarded([&] {
    return takeServer(TRITONBACKEND_BackendAttributeAddPreferredInstanceGroup(
        attribute, TRITONSERVER_INSTANCEGROUPKIND_CPU, 0, nullptr, 0));
  });
}

TSC_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelInitialize(TRITONBACKEND_Model *handle) {
  return guarded([&]() -> Status {
    TRITONBACKEND_Backend *backendHandle = nullptr;
    Backend *backend = nullptr;
    if (Status failure = takeServer(TRITONBACKEND_ModelBackend(handle, &backendHandle)))
      return failure;
    if (Status failure = stateOf<Backend, TRITONBACKEND_BackendState>(backendHandle, backend))
      return failure;
    std::unique_ptr<Model> model;
    if (Status failure = Model::load(handle, *backend, model))
      return failure;
    if (Status failure = takeServer(TRITONBACKEND_ModelSetState(handle, model.get())))
      return failure;
    model.release(); // the handle has it, until it is finalized
    return std::nullopt;
  });
}

TSC_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelFinalize(TRITONBACKEND_Model *handle) {
  return guarded([&]() -> Status {
    Model *model = nullptr;
    Status failure = stateOf<Model, TRITONBACKEND_ModelState>(handle, model);
    delete model;
    tsc_release_free_memory();
    return failure;
  });
}

TSC_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelInstanceInitialize(TRITONBACKEND_ModelInstance *handle) {
  return guarded([&]() -> Status {
    TRITONBACKEND_Model *modelHandle = nullptr;
    Model *model = nullptr;
    if (Status failure = takeServer(TRITONBACKEND_ModelInstanceModel(handle, &modelHandle)))
      return failure;
    if (Status failure = stateOf<Model, TRITONBACKEND_ModelState>(modelHandle, model))
      return failure;
    std::unique_ptr<Instance> instance;
    if (Status failure = Instance::make(handle, *model, instance))
      return failure;
    if (Status failure = takeServer(TRITONBACKEND_ModelInstanceSetState(handle, instance.get())))
      return failure;
    instance.release(); // the handle has it, until it is finalized
    return std::nullopt;
  });
}

TSC_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelInstanceFinalize(TRITONBACKEND_ModelInstance *handle) {
  return guarded([&]() -> Status {
    Instance *instance = nullptr;
    Status failure = stateOf<Instance, TRITONBACKEND_ModelInstanceState>(handle, instance);
    delete instance;
    return failure;
  });
}

TSC_TRITON_EXPORT TRITONSERVER_Error *TRITONBACKEND_ModelInstanceExecute(TRITONBACKEND_ModelInstance *handle,
                                                                         TRITONBACKEND_Request **requests,
                                                                         const uint32_t count) {
  return guarded([&]() -> Status {
    Instance *instance = nullptr;
    if (Status failure = stateOf<Instance, TRITONBACKEND_ModelInstanceState>(handle, instance))
      return failure;
    instance->execute({requests, count});
    return std::nullopt;
  });
}
