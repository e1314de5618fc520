//===- HandKernels.cpp - What kernels that are written by hand share ------===//
#include "HandKernels.h"
#include "tsc/KernelsCUDA/LaunchParams.h"
#include "tsc/KernelsCUDA/Prelude.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/Quantizer.h"
#include <bit>

using namespace tsc;
using namespace tsc::fuser;

/// Numbers: the rank, sizes, strides, whether the dense side is written. Dimensions are innermost first.
static constexpr char walkText[] = R"(
extern "C" __global__ void __launch_bounds__(256) @NAME@(@PARAMS@) {
  const int rank = (int)p.number[0];
  const bool gathers = p.number[17] != 0;
  for (unsigned i = 256 * blockIdx.x + threadIdx.x; i < (unsigned)p.count; i += 256 * gridDim.x) {
    unsigned rest = i;
    long long at = 0;
#pragma unroll 1
    for (int d = 0; d < rank; ++d) {
      const unsigned size = (unsigned)p.number[1 + d], next = rest / size;
      at += (long long)(rest - next * size) * (long long)p.number[9 + d];
      rest = next;
    }
    if (gathers)
      ((@ITEM@ *)p.at[1])[i] = ((const @ITEM@ *)p.at[0])[at];
    else
      ((@ITEM@ *)p.at[1])[at] = ((const @ITEM@ *)p.at[0])[i];
  }
}
)";

static std::string sourceOf(const std::string &name, llvm::StringRef text, HandKernels::Marks marks,
                            const HandLaunch &launch) {
  std::string made = text.str();
  auto replace = [&](llvm::StringRef mark, llvm::StringRef by) {
    for (size_t at = made.find(mark); at != std::string::npos; at = made.find(mark, at + by.size()))
      made.replace(at, mark.size(), by);
  };
  for (const auto &[mark, by] : marks)
    replace(mark, by);
  replace("@NAME@", name);
  replace("@PARAMS@", "const __grid_constant__ tsc_params<" + std::to_string(launch.operands.size()) + ", 1, " +
                          std::to_string(std::max<size_t>(launch.numbers.size(), 1)) + "> p");
  return made;
}

Status HandKernels::launchOn(CuFunction function, const HandLaunch &launch) {
  ParamsLayout layout(static_cast<unsigned>(launch.operands.size()), 1, static_cast<unsigned>(launch.numbers.size()));
  std::vector<uint64_t> params(layout.words(), 0);
  for (unsigned k = 0; k != launch.operands.size(); ++k)
    params[layout.at(k)] = reinterpret_cast<uintptr_t>(launch.operands[k]);
  for (unsigned i = 0; i != launch.numbers.size(); ++i)
    params[layout.number(i)] = launch.numbers[i];
  params[layout.scalar(ParamsLayout::Count)] = static_cast<uint64_t>(launch.work);
  constexpr int64_t threads = 256, blocksOfMultiprocessor = 8;
  const int64_t wanted = launch.isOfBlocks ? launch.work : (launch.work + threads - 1) / threads;
  const int64_t blocks = std::clamp<int64_t>(wanted, 1, int64_t{context.multiprocessors()} * blocksOfMultiprocessor);
  return context.launch({function, static_cast<unsigned>(blocks), static_cast<unsigned>(threads), params});
}

Status HandKernels::run(const std::string &name, llvm::StringRef text, Marks marks, const HandLaunch &launch) {
  TSC_ASSIGN_OR_RETURN(CuFunction function, programs.find(name, [&] { return sourceOf(name, text, marks, launch); }));
  return launchOn(function, launch);
}

StatusOr<bool> HandKernels::runWithHeaders(const std::string &name, llvm::StringRef text, Marks marks,
                                           const HandLaunch &launch) {
  if (headers.empty())
    return false;
  TSC_ASSIGN_OR_RETURN(CuFunction function,
                       programs.findIfCompiles(name, [&] { return sourceOf(name, text, marks, launch); }, headers));
  if (!function)
    return false;
  TSC_RETURN_IF_ERROR(launchOn(function, launch));
  return true;
}

bool HandKernels::isTaken(const Tensor &tensor) const {
  return tensor.defined() && tensor.get()->storage && tensor.device() == memory.device() && tensor.numel() != 0 &&
         tensor.numel() <= INT32_MAX >> 1 && tensor.dim() <= 8 && !tensor.get()->negative &&
         tensor.dtype() != DType::Opaque && !isComplex(tensor.dtype()) && !isQuantized(tensor.dtype());
}

