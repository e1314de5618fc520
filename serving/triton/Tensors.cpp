//===- Tensors.cpp - Tensors of requests as values, and values as tensors -===//
#include "Tensors.h"
#include "Server.h"
#include <cstring>

namespace tsc::triton {

static constexpr std::pair<TRITONSERVER_DataType, tsc_dtype> types[] = {
    {TRITONSERVER_TYPE_BOOL, TSC_BOOL},    {TRITONSERVER_TYPE_UINT8, TSC_UINT8},  {TRITONSERVER_TYPE_INT8, TSC_INT8},
    {TRITONSERVER_TYPE_INT16, TSC_INT16},  {TRITONSERVER_TYPE_INT32, TSC_INT32},  {TRITONSERVER_TYPE_INT64, TSC_INT64},
    {TRITONSERVER_TYPE_FP16, TSC_FLOAT16}, {TRITONSERVER_TYPE_FP32, TSC_FLOAT32}, {TRITONSERVER_TYPE_FP64, TSC_FLOAT64},
    {TRITONSERVER_TYPE_BF16, TSC_BFLOAT16}};

int elementType(TRITONSERVER_DataType type) {
  for (auto [server, own] : types)
    if (server == type)
      return own;
  return -1;
}

TRITONSERVER_DataType dataType(int dtype) {
  for (auto [server, own] : types)
    if (own == dtype)
      return server;
  return TRITONSERVER_TYPE_INVALID;
}

static size_t elementSize(int dtype) {
  switch (dtype) {
  case TSC_BOOL:
  case TSC_UINT8:
  case TSC_INT8: return 1;
  case TSC_INT16:
  case TSC_FLOAT16:
  case TSC_BFLOAT16: return 2;
  case TSC_INT32:
  case TSC_FLOAT32: return 4;
  default: return 8;
  }
}

/// Multiplies the sizes; false where one is negative or the product is beyond 2^48.
static bool countElements(std::span<const int64_t> shape, uint64_t &count) {
  count = 1;
  for (int64_t size : shape) {
    if (size < 0 || size > int64_t(1) << 48)
      return false;
    if (size != 0 && count > (uint64_t(1) << 48) / static_cast<uint64_t>(size))
      return false;
    count *= static_cast<uint64_t>(size);
  }
  return true;
}

/// Calls `visit(data, size)` with each buffer of a piece. All must be in the memory of the processor.
template <typename Visit> static Status visitBuffers(const std::string &name, const InputPiece &piece, Visit visit) {
  for (uint32_t i = 0; i != piece.bufferCount; ++i) {
    const void *buffer = nullptr;
    uint64_t size = 0;
    TRITONSERVER_MemoryType memory = TRITONSERVER_MEMORY_CPU;
    int64_t id = 0;
    if (Status failure = takeServer(TRITONBACKEND_InputBuffer(piece.input, i, &buffer, &size, &memory, &id)))
      return failure;
    if (memory == TRITONSERVER_MEMORY_GPU)
      return Failure{TSC_UNIMPLEMENTED, "input '" + name + "' is in the memory of a GPU"};
    visit(static_cast<const char *>(buffer), size);
  }
  return std::nullopt;
}

/// Whether the bytes of a piece are those of its shape and type.
static Status checkSize(const std::string &name, const InputPiece &piece, size_t size, uint64_t &count) {
  if (!countElements(piece.shape, count) || count * size != piece.byteSize)
    return invalid("input '" + name + "' has " + std::to_string(piece.byteSize) +
                   " bytes, which are not those of its "
                   "shape and type");
  return std::nullopt;
}

/// Makes a tensor of the pieces.
static Status makeTensor(const std::string &name, std::span<const InputPiece *const> pieces, bool mayBorrow,
                         Value &value) {
  const InputPiece &first = *pieces.front();
  int dtype = elementType(first.type);
  if (dtype < 0)
    return invalid("input '" + name + "' has a type that TorchScript's tensors do not have");
  size_t size = elementSize(dtype);
  std::vector<int64_t> shape(first.shape.begin(), first.shape.end());
  if (pieces.size() != 1)
    shape[0] = 0;
  for (const InputPiece *piece : pieces) {
    uint64_t count = 0;
    if (Status failure = checkSize(name, *piece, size, count))
      return failure;
    if (pieces.size() != 1)
      shape[0] += piece->shape[0];
  }
  tsc_tensor tensor = {
      sizeof(tsc_tensor), nullptr, shape.data(), nullptr, static_cast<int32_t>(shape.size()), dtype, 0};
  if (mayBorrow && pieces.size() == 1 && first.bufferCount == 1) {
    const char *data = nullptr;
    if (Status failure = visitBuffers(name, first, [&](const char *buffer, uint64_t) { data = buffer; }))
      return failure;
    if (reinterpret_cast<uintptr_t>(data) % size == 0) {
      tensor.data = const_cast<char *>(data); // TSC_READ_ONLY: nobody writes to it
      tensor.flags = TSC_READ_ONLY;
      return make(value, tsc_value_new_tensor, &tensor, nullptr, nullptr);
    }
  }
  if (Status failure = make(value, tsc_value_new_empty_tensor, &tensor))
    return failure;
  void *data = nullptr;
  if (Status failure = take(tsc_tensor_mutable_data(value.get(), &data)))
    return failure;
  char *next = static_cast<char *>(data);
  bool isGood = true;
  for (const InputPiece *piece : pieces) {
    char *end = next + piece->byteSize;
    Status failure = visitBuffers(name, *piece, [&](const char *buffer, uint64_t bytes) {
      bytes = std::min<uint64_t>(bytes, static_cast<uint64_t>(end - next));
      if (bytes)
        std::memcpy(next, buffer, bytes);
      if (dtype == TSC_BOOL)
        for (char *byte = next; byte != next + bytes; ++byte) {
          isGood &= static_cast<unsigned char>(*byte) <= 1;
          *byte &= 1;
        }
      next += bytes;
    });
    if (failure)
      return failure;
    if (next != end)
      return invalid("input '" + name + "' ends early");
  }
  if (!isGood)
    return invalid("input '" + name + "' is TYPE_BOOL, and has bytes other than 0 and 1");
  return std::nullopt;
}

/// Reads elements of strings: four bytes of length, the lowest first, and the text.
static Status readStrings(const std::string &name, const std::string &bytes, std::vector<std::string_view> &strings) {
  for (size_t i = 0; i != bytes.size();) {
    if (bytes.size() - i < 4)
      return invalid("input '" + name + "' ends within the length of a string");
    uint32_t length = 0;
    for (size_t j = 0; j != 4; ++j)
      length |= uint32_t(static_cast<unsigned char>(bytes[i + j])) << 8 * j;
    i += 4;
    if (bytes.size() - i < length)
      return invalid("input '" + name + "' ends within a string");
    strings.push_back(std::string_view(bytes).substr(i, length));
    i += length;
  }
  return std::nullopt;
}

/// Makes a string, or with `isList` a list of them, of bytes.
static Status makeStrings(const std::string &name, const std::string &bytes, uint64_t count, bool isList,
                          Value &value) {
  std::vector<std::string_view> strings;
  if (Status failure = readStrings(name, bytes, strings))
    return failure;
  if (strings.size() != count || (!isList && count != 1))
    return invalid("input '" + name + "' has " + std::to_string(strings.size()) + " strings, and " +
                   std::to_string(isList ? count : 1) + " are expected");
  std::vector<Value> made;
  std::vector<tsc_value *> elements;
  for (std::string_view text : strings) {
    made.emplace_back(tsc_value_new_string(text.data(), text.size()));
    if (!made.back())
      return Failure{TSC_RESOURCE_EXHAUSTED, "out of memory"};
    elements.push_back(made.back().get());
  }
  if (isList)
    return make(value, tsc_value_new_list, elements.data(), elements.size());
  value = std::move(made.front());
  return std::nullopt;
}

/// Converts elements of `type` to numbers of type `To`; false for a type that they do not have.
template <typename To>
static bool convert(TRITONSERVER_DataType type, const std::string &bytes, std::vector<To> &numbers) {
  auto copy = [&]<typename From>(From) {
    for (size_t i = 0; i + sizeof(From) <= bytes.size(); i += sizeof(From)) {
      From number;
      std::memcpy(&number, bytes.data() + i, sizeof(From));
      numbers.push_back(static_cast<To>(number));
    }
    return true;
  };
  switch (type) {
  case TRITONSERVER_TYPE_BOOL:
  case TRITONSERVER_TYPE_UINT8: return copy(uint8_t());
  case TRITONSERVER_TYPE_INT8: return copy(int8_t());
  case TRITONSERVER_TYPE_INT16: return copy(int16_t());
  case TRITONSERVER_TYPE_INT32: return copy(int32_t());
  case TRITONSERVER_TYPE_INT64: return copy(int64_t());
  case TRITONSERVER_TYPE_FP32: return std::is_floating_point_v<To> && copy(float());
  case TRITONSERVER_TYPE_FP64: return std::is_floating_point_v<To> && copy(double());
  default: return false;
  }
}

/// Makes a number or a list of numbers of elements.
static Status makeNumbers(const std::string &name, ArgumentKind kind, TRITONSERVER_DataType type,
                          const std::string &bytes, Value &value) {
  std::vector<int64_t> ints;
  std::vector<double> floats;
  bool isFloat = kind == ArgumentKind::Float || kind == ArgumentKind::FloatList;
  bool isBool = kind == ArgumentKind::Bool || kind == ArgumentKind::BoolList;
  if ((isBool && type != TRITONSERVER_TYPE_BOOL) ||
      !(isFloat ? convert(type, bytes, floats) : convert(type, bytes, ints)))
    return invalid("input '" + name + "' is " + typeName(type) + ", and the program wants " +
                   (isBool    ? "a bool"
                    : isFloat ? "a float"
                              : "an int"));
  size_t count = isFloat ? floats.size() : ints.size();
  bool isList = kind == ArgumentKind::IntList || kind == ArgumentKind::FloatList || kind == ArgumentKind::BoolList;
  if (!isList && count != 1)
    return invalid("input '" + name + "' has " + std::to_string(count) + " elements, and the program wants one");
  if (isBool)
    for (int64_t number : ints)
      if (number > 1)
        return invalid("input '" + name + "' is TYPE_BOOL, and has bytes other than 0 and 1");
  switch (kind) {
  case ArgumentKind::Int: value.reset(tsc_value_new_int(ints[0])); break;
  case ArgumentKind::Bool: value.reset(tsc_value_new_bool(ints[0] != 0)); break;
  case ArgumentKind::Float: value.reset(tsc_value_new_float(floats[0])); break;
  case ArgumentKind::IntList: return make(value, tsc_value_new_int_list, ints.data(), ints.size());
  case ArgumentKind::FloatList: return make(value, tsc_value_new_float_list, floats.data(), floats.size());
  default: {
    std::vector<uint8_t> bools(ints.begin(), ints.end());
    return make(value, tsc_value_new_bool_list, bools.data(), bools.size());
  }
  }
  return value ? Status() : Status(Failure{TSC_RESOURCE_EXHAUSTED, "out of memory"});
}

Status makeArgument(const std::string &name, ArgumentKind kind, std::span<const InputPiece *const> pieces,
                    bool mayBorrow, Value &value) {
  if (kind == ArgumentKind::Tensor || kind == ArgumentKind::TensorDict)
    return makeTensor(name, pieces, mayBorrow, value);
  const InputPiece &piece = *pieces.front();
  bool isString = piece.type == TRITONSERVER_TYPE_BYTES;
  uint64_t count = 0;
  if (isString ? !countElements(piece.shape, count) : false)
    return invalid("input '" + name + "' has a wrong shape");
  if (!isString)
    if (Status failure = checkSize(name, piece, elementSize(elementType(piece.type)), count))
      return failure;
  std::string bytes;
  if (Status failure = visitBuffers(name, piece, [&](const char *data, uint64_t size) { bytes.append(data, size); }))
    return failure;
  if (isString)
    return makeStrings(name, bytes, count, kind == ArgumentKind::StringList, value);
  return makeNumbers(name, kind, piece.type, bytes, value);
}

//===-- Results -----------------------------------------------------------===//

static Failure hasNoOutput(const std::string &name, const tsc_value *value) {
  return {TSC_UNIMPLEMENTED,
          "output '" + name + "' would be a value of type " + tsc_value_type_name(value) +
              ", which no response holds: outputs are tensors, numbers, strings, and lists of numbers or strings"};
}

/// Appends a number or string as bytes. Elements of one list have one type.
static Status appendScalar(const std::string &name, const tsc_value *value, OutputTensor &output) {
  auto append = [&](TRITONSERVER_DataType type, const auto &number) -> Status {
    if (output.type != TRITONSERVER_TYPE_INVALID && output.type != type)
      return invalid("output '" + name + "' is a list of values of several types");
    output.type = type;
    output.storage.append(reinterpret_cast<const char *>(&number), sizeof(number));
    return std::nullopt;
  };
  switch (tsc_value_kind(value)) {
  case TSC_KIND_INT: {
    int64_t number = 0;
    Status failure = take(tsc_value_get_int(value, &number));
    return failure ? failure : append(TRITONSERVER_TYPE_INT64, number);
  }
  case TSC_KIND_FLOAT: {
    double number = 0;
    Status failure = take(tsc_value_get_float(value, &number));
    return failure ? failure : append(TRITONSERVER_TYPE_FP64, number);
  }
  case TSC_KIND_BOOL: {
    int truth = 0;
    Status failure = take(tsc_value_get_bool(value, &truth));
    return failure ? failure : append(TRITONSERVER_TYPE_BOOL, static_cast<uint8_t>(truth));
  }
  case TSC_KIND_STRING: {
    const char *text = nullptr;
    size_t length = 0;
    if (Status failure = take(tsc_value_get_string(value, &text, &length)))
      return failure;
    if (Status failure = append(TRITONSERVER_TYPE_BYTES, static_cast<uint32_t>(length)))
      return failure;
    output.storage.append(text, length);
    return std::nullopt;
  }
  default: return hasNoOutput(name, value);
  }
}

/// Reads a tensor, whose elements are copied only where they are not in row-major order without gaps.
static Status readTensor(const std::string &name, const tsc_value *value, OutputTensor &output) {
  tsc_tensor tensor = {};
  tensor.struct_size = sizeof(tensor);
  if (Status failure = take(tsc_tensor_get(value, &tensor))) {
    failure->message = "output '" + name + "': " + failure->message;
    return failure;
  }
  output.type = dataType(tensor.dtype);
  if (output.type == TRITONSERVER_TYPE_INVALID)
    return Failure{TSC_UNIMPLEMENTED, "output '" + name +
                                          "' is a tensor of complex numbers, which responses do not "
                                          "have: return its parts (torch.view_as_real)"};
  if (tensor.rank)
    output.shape.assign(tensor.sizes, tensor.sizes + tensor.rank);
  uint64_t count = 1;
  bool isDense = true;
  for (size_t i = output.shape.size(); i-- != 0;) {
    isDense &= output.shape[i] == 1 || tensor.strides[i] == static_cast<int64_t>(count);
    count *= static_cast<uint64_t>(output.shape[i]);
  }
  output.byteSize = count * elementSize(tensor.dtype);
  output.data = static_cast<const char *>(tensor.data);
  if (isDense || count == 0)
    return std::nullopt;
  output.storage.resize(output.byteSize);
  tsc_tensor copy = {sizeof(tsc_tensor), output.storage.data(), tensor.sizes, nullptr, tensor.rank, tensor.dtype, 0};
  output.data = output.storage.data();
  return take(tsc_tensor_copy_to(value, &copy));
}

Status OutputTensor::read(const std::string &name, const tsc_value *value) {
  switch (tsc_value_kind(value)) {
  case TSC_KIND_TENSOR: return readTensor(name, value, *this);
  case TSC_KIND_LIST: {
    size_t size = 0;
    if (Status failure = tsc::triton::take(tsc_value_size(value, &size)))
      return failure;
    for (size_t i = 0; i != size; ++i) {
      Value element;
      if (Status failure = make(element, tsc_value_element, value, i))
        return failure;
      if (Status failure = appendScalar(name, element.get(), *this))
        return failure;
    }
    shape = {static_cast<int64_t>(size)};
    break;
  }
  case TSC_KIND_NONE: return Failure{TSC_UNIMPLEMENTED, "output '" + name + "' is None, which no response holds"};
  default:
    if (Status failure = appendScalar(name, value, *this))
      return failure;
    shape = {1};
  }
  data = storage.data();
  byteSize = storage.size();
  return std::nullopt;
}

static std::string printShape(std::span<const int64_t> shape) {
  std::string text = "[";
  for (size_t i = 0; i != shape.size(); ++i)
    text += (i ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

Status OutputTensor::check(const TensorDescription &description, bool isBatched) const {
  // The elements of an empty list have no type.
  bool hasType = type == description.type || (type == TRITONSERVER_TYPE_INVALID && byteSize == 0);
  std::span<const int64_t> dims(shape);
  bool fits = !isBatched || !dims.empty();
  if (isBatched && fits)
    dims = dims.subspan(1);
  // A scalar that the server has as [1] is a tensor without dimensions here.
  bool isScalar = dims.empty() && description.dims == std::vector<int64_t>{1};
  fits &= dims.size() == description.dims.size() || isScalar;
  for (size_t i = 0; fits && !isScalar && i != dims.size(); ++i)
    fits = description.dims[i] < 0 || description.dims[i] == dims[i];
  if (hasType && fits)
    return std::nullopt;
  return Failure{TSC_INTERNAL, "output '" + description.name + "' is " + typeName(type) + " " + printShape(dims) +
                                   ", and the model's configuration says " + typeName(description.type) + " " +
                                   printShape(description.dims)};
}

Status Result::flatten(Value value, bool isWhole) {
  tsc_kind kind = tsc_value_kind(value.get());
  size_t size = 0;
  if (kind == TSC_KIND_TUPLE || (kind == TSC_KIND_LIST && isWhole)) {
    if (Status failure = tsc::triton::take(tsc_value_size(value.get(), &size)))
      return failure;
    std::vector<Value> elements(size);
    for (size_t i = 0; i != size; ++i)
      if (Status failure = make(elements[i], tsc_value_element, value.get(), i))
        return failure;
    // A list of numbers or strings is one output.
    if (kind == TSC_KIND_TUPLE || (size != 0 && tsc_value_kind(elements[0].get()) == TSC_KIND_TENSOR)) {
      for (Value &element : elements)
        if (Status failure = flatten(std::move(element), false))
          return failure;
      return std::nullopt;
    }
  }
  parts.emplace_back("", std::move(value));
  return std::nullopt;
}

Status Result::take(Value value) {
  parts.clear();
  if (tsc_value_kind(value.get()) != TSC_KIND_DICT)
    return flatten(std::move(value), true);
  Value items;
  size_t size = 0;
  if (Status failure = make(items, tsc_value_items, value.get()))
    return failure;
  if (Status failure = tsc::triton::take(tsc_value_size(items.get(), &size)))
    return failure;
  for (size_t i = 0; i != size; ++i) {
    Value item, key, part;
    const char *text = nullptr;
    size_t length = 0;
    if (Status failure = make(item, tsc_value_element, items.get(), i))
      return failure;
    if (Status failure = make(key, tsc_value_element, item.get(), size_t(0)))
      return failure;
    if (Status failure = make(part, tsc_value_element, item.get(), size_t(1)))
      return failure;
    if (Status failure = tsc::triton::take(tsc_value_get_string(key.get(), &text, &length)))
      return failure;
    parts.emplace_back(std::string(text, length), std::move(part));
  }
  return std::nullopt;
}

Status Result::find(const OutputBinding &binding, const tsc_value *&part) const {
  if (binding.key.empty() && binding.index < parts.size()) {
    part = parts[binding.index].second.get();
    return std::nullopt;
  }
  if (!binding.key.empty())
    for (const auto &[key, value] : parts)
      if (key == binding.key) {
        part = value.get();
        return std::nullopt;
      }
  return Failure{TSC_INTERNAL, "the program returned " + std::to_string(parts.size()) +
                                   (parts.size() == 1 ? " value" : " values") + ", and none of them is output '" +
                                   binding.description.name + "'"};
}

} // namespace tsc::triton
