//===- Print.cpp - Tensors as text ----------------------------------------===//
//
// Two forms, both PyTorch's: what Python shows for a tensor, and what TorchScript's
// print writes (LibTorch's operator<<: columns of one width, a common scale).
//
//===----------------------------------------------------------------------===//
#include "tsc/Support/WorkMeter.h"
#include "tsc/Tensor/DefaultDType.h"
#include "tsc/Tensor/DeviceCopy.h"
#include "tsc/Tensor/MemoryAccount.h"
#include "tsc/Tensor/Opaque.h"
#include "tsc/Tensor/PrintDigits.h"
#include "tsc/Tensor/Quantizer.h"
#include "tsc/Tensor/Tensor.h"
#include "tsc/Tensor/TensorHistory.h"
#include <atomic>
#include <cassert>
#include <cmath>
#include <new>
#include <vector>

using namespace tsc;

namespace {

/// Asked while the text of a tensor grows. An expanded tensor has more elements than its memory, so that a text may
/// take any time, and any memory.
class TextGrowth {
public:
  explicit TextGrowth(const std::string &text) : text(text) {}

  /// Whether the text goes on; it stays unfinished where the call is to end. Throws std::bad_alloc where there is no
  /// memory for more.
  bool goesOn() {
    if (text.size() >= allowed) {
      allowed += allowed / 4;
      if (!memory::hasRoom(allowed))
        throw std::bad_alloc();
    }
    return turns.goOn();
  }

  /// Throws std::bad_alloc for so many elements that their text would be longer than any str (python::checkLength).
  static void checkCount(double elements) {
    constexpr double longest = 0x1p31, leastBytes = 2; // a digit and what separates it from the next
    if (elements * leastBytes > longest)
      throw std::bad_alloc();
  }

private:
  const std::string &text;
  size_t allowed = size_t{1} << 16;
  work::LongLoop turns{16};
};

} // namespace

/// printf into a string.
static std::string formatNumber(const char *format, int precision, double value) {
  char buffer[512]; // %.4f of the largest double has 314 characters
  int length = std::snprintf(buffer, sizeof buffer, format, precision, value);
  return std::string(buffer, std::min<size_t>(std::max(length, 0), sizeof buffer - 1));
}

