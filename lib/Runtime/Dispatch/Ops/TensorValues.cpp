//===- TensorValues.cpp - Between tensors and other values ----------------===//
#include "tsc/IR/IValue.h"
#include "tsc/Kernels/Copy.h"
#include "tsc/Kernels/MatMul.h"
#include "tsc/Kernels/Views.h"
#include "tsc/Runtime/Dispatch/CallContext.h"
#include "tsc/Runtime/Dispatch/Ops/Prims.h"
#include "tsc/Runtime/Dispatch/Ops/Scalars.h"
#include "tsc/Runtime/Dispatch/Unboxing.h"
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/Opaque.h"
#include "tsc/Tensor/Quantizer.h"
#include "tsc/Tensor/TensorHistory.h"
#include "llvm/ADT/STLExtras.h"
using namespace tsc;

StatusOr<bool> ops::tensorToBool(const Tensor &a) {
  if (a.numel() != 1)
    return invalidArgument("Boolean value of Tensor with " +
                           llvm::Twine(a.numel() ? "more than one value" : "no values") + " is ambiguous");
  TSC_ASSIGN_OR_RETURN(Scalar value, a.item());
  return value.toBool();
}
static bool hasImaginaryPart(const Scalar &value) { return value.isComplex() && value.toComplex().imag() != 0; }

StatusOr<int64_t> ops::tensorToInt(const Tensor &a) {
  TSC_ASSIGN_OR_RETURN(Scalar value, a.item());
  if (!value.isIntegral() && (hasImaginaryPart(value) || !python::fitsInt(value.toDouble())))
    return invalidArgument("value cannot be converted to type int64_t without overflow");
  return value.toInt();
}
StatusOr<double> ops::tensorToFloat(const Tensor &a) {
  TSC_ASSIGN_OR_RETURN(Scalar value, a.item());
  if (hasImaginaryPart(value))
    return invalidArgument("value cannot be converted to type double without overflow");
  return value.toDouble();
}
StatusOr<std::complex<double>> ops::tensorsToComplex(const Tensor &a, const Tensor &b) {
  TSC_ASSIGN_OR_RETURN(double real, tensorToFloat(a));
  TSC_ASSIGN_OR_RETURN(double imaginary, tensorToFloat(b));
  return std::complex<double>(real, imaginary);
}

/// A number, or a tensor of one element, as a double.
static StatusOr<double> realPart(const IValue &value) {
  if (value.isTensor())
    return ops::tensorToFloat(value.asTensor());
  return value.toScalar().toDouble();
}
Status ops::complexFromParts(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(double real, realPart(*args[0]));
  TSC_ASSIGN_OR_RETURN(double imaginary, realPart(*args[1]));
  results[0] = std::complex<double>(real, imaginary);
  return okStatus();
}

static Status checkImplicit(const Tensor &a, const char *kind) {
  if (a.requiresGrad())
    return invalidArgument("Cannot input a tensor that requires grad as a scalar argument");
  if (a.dim() != 0)
    return invalidArgument("Cannot input a tensor of dimension other than 0 as a scalar argument");
  if (isFloating(a.dtype()) && llvm::StringRef(kind) == "int")
    return invalidArgument("Cannot input a tensor of type " + irName(a.dtype()) + " as an integral argument");
  return okStatus();
}
StatusOr<int64_t> ops::implicitInt(const Tensor &a) {
  TSC_RETURN_IF_ERROR(checkImplicit(a, "int"));
  return tensorToInt(a);
}
StatusOr<double> ops::implicitFloat(const Tensor &a) {
  TSC_RETURN_IF_ERROR(checkImplicit(a, "float"));
  return tensorToFloat(a);
}
StatusOr<std::complex<double>> ops::implicitComplex(const Tensor &a) {
  TSC_RETURN_IF_ERROR(checkImplicit(a, "complex"));
  TSC_ASSIGN_OR_RETURN(Scalar value, a.item());
  return value.toComplex();
}
StatusOr<Scalar> ops::implicitScalar(const Tensor &a) {
  TSC_RETURN_IF_ERROR(checkImplicit(a, "number"));
  return a.item();
}
StatusOr<Tensor> ops::numberToTensor(const Scalar &a) {
  // A float number becomes a double tensor here: prim::NumToTensor keeps the number's own precision.
  return Tensor::scalar(a, a.isFloating()  ? DType::Double
                           : a.isComplex() ? DType::ComplexDouble
                           : a.isBool()    ? DType::Bool
                                           : DType::Int64);
}
StatusOr<Tensor> ops::asTensor(const Tensor &data, std::optional<DType> dtype, std::optional<Device>) {
  return dtype ? cpu::toDType(data, *dtype) : data;
}
StatusOr<std::vector<int64_t>> ops::tensorToList(const Tensor &self) {
  std::vector<int64_t> list;
  work::LongLoop turns(16);
  for (int64_t i = 0; i != self.numel(); ++i) {
    if (!turns.goOn())
      return work::stopped();
    list.push_back(self.at(i).toInt());
  }
  return list;
}

