//===- ValueFiles.cpp - Values in files of torch.save ---------------------===//
#include "Eager.h"
#include "tsc/Serialization/ValueFile.h"

using namespace tsc;
using namespace tsc::capi;

tsc_error *tsc_value_save(const tsc_value *value, tsc_write write, void *user) {
  return guarded([&]() -> Status {
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    if (!write)
      return nullArgument("write");
    StatusOr<std::string> bytes = std::string();
    auto save = [&] { bytes = saveValue(value->value); };
    if (value->owner)
      TSC_RETURN_IF_ERROR(value->owner->program.readState(save));
    else
      save();
    TSC_RETURN_IF_ERROR(bytes.status());
    write(user, bytes->data(), bytes->size());
    return okStatus();
  });
}

tsc_error *tsc_value_load(const void *data, size_t size, tsc_release release, void *user, tsc_value **value) {
  return guarded([&]() -> Status {
    StatusOr<Bytes> bytes = bytesOf(data, size, release, user); // first: it releases what fails
    TSC_RETURN_IF_ERROR(checkNotNull({{value, "value"}}));
    *value = nullptr;
    TSC_RETURN_IF_ERROR(bytes.status());
    TSC_ASSIGN_OR_RETURN(IValue loaded, loadValue(eagerContext(), *std::move(bytes)));
    *value = newValue(std::move(loaded), nullptr);
    return okStatus();
  });
}
