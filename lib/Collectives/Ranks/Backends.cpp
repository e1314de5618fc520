//===- Backends.cpp - What exchanges the tensors of a program -------------===//
#include "Backends.h"

using namespace tsc;
using namespace tsc::ranks;
using llvm::StringRef;

StatusOr<Backends> ranks::backendsOf(StringRef name) {
  using OnDevice = Backends::OnDevice;
  if (name == "mpi")
    return Backends{};
  if (name == "nccl")
    return Backends{false, OnDevice::Required};
  const Status unknown =
      invalidArgument("the backend '" + name +
                      "' is none here: there are \"mpi\" and \"nccl\", or one for each device, as in "
                      "\"cpu:mpi,cuda:nccl\"");
  Backends asked{false, OnDevice::Preferred};
  bool hasDevice = false;
  for (StringRef rest = name; !rest.empty();) {
    StringRef one;
    std::tie(one, rest) = rest.split(',');
    if (one == "cpu:mpi") {
      asked.takesHost = true;
    } else if (one == "cuda:nccl" || one == "cuda:mpi") {
      asked.onDevice = one == "cuda:nccl" ? OnDevice::Required : OnDevice::Never;
      hasDevice = true;
    } else {
      return unknown;
    }
  }
  if (!hasDevice && !asked.takesHost)
    return unknown;
  return asked;
}