/// The element type of a nested list, and how deep it is nested.
static std::pair<const Type *, int64_t> elementOfNested(const Type *type) {
  int64_t depth = 0;
  for (; type->kind() == TypeKind::List; type = type->contained()[0])
    ++depth;
  return {type, depth};
}
static bool holdsElements(DType dtype, TypeKind element) {
  switch (element) {
  case TypeKind::Int: return dtype == DType::Int64;
  case TypeKind::Float: return dtype == DType::Float || dtype == DType::Double;
  case TypeKind::Bool: return dtype == DType::Bool;
  case TypeKind::Complex: return isComplex(dtype);
  default: return false;
  }
}
/// The elements from number `next` on, as a list of `type` whose sizes are those of the tensor from `dim` on.
static IValue nestedElements(const Tensor &self, const Type *type, int64_t dim, int64_t &next) {
  if (type->kind() != TypeKind::List)
    return IValue(self.at(next++));
  IValue list = makeList(type->contained()[0], self.size(dim));
  work::LongLoop turns(16);
  for (int64_t i = 0; i != self.size(dim) && turns.goOn(); ++i)
    appendToList(list, nestedElements(self, type->contained()[0], dim + 1, next));
  return list;
}
Status ops::nestedList(CallContext &context, const IValue *const *args, IValue *results) {
  const Type *type = context.site ? context.site->resultType : nullptr;
  const Tensor &self = args[0]->asTensor();
  if (!type || !self.defined())
    return invalidArgument("tolist() of what is no tensor");
  auto [element, depth] = elementOfNested(type);
  if (depth != self.dim())
    return invalidArgument("Output annotation list dimension and runtime tensor dimension must match for tolist()");
  if (!holdsElements(self.dtype(), element->kind()))
    return invalidArgument("Output annotation element type and runtime tensor element type must match for tolist()");
  int64_t next = 0;
  results[0] = nestedElements(self, type, 0, next);
  return okStatus();
}

namespace {

/// Reads nested lists into a tensor: first the shape from the first element of each level, then every element.
class TensorBuilder {
public:
  Status findShape(const IValue &data) {
    const IValue *level = &data;
    IValue inner;
    while (level->isList()) {
      sizes.push_back(static_cast<int64_t>(level->listSize()));
      if (level->isTensorList() || level->listSize() == 0) {
        noteList(*level);
        return okStatus();
      }
      IValue first = level->listElement(0);
      if (!first.isList()) {
        TSC_RETURN_IF_ERROR(checkElement(first));
        noteList(*level);
        return okStatus();
      }
      inner = std::move(first);
      level = &inner;
    }
    TSC_RETURN_IF_ERROR(checkElement(*level));
    category = categoryOf(*level);
    return okStatus();
  }

