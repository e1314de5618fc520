//===- Tensors.h - Tensors of requests as values, and values as tensors ---===//
#ifndef TSC_SERVING_TRITON_TENSORS_H
#define TSC_SERVING_TRITON_TENSORS_H

#include "Configuration.h"
#include <span>

namespace tsc::triton {

/// An input as one request gives it. What it points to lives as long as the request.
struct InputPiece {
  TRITONBACKEND_Input *input = nullptr; ///< Null where the request leaves it out.
  TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
  std::span<const int64_t> shape;
  uint64_t byteSize = 0;
  uint32_t bufferCount = 0;
};

/// Returns the element type of a TorchScript tensor, or -1; and back, TRITONSERVER_TYPE_INVALID.
int elementType(TRITONSERVER_DataType type);
TRITONSERVER_DataType dataType(int dtype);

/// Makes the value of an argument. Pieces of several requests, which differ in their first dimension at most, become
/// one tensor, one below the other. With `mayBorrow`, a single piece is not copied where that is possible: the value
/// must then go before the request. A failure where bytes and shape do not fit, or an element is no value of the type.
Status makeArgument(const std::string &name, ArgumentKind kind, std::span<const InputPiece *const> pieces,
                    bool mayBorrow, Value &value);

/// A part of a result as bytes. What it points to belongs to the value, or is its own.
struct OutputTensor {
  TRITONSERVER_DataType type = TRITONSERVER_TYPE_INVALID;
  std::vector<int64_t> shape;
  const char *data = nullptr;
  size_t byteSize = 0;
  std::string storage; ///< Elements that were copied or converted.

  /// Reads a tensor, a number, a string or a list of them. `value` must outlive this.
  Status read(const std::string &name, const tsc_value *value);
  /// Whether it has the type and dimensions of the description, behind a first dimension of batches where `isBatched`.
  Status check(const TensorDescription &description, bool isBatched) const;
};

/// The parts of a result, to which outputs are bound.
class Result {
public:
  /// Takes what a call gave.
  Status take(Value value);
  /// Finds the part that an output is; it belongs to this.
  Status find(const OutputBinding &binding, const tsc_value *&part) const;
  size_t size() const { return parts.size(); }
  /// The parts and, of a dictionary, their keys.
  const std::vector<std::pair<std::string, Value>> &all() const { return parts; }

private:
  Status flatten(Value value, bool isWhole);
  std::vector<std::pair<std::string, Value>> parts;
};

} // namespace tsc::triton

#endif
