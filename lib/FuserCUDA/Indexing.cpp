//===- Indexing.cpp - Elements by indices, on a GPU -----------------------===//
//
// Elements of a row-major tensor are (outer, place along the dimension, inner). A thread
// takes an element of the result, all threads apart, and copies what its index names.
//
//===----------------------------------------------------------------------===//
#include "Indexing.h"
#include "CudaDevice.h"
#include "Workspace.h"
#include "tsc/Tensor/Quantizer.h"
#include "llvm/ADT/STLExtras.h"

using namespace tsc;
using namespace tsc::fuser;

/// TSC_NAME, TSC_ITEM and TSC_INDEX stand for what a kernel is made for.
static constexpr char selectText[] = R"(
extern "C" __global__ void __launch_bounds__(256) TSC_NAME(const __grid_constant__ tsc_params<4, 1, 5> p) {
  const unsigned inner = (unsigned)p.number[0], along = (unsigned)p.number[1], count = (unsigned)p.count;
  const long long size = (long long)p.number[2];
  const bool isPerElement = p.number[3] != 0, mayBeNegative = p.number[4] != 0;
  for (unsigned i = 256 * blockIdx.x + threadIdx.x; i < count; i += 256 * gridDim.x) {
    const unsigned rest = i / inner, outer = rest / along;
    long long place = ((const TSC_INDEX *)p.at[2])[isPerElement ? i : rest - outer * along];
    place += mayBeNegative && place < 0 ? size : 0;
    if (place < 0 || place >= size)
      *(int *)p.at[3] = 1;
    else
      ((TSC_ITEM *)p.at[0])[i] = ((const TSC_ITEM *)p.at[1])[(outer * size + place) * inner + (i - rest * inner)];
  }
}
)";

std::optional<Selection> fuser::selectionOf(OpKind op, llvm::ArrayRef<const IValue *> args) {
  if (!args[0]->isTensor() || !args[0]->asTensor().defined())
    return std::nullopt;
  Selection made{args[0]->asTensor(), Tensor(), 0, {}, false, false};
  switch (op) {
  case OpKind::Aten_index_select:
  case OpKind::Aten_gather: made.dim = args[1]->toInt(), made.index = args[2]->asTensor(); break;
  case OpKind::Aten_embedding: made.index = args[1]->asTensor(); break;
  case OpKind::Aten_index_Tensor: {
    unsigned number = 0;
    auto add = [&](const Tensor &tensor) {
      if (tensor.defined() && !made.index.defined())
        made.dim = number, made.index = tensor;
      else if (tensor.defined())
        made.dim = -1; // several
      ++number;
    };
    if (args[1]->isTensorList()) {
      llvm::for_each(args[1]->toTensorList().elements, add);
    } else {
      for (const IValue &element : args[1]->toGenericList().elements)
        add(element.isTensor() ? element.asTensor() : Tensor());
    }
    if (made.dim < 0)
      return std::nullopt;
    made.mayBeNegative = true;
    break;
  }
  default: return std::nullopt;
  }
  const int64_t rank = made.self.dim();
  made.dim += made.dim < 0 ? rank : 0;
  if (!made.index.defined() || made.dim < 0 || made.dim >= rank || (op == OpKind::Aten_embedding && rank != 2) ||
      (op == OpKind::Aten_index_select && made.index.dim() > 1))
    return std::nullopt;
  const ArrayRef<int64_t> self = made.self.sizes(), index = made.index.sizes();
  if (op == OpKind::Aten_gather) {
    made.isPerElement = true;
    made.sizes.assign(index.begin(), index.end());
    for (int64_t d = 0; d != rank; ++d)
      if (made.index.dim() != rank || (d != made.dim && made.index.size(d) != made.self.size(d)))
        return std::nullopt;
    return made;
  }
  made.sizes.assign(self.begin(), self.begin() + made.dim);
  if (op == OpKind::Aten_index_select)
    made.sizes.push_back(made.index.numel());
  else
    made.sizes.append(index.begin(), index.end());
  made.sizes.append(self.begin() + made.dim + 1, self.end());
  return made;
}