  StatusOr<Tensor> build(const IValue &data, std::optional<DType> dtype) {
    TSC_RETURN_IF_ERROR(findShape(data));
    if (data.isList())
      widen(data);
    // Elements are read at full precision, then stored in the wanted dtype.
    DType wanted = dtype                              ? *dtype
                   : category == DType::Double        ? defaultDType()
                   : category == DType::ComplexDouble ? defaultComplexDType()
                                                      : category;
    TSC_ASSIGN_OR_RETURN(result, Tensor::empty(sizes, wanted));
    TSC_RETURN_IF_ERROR(fill(data, 0));
    return result;
  }

private:
  static Status checkElement(const IValue &value) {
    return value.isScalar() || value.isTensor()
               ? okStatus()
               : invalidArgument("Input must be of ints, floats, or bools, got " +
                                 llvm::Twine(value.isNone() ? "NoneType" : "another type"));
  }
  /// The widest dtype of a number's kind, which build() makes the default one of.
  static DType categoryOf(const Scalar &number) {
    return number.isFloating() ? DType::Double : number.isComplex() ? DType::ComplexDouble : number.category();
  }
  static DType categoryOf(const IValue &value) {
    return value.isTensor() ? value.asTensor().dtype() : categoryOf(value.toScalar());
  }
  void noteList(const IValue &list) {
    if (list.isIntList())
      category = DType::Int64;
    else if (list.isDoubleList())
      category = DType::Double;
    else if (list.isBoolList())
      category = DType::Bool;
    else if (list.listSize())
      category = categoryOf(list.listElement(0));
  }
  /// Of numbers of several kinds the widest counts, as in Python; PyTorch's scripts fail there.
  void widen(const IValue &data) {
    auto note = [&](DType kind) {
      auto rank = [](DType dtype) {
        return dtype == DType::Bool ? 0 : isIntegral(dtype, false) ? 1 : isComplex(dtype) ? 3 : 2;
      };
      if (rank(kind) > rank(category))
        category = kind;
    };
    if (!data.isList())
      return data.isScalar() ? note(categoryOf(data.toScalar())) : void();
    if (data.listSize() && (data.isIntList() || data.isDoubleList() || data.isBoolList()))
      return note(data.isIntList() ? DType::Int64 : data.isDoubleList() ? DType::Double : DType::Bool);
    // Lists may hold one list many times over; fill() tells of a call that is to end.
    for (size_t i = 0, n = data.listSize(); i != n && turns.goOn(); ++i)
      widen(data.listElement(i));
  }
  Status fill(const IValue &data, size_t depth) {
    if (!data.isList()) {
      if (depth != sizes.size())
        return ragged(depth, 0);
      TSC_RETURN_IF_ERROR(checkElement(data));
      Scalar element;
      if (data.isTensor()) {
        TSC_ASSIGN_OR_RETURN(element, data.asTensor().item());
      } else {
        element = data.toScalar();
      }
      result.set(next++, element);
      return okStatus();
    }
    if (depth == sizes.size() || static_cast<int64_t>(data.listSize()) != sizes[depth])
      return ragged(depth, data.listSize());
    for (size_t i = 0, n = data.listSize(); i != n; ++i) {
      if (!turns.goOn())
        return work::stopped();
      TSC_RETURN_IF_ERROR(fill(data.listElement(i), depth + 1));
    }
    return okStatus();
  }
  Status ragged(size_t depth, size_t found) const {
    return invalidArgument("Expected sequence of length " + llvm::Twine(depth < sizes.size() ? sizes[depth] : 0) +
                           " at dim " + llvm::Twine(depth) + " (got " + llvm::Twine(found) + ")");
  }
  Dims sizes;
  DType category = DType::Double;
  Tensor result;
  int64_t next = 0;
  work::LongLoop turns{16};
};

} // namespace

Status ops::makeTensor(CallContext &context, const IValue *const *args, IValue *results) {
  std::optional<DType> dtype;
  if (!args[1]->isNone()) {
    TSC_RETURN_IF_ERROR(unboxing::checkDType(*args[1]));
    dtype = unboxing::dtype(*args[1]);
  }
  TSC_ASSIGN_OR_RETURN(Tensor tensor, TensorBuilder().build(*args[0], dtype));
  if (context.site && context.site->numArgs > 3 && args[3]->toBool())
    tensor.get()->requiresGrad = true;
  results[0] = IValue(std::move(tensor));
  return okStatus();
}
Status ops::listToTensor(CallContext &, const IValue *const *args, IValue *results) {
  TSC_ASSIGN_OR_RETURN(Tensor tensor, TensorBuilder().build(*args[0], DType::Int64));
  results[0] = IValue(std::move(tensor));
  return okStatus();
}

Status ops::constantChunk(CallContext &context, const IValue *const *args, IValue *results) {
  if (!args[0]->isTensor())
    return invalidArgument("prim::ConstantChunk expects a Tensor");
  TSC_ASSIGN_OR_RETURN(std::vector<Tensor> pieces, cpu::chunk(args[0]->asTensor(), args[1]->toInt(), args[2]->toInt()));
  size_t needed = args[3]->toInt(), count = context.site->numResults;
  if (pieces.size() > count)
    return invalidArgument("Expected chunk to return " + llvm::Twine(count) + " outputs, but got " +
                           llvm::Twine(pieces.size()));
  if (pieces.size() < needed)
    return invalidArgument("Expected chunk to return at least " + llvm::Twine(needed) + " outputs, but got only " +
                           llvm::Twine(pieces.size()));
  for (size_t i = 0; i != pieces.size(); ++i)
    results[i] = IValue(std::move(pieces[i]));
  return okStatus();
}

/// The in-place form has its operands the other way round.
Status ops::polygammaInPlace(CallContext &, const IValue *const *args, IValue *results) {
  const IValue *const exchanged[] = {args[1], args[0]};
  IValue value;
  TSC_RETURN_IF_ERROR(unboxing::pointwise(PointwiseKind::Aten_polygamma, exchanged, &value));
  return unboxing::writeInPlace(value.asTensor(), args, results);
}