Status HandKernels::walk(const Tensor &strided, const void *from, const void *to, bool gathers) {
  HandLaunch launch{{from, to}, {}, strided.numel(), false};
  launch.numbers.assign(18, 0);
  uint64_t rank = 0;
  int64_t continues = -1; // the stride with which a dimension is a part of the last one
  for (int64_t d = strided.dim(); d-- != 0;) {
    const int64_t size = strided.size(d), stride = strided.stride(d);
    if (size == 1)
      continue;
    if (rank != 0 && stride == continues) {
      launch.numbers[rank] *= static_cast<uint64_t>(size);
    } else {
      launch.numbers[1 + rank] = static_cast<uint64_t>(size), launch.numbers[9 + rank] = static_cast<uint64_t>(stride);
      ++rank;
    }
    continues = stride * size;
  }
  launch.numbers[0] = rank, launch.numbers[17] = gathers;
  const std::string item = wordType(strided.dtype()).str();
  return run("tsc_walk_" + std::to_string(itemSize(strided.dtype())), walkText, {{"@ITEM@", item}}, launch);
}

StatusOr<Tensor> HandKernels::dense(const Tensor &tensor, bool mustCopy) {
  if (tensor.isContiguous() && !mustCopy)
    return tensor;
  TSC_ASSIGN_OR_RETURN(Tensor made, empty(tensor.sizes(), tensor.dtype()));
  if (tensor.isContiguous()) {
    TSC_RETURN_IF_ERROR(context.copy(reinterpret_cast<uintptr_t>(made.data()),
                                     reinterpret_cast<uintptr_t>(tensor.data()),
                                     static_cast<size_t>(tensor.numel()) * itemSize(tensor.dtype())));
    return made;
  }
  TSC_RETURN_IF_ERROR(walk(tensor, tensor.data(), made.mutableData(), /*gathers=*/true));
  return made;
}

Status HandKernels::spread(const Tensor &from, const Tensor &to) {
  return walk(to, from.data(), to.mutableData(), /*gathers=*/false);
}

StatusOr<Tensor> HandKernels::arranged(const Tensor &tensor, ArrayRef<int64_t> strides) {
  TSC_ASSIGN_OR_RETURN(Tensor made, Tensor::emptyStrided(tensor.sizes(), strides, tensor.dtype(), memory));
  TSC_RETURN_IF_ERROR(spread(tensor, made));
  return made;
}

StatusOr<Tensor> HandKernels::here(const Tensor &tensor) const {
  return tensor.device() == memory.device() ? StatusOr<Tensor>(tensor) : copyTensor(tensor, memory);
}

StatusOr<Tensor> HandKernels::makeFlag() {
  TSC_ASSIGN_OR_RETURN(Tensor flag, empty({1}, DType::Int32));
  const int unset = 0;
  TSC_RETURN_IF_ERROR(context.copyToDevice(reinterpret_cast<uintptr_t>(flag.data()), &unset, sizeof unset));
  return flag;
}

StatusOr<bool> HandKernels::isSet(const Tensor &flag) {
  TSC_ASSIGN_OR_RETURN(const int value, numberAt(flag, 0));
  return value != 0;
}

StatusOr<int> HandKernels::numberAt(const Tensor &numbers, int64_t at) {
  int value = 0;
  const auto address = reinterpret_cast<uintptr_t>(numbers.data()) + static_cast<uintptr_t>(at) * sizeof value;
  TSC_RETURN_IF_ERROR(context.copyToHost(&value, address, sizeof value));
  return value;
}

llvm::StringRef fuser::wordType(DType dtype) {
  switch (itemSize(dtype)) {
  case 1: return "unsigned char";
  case 2: return "unsigned short";
  case 4: return "unsigned";
  default: return "tsc_word";
  }
}

std::vector<std::pair<llvm::StringRef, std::string>> fuser::elementMarks(DType dtype) {
  std::string stored = storedType(dtype).str(), real = "long long", load = "(long long)", store = "(" + stored + ")",
              number = "(long long)";
  if (dtype == DType::Bool) {
    store = "(unsigned char)(bool)";
  } else if (dtype == DType::Half || dtype == DType::BFloat16) {
    const std::string kind = dtype == DType::Half ? "half" : "bfloat16";
    real = "float", load = "tsc_from_" + kind, store = "tsc_to_" + kind;
  } else if (dtype == DType::Float || dtype == DType::Double) {
    real = stored, load = store = "";
  }
  if (real != "long long")
    number = "(" + real + ")tsc_number_double";
  return {{"@STORED@", stored}, {"@REAL@", real}, {"@LOAD@", load}, {"@STORE@", store}, {"@NUMBER@", number}};
}

uint64_t fuser::numberFor(const Scalar &value, DType dtype) {
  return isFloating(dtype) ? std::bit_cast<uint64_t>(value.toDouble()) : static_cast<uint64_t>(value.toInt());
}