bool Indexing::isTaken(const Tensor &tensor) const {
  return tensor.get()->storage && tensor.device() == memory.device() && tensor.isContiguous() && tensor.numel() != 0 &&
         !tensor.get()->negative && tensor.dtype() != DType::Opaque && !isComplex(tensor.dtype()) &&
         !isQuantized(tensor.dtype());
}

StatusOr<bool> Indexing::select(const Selection &selection, IValue &result) {
  const Tensor &self = selection.self, &index = selection.index;
  if (!isTaken(self) || !isTaken(index) || (index.dtype() != DType::Int64 && index.dtype() != DType::Int32))
    return false;
  int64_t count = 1, inner = 1;
  for (int64_t size : selection.sizes) {
    if (count > (INT32_MAX >> 1) / std::max<int64_t>(size, 1))
      return false;
    count *= size;
  }
  for (int64_t d = selection.dim + 1; d != self.dim(); ++d)
    inner *= self.size(d);
  TSC_ASSIGN_OR_RETURN(Tensor out, Tensor::empty(selection.sizes, self.dtype(), memory));

  const unsigned bytes = static_cast<unsigned>(itemSize(self.dtype()));
  const bool isWide = index.dtype() == DType::Int64;
  const std::string name = "tsc_select_" + std::to_string(bytes) + (isWide ? "_wide" : "");
  TSC_ASSIGN_OR_RETURN(CuFunction function, programs.find(name, [&] {
    const char *item = bytes == 1   ? "unsigned char"
                       : bytes == 2 ? "unsigned short"
                       : bytes == 4 ? "unsigned"
                                    : "tsc_word";
    std::string text = selectText;
    for (auto [mark, by] : {std::pair<llvm::StringRef, llvm::StringRef>{"TSC_NAME", name},
                            {"TSC_ITEM", item},
                            {"TSC_INDEX", isWide ? "long long" : "int"}})
      for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at))
        text.replace(at, mark.size(), by);
    return text;
  }));

  Workspace flag(memory);
  TSC_RETURN_IF_ERROR(flag.allocate(sizeof(int), "an operator that indexes"));
  const auto flagAddress = reinterpret_cast<uintptr_t>(flag.data());
  int isOutside = 0;
  TSC_RETURN_IF_ERROR(context.copyToDevice(flagAddress, &isOutside, sizeof isOutside));
  ParamsLayout layout(4, 1, 5);
  std::vector<uint64_t> params(layout.words(), 0);
  auto addressOf = [](const Tensor &tensor) { return reinterpret_cast<uintptr_t>(tensor.data()); };
  params[layout.at(0)] = reinterpret_cast<uintptr_t>(out.mutableData());
  params[layout.at(1)] = addressOf(self);
  params[layout.at(2)] = addressOf(index);
  params[layout.at(3)] = flagAddress;
  params[layout.number(0)] = static_cast<uint64_t>(inner);
  params[layout.number(1)] = static_cast<uint64_t>(selection.isPerElement ? index.size(selection.dim) : index.numel());
  params[layout.number(2)] = static_cast<uint64_t>(self.size(selection.dim));
  params[layout.number(3)] = selection.isPerElement;
  params[layout.number(4)] = selection.mayBeNegative;
  params[layout.scalar(ParamsLayout::Count)] = static_cast<uint64_t>(count);
  constexpr int64_t threads = 256, blocksOfMultiprocessor = 8;
  const int64_t blocks = std::clamp<int64_t>((count + threads - 1) / threads, 1,
                                             int64_t{context.multiprocessors()} * blocksOfMultiprocessor);
  TSC_RETURN_IF_ERROR(
      context.launch({function, static_cast<unsigned>(blocks), static_cast<unsigned>(threads), params.data()}));
  TSC_RETURN_IF_ERROR(context.copyToHost(&isOutside, flagAddress, sizeof isOutside));
  if (isOutside)
    return false;
  result = IValue(std::move(out));
  return true;
}