/// Dimension 0 … 51 as einsum's equations name it.
static StatusOr<std::string> subscripts(const IValue &dims) {
  std::string text;
  for (int64_t dim : dims.toIntList().elements) {
    if (dim < 0 || dim >= 52)
      return invalidArgument("einsum(): not within the valid range [0, 52)");
    text += static_cast<char>(dim < 26 ? 'A' + dim : 'a' + dim - 26);
  }
  return text;
}
StatusOr<std::string> ops::einsumEquation(llvm::ArrayRef<const IValue *> args, std::vector<Tensor> &operands) {
  const size_t count = args.size();
  std::string equation;
  for (size_t i = 0; i + 1 < count; i += 2) {
    if (!args[i]->isTensor() || !args[i + 1]->isIntList())
      return invalidArgument("einsum(): expected tensors and lists of dimensions in turn");
    TSC_ASSIGN_OR_RETURN(std::string dims, subscripts(*args[i + 1]));
    equation += (i ? "," : "") + dims;
    operands.push_back(args[i]->asTensor());
  }
  if (count % 2 && count > 1 && args[count - 1]->isIntList()) {
    TSC_ASSIGN_OR_RETURN(std::string dims, subscripts(*args[count - 1]));
    equation += "->" + dims;
  }
  return equation;
}
Status ops::einsumOfSublists(CallContext &context, const IValue *const *args, IValue *results) {
  std::vector<Tensor> operands;
  TSC_ASSIGN_OR_RETURN(std::string equation,
                       einsumEquation({args, context.site ? context.site->numArgs : 0}, operands));
  TSC_ASSIGN_OR_RETURN(Tensor result, cpu::einsum(equation, operands, std::nullopt));
  results[0] = IValue(std::move(result));
  return okStatus();
}

// What may be asked of a tensor.
/// Of integers of four and two bits, which are bytes here, PyTorch's numbers of quint4x2 and quint2x4.
int64_t ops::dtypeOf(const Tensor &a) {
  if (const Quantizer *quantizer = quantizerOf(a); quantizer && quantizer->bits != 8)
    return quantizer->bits == 4 ? 16 : 17;
  return static_cast<int64_t>(elementDType(a));
}
Device ops::deviceOf(const Tensor &a) { return a.device(); }
int64_t ops::layoutOf(const Tensor &a) { return static_cast<int64_t>(tsc::layoutOf(a)); }
std::vector<int64_t> ops::shapeOf(const Tensor &a) { return a.sizes().vec(); }
bool ops::requiresGradOf(const Tensor &a) { return a.requiresGrad(); }
bool ops::isNever(const Tensor &) { return false; }
bool ops::isSparse(const Tensor &a) { return tsc::layoutOf(a) == Layout::Sparse; }
bool ops::isInRows(const Tensor &a) { return tsc::layoutOf(a) == Layout::SparseCsr; }
bool ops::isNested(const Tensor &a) { return nestedOf(a) != nullptr; }
bool ops::isOfIntegers(const Tensor &a) { return isQuantized(a.dtype()); }
std::optional<std::string> ops::noName(const Tensor &) { return std::nullopt; }
Tensor ops::gradOf(const Tensor &a) {
  const TensorHistory *history = tensorHistoryOf(a);
  return history ? history->gradient() : Tensor();
}
StatusOr<Tensor> ops::dataOf(const Tensor &a) {
  Tensor data = a.alias(a.sizes(), a.strides(), a.storageOffset());
  data.get()->requiresGrad = false;
  return data;
}
bool ops::isLeaf(const Tensor &a) {
  const TensorHistory *history = tensorHistoryOf(a);
  return !history || history->isLeaf(a);
}
bool ops::retainsGradient(const Tensor &a) {
  const TensorHistory *history = tensorHistoryOf(a);
  return history && history->retainsGradient();
}
StatusOr<int64_t> ops::tensorLength(const Tensor &t) {
  if (t.dim() == 0)
    return invalidArgument("len() of a 0-d tensor");
  return t.size(0);
}

std::string ops::deviceType(Device device) { return StringRef(device.str()).split(':').first.str(); }
std::optional<int64_t> ops::deviceIndex(Device device) {
  return device.index < 0 ? std::nullopt : std::optional<int64_t>(device.index);
}
StatusOr<Device> ops::parseDevice(llvm::StringRef text) {
  if (auto device = Device::parse(text))
    return *device;
  // PyTorch's, of which there are tensors elsewhere.
  static constexpr llvm::StringLiteral types =
      "cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, ort, "
      "xla, lazy, vulkan, mps, meta, hpu, privateuseone";
  llvm::SmallVector<StringRef, 20> names;
  types.split(names, ", ");
  auto [type, index] = text.split(':');
  if (!llvm::is_contained(names, type))
    return invalidArgument("Expected one of " + types + " device type at start of device string: " + text);
  if (Device::parse(("cpu" + text.drop_front(type.size())).str())) // its number is one
    return unimplemented("tensors on device '" + text + "' are not supported");
  return invalidArgument("Invalid device string: '" + text + "'");
}
StatusOr<Device> ops::deviceWithIndex(llvm::StringRef type, int64_t index) {
  return parseDevice((type + ":" + llvm::Twine(index)).str());
}