static std::string padLeft(const std::string &text, size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

//===- Python's form ------------------------------------------------------===//

namespace {

constexpr int64_t lineWidth = 80, edgeItems = 3, threshold = 1000;
std::atomic<unsigned> numDigits = defaultPrintDigits;

/// How the numbers of one tensor are written: all with the same width and in the same mode.
class NumberFormat {
public:
  /// `forEach(visit)` calls `visit` for the numbers that are shown; floating ones it goes over twice.
  template <typename ForEach>
  NumberFormat(DType dtype, bool imaginary, ForEach forEach)
      : imaginary(imaginary), floating(isFloating(dtype) || isComplex(dtype)) {
    if (!floating) {
      forEach([&](const Scalar &value) { width = std::max(width, plain(value).size()); });
      return;
    }
    double least = INFINITY, most = 0;
    auto hasDigits = [](double x) { return x != 0 && std::isfinite(x); };
    forEach([&](const Scalar &value) {
      const double x = part(value);
      if (!hasDigits(x))
        return;
      least = std::min(least, std::fabs(x));
      most = std::max(most, std::fabs(x));
      whole = whole && x == std::ceil(x);
    });
    if (most == 0)
      return;
    scientific = most / least > 1000 || most > 1e8 || (!whole && least < 1e-4);
    forEach([&](const Scalar &value) {
      if (const double x = part(value); hasDigits(x))
        width = std::max(width, number(x).size());
    });
  }

  std::string format(const Scalar &value) const {
    return padLeft(floating ? number(part(value)) : plain(value), width);
  }
  size_t getWidth() const { return width; }

private:
  double part(const Scalar &value) const { return imaginary ? value.toComplex().imag() : value.toComplex().real(); }
  static std::string plain(const Scalar &value) {
    if (value.isBool())
      return value.toBool() ? "True" : "False";
    return std::to_string(value.toInt());
  }
  std::string number(double x) const {
    if (std::isnan(x))
      return "nan";
    if (std::isinf(x))
      return x < 0 ? "-inf" : "inf";
    if (scientific)
      return formatNumber("%.*e", digits, x);
    if (whole)
      return formatNumber("%.*f", 0, x) + ".";
    return formatNumber("%.*f", digits, x);
  }

  const unsigned digits = numDigits;
  bool imaginary, floating;
  bool whole = true, scientific = false;
  size_t width = 1;
};

/// Writes the nested brackets of one tensor.
class PythonPrinter {
public:
  explicit PythonPrinter(const Tensor &t)
      : tensor(t), summarize(t.numel() > threshold), complex(isComplex(t.dtype())),
        real(t.dtype(), false, [&](auto visit) { visitShown(visit); }), imag(t.dtype(), true, [&](auto visit) {
          if (complex)
            visitShown(visit);
        }) {}

  std::string str(size_t indent) {
    if (tensor.dim() == 0)
      return element(0);
    dimension(0, 0, indent);
    return std::move(text);
  }

private:
  bool isElided(int64_t dim) const { return summarize && tensor.size(dim) > 2 * edgeItems; }

  /// Calls `visit` for the elements that are written out: all, or the edges of every dimension.
  template <typename Visit> void visitShown(Visit &visit) {
    double count = 1;
    for (int64_t dim = 0; dim != tensor.dim(); ++dim)
      count *= static_cast<double>(isElided(dim) ? 2 * edgeItems : tensor.size(dim));
    TextGrowth::checkCount(count);
    visitFrom(visit, 0, 0);
  }
  template <typename Visit> void visitFrom(Visit &visit, int64_t dim, int64_t base) {
    if (dim == tensor.dim())
      return visit(tensor.at(base));
    const int64_t size = tensor.size(dim);
    for (int64_t i = 0; i != size && growth.goesOn(); ++i) {
      if (isElided(dim) && i == edgeItems)
        i = size - edgeItems;
      visitFrom(visit, dim + 1, base * size + i);
    }
  }

  std::string element(int64_t index) const {
    Scalar value = tensor.at(index);
    if (!complex)
      return real.format(value);
    std::string imaginary = llvm::StringRef(imag.format(value)).ltrim().str() + "j";
    return real.format(value) + (imaginary[0] == '-' ? "" : "+") + imaginary;
  }

  /// How many numbers stand on a line.
  size_t numbersPerLine(size_t indent) const {
    const size_t elementLength = real.getWidth() + 2 + (complex ? imag.getWidth() + 1 : 0);
    const auto room = static_cast<size_t>(std::max<int64_t>(lineWidth - static_cast<int64_t>(indent), 0));
    return std::max<size_t>(1, room / elementLength);
  }

  void dimension(int64_t dim, int64_t base, size_t indent) {
    const bool last = dim + 1 == tensor.dim();
    const int64_t size = tensor.size(dim);
    const size_t perLine = last ? numbersPerLine(indent) : 1;
    const std::string newLine = std::string(last ? 1 : tensor.dim() - dim - 1, '\n') + std::string(indent + 1, ' ');
    size_t items = 0;
    auto separate = [&] {
      if (items != 0)
        text += items % perLine == 0 ? "," + newLine : ", ";
      ++items;
    };
    text += '[';
    for (int64_t i = 0; i != size && growth.goesOn(); ++i) {
      if (isElided(dim) && i == edgeItems) {
        separate();
        text += last ? " ..." : "...";
        i = size - edgeItems;
      }
      separate();
      if (last)
        text += element(base * size + i);
      else
        dimension(dim + 1, base * size + i, indent + 1);
    }
    text += ']';
  }

  const Tensor &tensor;
  std::string text;
  TextGrowth growth{text};
  bool summarize, complex;
  NumberFormat real, imag; ///< Made last: they go over the elements.
};

} // namespace

static std::string tupleString(ArrayRef<int64_t> sizes) {
  std::string text = shapeString(sizes);
  return "(" + text.substr(1, text.size() - 2) + (sizes.size() == 1 ? ",)" : ")");
}

/// What a quantized tensor stands for.
static Tensor realNumbers(const Tensor &tensor) {
  StatusOr<Tensor> numbers = Tensor::empty(tensor.sizes(), DType::Float);
  if (!numbers.ok())
    return tensor;
  work::LongLoop turns(16);
  for (int64_t i = 0; i != tensor.numel() && turns.goOn(); ++i)
    numbers->set(i, tensor.at(i));
  return *numbers;
}

static void appendScheme(const Quantizer &quantizer, std::vector<std::string> &suffixes) {
  if (quantizer.isPerChannel()) {
    suffixes.push_back(quantizer.hasRealZeroPoints() ? "quantization_scheme=torch.per_channel_affine_float_qparams"
                                                     : "quantization_scheme=torch.per_channel_affine");
    suffixes.push_back("scale=" + toPythonString(quantizer.scales));
    suffixes.push_back("zero_point=" + toPythonString(quantizer.zeroPoints));
    suffixes.push_back("axis=" + std::to_string(quantizer.axis));
    return;
  }
  suffixes.push_back("quantization_scheme=torch.per_tensor_affine");
  suffixes.push_back("scale=" + shortString(quantizer.scale));
  suffixes.push_back("zero_point=" + std::to_string(quantizer.zeroPoint));
}

/// The column of each element of a matrix.
static StatusOr<Tensor> columnsOf(const SparseParts &parts) {
  const Tensor &all = parts.indices;
  return Tensor::view(all.get()->storage, all.storageOffset() + all.strides()[0], {all.size(1)}, {all.strides()[1]},
                      DType::Int64);
}

/// Its parts, one below the other.
static std::string toPythonString(const Tensor &tensor, const SparseParts &parts, const std::string &suffix) {
  const bool inRows = parts.isInRows;
  const llvm::StringRef indices = inRows ? "tensor(crow_indices=tensor(" : "tensor(indices=tensor(";
  constexpr llvm::StringRef columns = "       col_indices=tensor(", values = "       values=tensor(";
  auto numbers = [](const Tensor &part, size_t indent) {
    return part.numel() == 0 ? "[], size=" + tupleString(part.sizes()) : PythonPrinter(part).str(indent);
  };
  const DType dtype = parts.values.dtype();
  std::string text = indices.str();
  if (!inRows) {
    text += numbers(parts.indices, indices.size());
  } else {
    StatusOr<Tensor> starts = rowStartsOf(parts, tensor.size(0)), places = columnsOf(parts);
    if (!starts.ok() || !places.ok())
      return "tensor(...)";
    text += numbers(*starts, indices.size()) + "),\n" + columns.str() + numbers(*places, columns.size());
  }
  text += "),\n" + values.str() + numbers(parts.values, values.size()) +
          "),\n       size=" + tupleString(tensor.sizes()) + ", nnz=" + std::to_string(parts.values.size(0));
  if (dtype != defaultDType() && dtype != defaultComplexDType() && dtype != DType::Int64 && dtype != DType::Bool)
    text += ", dtype=torch." + pythonName(dtype).str();
  return text + (inRows ? ", layout=torch.sparse_csr" : ", layout=torch.sparse_coo") +
         (suffix.empty() ? "" : ", " + suffix) + ")";
}

/// What Python calls the node that made a tensor; empty for a leaf.
static std::optional<std::string> nodeNameOf(const Tensor &tensor) {
  const TensorHistory *history = tensorHistoryOf(tensor);
  return history && tensor.requiresGrad() ? history->nodeName(tensor) : "";
}

bool tsc::hasPythonString(const Tensor &tensor) { return !tensor.defined() || nodeNameOf(tensor).has_value(); }

/// What Python says of a tensor's gradients; empty where it says nothing.
static std::string historySuffix(const Tensor &tensor) {
  const std::string name = nodeNameOf(tensor).value_or("?");
  return !name.empty() ? "grad_fn=<" + name + ">" : tensor.requiresGrad() ? "requires_grad=True" : "";
}

/// What is to be read, and where it is. A device that gives nothing is shown for what it has.
static std::pair<Tensor, Device> readable(const Tensor &tensor) {
  StatusOr<Tensor> read = onHost(tensor);
  if (!read.ok())
    read = Tensor::empty({0}, tensor.dtype());
  return {*read, tensor.device()};
}

std::string tsc::toPythonString(const Tensor &shown) {
  if (!shown.defined())
    return "None";
  const auto [tensor, device] = readable(shown);
  if (const SparseParts *parts = sparseOf(tensor))
    return ::toPythonString(tensor, *parts, historySuffix(shown));
  if (tensor.dtype() == DType::Opaque)
    return "nested_tensor(size=" + tupleString(tensor.sizes()) + ")";
  constexpr llvm::StringRef prefix = "tensor(";
  std::vector<std::string> suffixes;
  DType dtype = tensor.dtype();
  std::string text;
  bool isDefault =
      dtype == defaultDType() || dtype == defaultComplexDType() || dtype == DType::Int64 || dtype == DType::Bool;
  if (tensor.numel() == 0) {
    if (tensor.dim() != 1)
      suffixes.push_back("size=" + tupleString(tensor.sizes()));
    isDefault = dtype == defaultDType();
    text = "[]";
  } else {
    text = PythonPrinter(isQuantized(dtype) ? realNumbers(tensor) : tensor).str(prefix.size());
  }
  if (isQuantized(dtype) && tensor.numel())
    suffixes.push_back("size=" + tupleString(tensor.sizes()));
  if (device.kind != DeviceKind::CPU)
    suffixes.insert(suffixes.begin(), "device='" + device.str() + "'");
  if (!isDefault)
    suffixes.push_back("dtype=torch." + pythonName(dtype).str());
  if (const Quantizer *quantizer = quantizerOf(tensor))
    appendScheme(*quantizer, suffixes);
  if (std::string suffix = historySuffix(shown); !suffix.empty())
    suffixes.push_back(std::move(suffix));
  text = prefix.str() + text;
  // As in PyTorch, which counts the text without a newline as beginning at -1.
  int64_t newline = text.rfind('\n') == std::string::npos ? -1 : static_cast<int64_t>(text.rfind('\n'));
  int64_t lastLine = static_cast<int64_t>(text.size()) - newline + 1;
  for (const std::string &suffix : suffixes) {
    int64_t length = suffix.size();
    if (lastLine + length + 2 > lineWidth) {
      text += ",\n" + std::string(prefix.size(), ' ') + suffix;
      lastLine = prefix.size() + length;
    } else {
      text += ", " + suffix;
      lastLine += length + 2;
    }
  }
  return text + ")";
}

void tsc::setPrintDigits(unsigned digits) {
  assert(digits <= maxPrintDigits && "more digits than a double has");
  numDigits = digits;
}

//===- TorchScript's form -------------------------------------------------===//

namespace {

/// Columns of numbers as LibTorch's operator<< lays them out.
class CppPrinter {
public:
  CppPrinter(const Tensor &t, Device device, std::string &out) : tensor(t), device(device), out(out), growth(out) {}

  void print() {
    TextGrowth::checkCount(static_cast<double>(tensor.numel()));
    if (tensor.dim() == 0) {
      number(valueAt(0));
      out += "\n";
    } else if (tensor.numel() != 0) {
      if (tensor.dim() == 1)
        vector();
      else if (tensor.dim() == 2)
        matrix(0, 0);
      else
        slices();
    }
    out += "[ " + typeNameOf(device.kind).str() + irName(tensor.dtype()).str() + "Type{";
    for (int64_t d = 0; d != tensor.dim(); ++d)
      out += (d ? "," : "") + std::to_string(tensor.size(d));
    out += "} ]";
  }

private:
  enum class Mode { Default, Fixed, Scientific };

  double valueAt(int64_t index) const { return tensor.at(index).toComplex().real(); }

  void number(double x) {
    const char *format = mode == Mode::Fixed ? "%.*f" : mode == Mode::Scientific ? "%.*e" : "%.*g";
    out += padLeft(formatNumber(format, precision, x), width);
  }

  /// Chooses width, scale and mode for `count` elements from `first`.
  void chooseFormat(int64_t first, int64_t count) {
    scale = 1;
    bool whole = true, any = false;
    double least = 0, most = 0;
    for (int64_t i = 0; i != count && growth.goesOn(); ++i) {
      double value = valueAt(first + i), magnitude = std::fabs(value);
      if (!std::isfinite(value))
        continue;
      whole = whole && value == std::ceil(value);
      if (!any)
        least = most = magnitude;
      any = true;
      least = std::min(least, magnitude);
      if (value > most) // PyTorch compares the signed value here.
        most = magnitude;
    }
    auto exponent = [&](double x) { return !any || x == 0 ? 1.0 : std::floor(std::log10(x)) + 1; };
    double low = exponent(least), high = exponent(most);
    if (whole) {
      width = high > 9 ? 11 : static_cast<size_t>(high) + 1;
      setMode(high > 9 ? Mode::Scientific : Mode::Default);
    } else if (high - low > 4) {
      width = std::fabs(high) > 99 || std::fabs(low) > 99 ? 12 : 11;
      setMode(Mode::Scientific);
    } else {
      setMode(Mode::Fixed);
      width = 7;
      if (high > 5 || high < 0)
        scale = std::pow(10, high - 1);
      else if (high != 0)
        width = static_cast<size_t>(high) + 6;
    }
  }

  /// The precision stays when the mode goes back to the default one, as it does for a C++ stream.
  void setMode(Mode newMode) {
    mode = newMode;
    if (mode != Mode::Default)
      precision = 4;
  }

  void printScale() { out += formatNumber("%.*g", precision, scale) + " *\n"; }
  void indentBy(int64_t indent) { out.append(indent, ' '); }

  void vector() {
    chooseFormat(0, tensor.numel());
    if (scale != 1)
      printScale();
    for (int64_t i = 0; i != tensor.numel() && growth.goesOn(); ++i) {
      number(valueAt(i) / scale);
      out += "\n";
    }
  }

  /// The matrix of the last two dimensions that begins at element `base`.
  void matrix(int64_t base, int64_t indent) {
    int64_t rows = tensor.size(tensor.dim() - 2), columns = tensor.size(tensor.dim() - 1);
    chooseFormat(base, rows * columns);
    indentBy(indent);
    int64_t perLine = std::max<int64_t>((lineWidth - indent) / (static_cast<int64_t>(width) + 1), 1);
    for (int64_t first = 0; first < columns; first += perLine) {
      int64_t last = std::min(first + perLine, columns) - 1;
      if (perLine < columns) {
        if (first != 0)
          out += "\n";
        out += "Columns " + std::to_string(first + 1) + " to " + std::to_string(last + 1);
        indentBy(indent);
      }
      if (scale != 1) {
        printScale();
        indentBy(indent);
      }
      for (int64_t r = 0; r != rows && growth.goesOn(); ++r)
        for (int64_t c = first; c <= last; ++c) {
          number(valueAt(base + r * columns + c) / scale);
          if (c != last) {
            out += " ";
            continue;
          }
          out += "\n";
          if (r + 1 != rows)
            out.append(indent + (scale != 1 ? 1 : 0), ' ');
        }
    }
  }

  /// Every matrix of the last two dimensions, the first index running fastest.
  void slices() {
    int64_t lead = tensor.dim() - 2, size = tensor.size(lead) * tensor.size(lead + 1);
    Dims index(lead, 0);
    bool start = true;
    while (growth.goesOn()) {
      if (!start)
        out += "\n";
      start = false;
      out += "(";
      int64_t slice = 0;
      for (int64_t d = 0; d != lead; ++d) {
        slice = slice * tensor.size(d) + index[d];
        out += std::to_string(index[d] + 1) + ",";
      }
      out += ".,.) = \n";
      matrix(slice * size, 1);
      int64_t d = 0;
      while (d != lead && ++index[d] == tensor.size(d))
        index[d++] = 0;
      if (d == lead)
        return;
    }
  }

  const Tensor &tensor;
  const Device device;
  std::string &out;
  TextGrowth growth;
  Mode mode = Mode::Default;
  int precision = 6;
  size_t width = 0;
  double scale = 1;
};

} // namespace

std::string tsc::toCppString(const Tensor &tensor) {
  if (!tensor.defined())
    return "[ Tensor (undefined) ]";
  if (const SparseParts *parts = sparseOf(tensor))
    return "[ SparseCPU" + irName(parts->values.dtype()).str() + "Type{}\nindices:\n" + toCppString(parts->indices) +
           "\nvalues:\n" + toCppString(parts->values) + "\nsize:\n" + shapeString(tensor.sizes()) + "\n]";
  if (tensor.dtype() == DType::Opaque)
    return "[ NestedTensorCPU" + shapeString(tensor.sizes()) + " ]";
  std::string text;
  const auto [read, device] = readable(tensor);
  CppPrinter(read, device, text).print();
  return text;
}
