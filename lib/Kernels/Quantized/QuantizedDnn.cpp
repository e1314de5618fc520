//===- QuantizedDnn.cpp - Products of small integers through oneDNN -------===//
#include "QuantizedDnn.h"
#include "Support/OneDnn.h"
#include "tsc/Support/SimdLevel.h"
#include "llvm/ADT/StringRef.h"

using namespace tsc;
using namespace tsc::cpu;
using namespace tsc::cpu::quantized;
using Desc = dnnl::memory::desc;

bool quantized::hasExactByteSums() {
#if defined(__x86_64__)
  static const bool hasVnni =
      simdLevel() == SimdLevel::V4 && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl");
  return hasVnni;
#else
  return false;
#endif
}

IntegerProduct::~IntegerProduct() = default;

namespace {
class DnnProduct final : public IntegerProduct {
public:
  template <typename PrimitiveDesc>
  DnnProduct(const PrimitiveDesc &pd, dnnl::primitive primitive, const Desc &plainWeights, const Tensor &weight)
      : primitive(std::move(primitive)), input(pd.src_desc()), sums(pd.dst_desc()), scratch(pd.scratchpad_desc()),
        weights(pd.weights_desc(), engine()) {
    dnnl::stream stream(engine());
    dnnl::memory plain(plainWeights, engine(), const_cast<void *>(weight.data()));
    dnnl::reorder(plain, weights).execute(stream, plain, weights);
    stream.wait();
  }

  bool run(const void *from, int32_t *to) const override {
    SingleThreadedDnn scope;
    try {
      dnnl::stream &stream = threadStream();
      std::unordered_map<int, dnnl::memory> arguments = {
          {DNNL_ARG_SRC, dnnl::memory(input, engine(), const_cast<void *>(from))},
          {DNNL_ARG_WEIGHTS, weights},
          {DNNL_ARG_DST, dnnl::memory(sums, engine(), to)}};
      Tensor buffer;
      if (size_t bytes = scratch.get_size()) {
        StatusOr<Tensor> made = Tensor::empty({static_cast<int64_t>(bytes)}, DType::UInt8);
        if (!made.ok())
          return false;
        buffer = *made;
        arguments.emplace(DNNL_ARG_SCRATCHPAD, dnnl::memory(scratch, engine(), buffer.mutableData()));
      }
      primitive.execute(stream, arguments);
      stream.wait();
      return true;
    } catch (const dnnl::error &) {
      return false;
    }
  }

private:
  dnnl::primitive primitive;
  Desc input, sums, scratch;
  dnnl::memory weights;
};
} // namespace

static dnnl::primitive_attr attributesFor(int64_t zeroPoint) {
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (zeroPoint != 0)
    attributes.set_zero_points(DNNL_ARG_SRC, 0, {static_cast<int32_t>(zeroPoint)});
  return attributes;
}

/// oneDNN's implementations for checking, hundreds of times slower than its others.
static bool isReference(const char *implementation) { return llvm::StringRef(implementation).contains("ref"); }

std::shared_ptr<const IntegerProduct> quantized::makeIntegerMatMul(int64_t rows, const Tensor &weight,
                                                                   int64_t zeroPoint) {
  if (!hasOneDnn())
    return nullptr;
  SingleThreadedDnn scope;
  try {
    using Type = dnnl::memory::data_type;
    const int64_t columns = weight.size(0), inner = weight.size(1);
    Desc source({rows, inner}, Type::u8, dnnl::memory::format_tag::ab);
    Desc weights({inner, columns}, Type::s8, dnnl::memory::format_tag::any);
    Desc result({rows, columns}, Type::s32, dnnl::memory::format_tag::ab);
    dnnl::matmul::primitive_desc pd({source, weights, result}, attributesFor(zeroPoint), engine());
    if (isReference(pd.impl_info_str()))
      return nullptr;
    Desc plain({inner, columns}, Type::s8, dnnl::memory::format_tag::ba);
    return std::make_shared<DnnProduct>(pd, dnnl::matmul(pd), plain, weight);
  } catch (const dnnl::error &) {
    return nullptr;
  }
}

std::shared_ptr<const IntegerProduct> quantized::makeIntegerConvolution(ArrayRef<int64_t> inputSizes,
                                                                        const Tensor &weight, const ConvParams &params,
                                                                        ArrayRef<int64_t> outSizes, int64_t zeroPoint) {
  if (!hasOneDnn())
    return nullptr;
  SingleThreadedDnn scope;
  try {
    using Type = dnnl::memory::data_type;
    using Tag = dnnl::memory::format_tag;
    auto dims = [](ArrayRef<int64_t> sizes) { return dnnl::memory::dims(sizes.begin(), sizes.end()); };
    const Tag channelsInnermost = inputSizes.size() == 5 ? Tag::ndhwc : inputSizes.size() == 4 ? Tag::nhwc : Tag::nwc;
    Dims weightSizes(weight.sizes()), gaps(params.dilation);
    if (params.groups != 1) {
      weightSizes[0] /= params.groups;
      weightSizes.insert(weightSizes.begin(), params.groups);
    }
    for (int64_t &gap : gaps)
      --gap;
    Desc source(dims(inputSizes), Type::u8, channelsInnermost), weights(dims(weightSizes), Type::s8, Tag::any);
    Desc result(dims(outSizes), Type::s32, channelsInnermost);
    dnnl::convolution_forward::desc description(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                                                source, weights, result, dims(params.stride), dims(gaps),
                                                dims(params.padding), dims(params.padding));
    dnnl::convolution_forward::primitive_desc pd(description, attributesFor(zeroPoint), engine());
    if (isReference(pd.impl_info_str()))
      return nullptr;
    Desc plain(dims(weightSizes), Type::s8, dims(contiguousStrides(weightSizes)));
    return std::make_shared<DnnProduct>(pd, dnnl::convolution_forward(pd), plain, weight);
  } catch (const dnnl::error &) {
    return nullptr;
  }
}
