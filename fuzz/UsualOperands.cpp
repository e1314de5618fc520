//===- UsualOperands.cpp - What operands of a name mostly are -------------===//
#include "UsualOperands.h"
#include "tsc/Tensor/WrappingProduct.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
using namespace tsc;
using fuzz::CommonFacts;

static constexpr int64_t tableRows = 17, numIndices = 6;

static bool isConvolution(const CommonFacts &facts) {
  return facts.names({"conv"}) && !facts.names({"conv_tbc"}) && facts.sizes.size() > 2;
}

static std::optional<Dims> shapeOfConvolution(const CommonFacts &facts, llvm::StringRef name) {
  const Dims &sizes = facts.sizes;
  const int64_t channels = sizes[sizes.size() - facts.kernel.size() - 1];
  const bool isDepthwise = facts.names({"depthwise"});
  Dims weight{facts.outChannels, channels};
  if (facts.names({"transpose"}))
    std::swap(weight[0], weight[1]);
  if (isDepthwise)
    weight = {channels, 1};
  weight.append(facts.kernel);
  if (name == "weight")
    return weight;
  if (name == "bias")
    return Dims{isDepthwise ? channels : facts.outChannels};
  if (facts.names({"deform"}) && sizes.size() == 4 && facts.kernel.size() == 2 &&
      (name == "offset" || name == "mask")) {
    Dims places{sizes[0], facts.kernel[0] * facts.kernel[1] * (name == "offset" ? 2 : 1)};
    for (size_t d : {0, 1})
      places.push_back(std::max<int64_t>(sizes[2 + d] - facts.kernel[d] + 1, 0));
    return places;
  }
  return std::nullopt;
}

static std::optional<Dims> shapeOfRecurrent(const CommonFacts &facts, llvm::StringRef name) {
  const Dims &sizes = facts.sizes;
  const int64_t rows = facts.gates * sizes.back();
  if (name == "w_ih" || name == "w_hh")
    return Dims{rows, sizes.back()};
  if (name == "b_ih" || name == "b_hh")
    return Dims{rows};
  if (name == "hx" && sizes.size() > 1)
    return facts.names({"cell"}) ? Dims{sizes[0], sizes.back()} : Dims{1, sizes[sizes.size() - 2], sizes.back()};
  return std::nullopt;
}

static std::optional<Dims> shapeOfAttention(const CommonFacts &facts, llvm::StringRef name) {
  const int64_t width = facts.sizes.back();
  if (name == "qkv_weight")
    return Dims{3 * width, width};
  if (name == "qkv_bias")
    return Dims{3 * width};
  if (name == "proj_weight")
    return Dims{width, width};
  return name == "proj_bias" ? std::optional(Dims{width}) : std::nullopt;
}

static bool isOfChannels(llvm::StringRef name) {
  return name == "weight" || name == "bias" || name.contains("running") || name.contains("save_") ||
         name.starts_with("scale") || name.starts_with("zero_point") || name == "mean" || name == "rstd";
}

std::optional<Dims> fuzz::usualShape(const CommonFacts &facts, llvm::StringRef name) {
  const Dims &sizes = facts.sizes;
  if (sizes.empty())
    return std::nullopt;
  if (isConvolution(facts) && facts.kernel.size() < sizes.size())
    if (std::optional<Dims> shape = shapeOfConvolution(facts, name))
      return shape;
  if (facts.names({"lstm", "gru", "rnn"}))
    if (std::optional<Dims> shape = shapeOfRecurrent(facts, name))
      return shape;
  if (std::optional<Dims> shape = shapeOfAttention(facts, name))
    return shape;
  if (facts.names({"embedding"})) {
    if (name == "weight" || name == "self")
      return Dims{tableRows, sizes.back()};
    if (name == "indices" || name == "per_sample_weights")
      return Dims{numIndices};
    if (name == "offsets")
      return Dims{3};
  }
  if (facts.names({"ctc_loss"}) && sizes.size() == 3) {
    if (name == "targets")
      return Dims{sizes[1], 2};
    if (name.contains("lengths"))
      return Dims{sizes[1]};
  }
  if (name == "grid" && sizes.size() > 3) {
    Dims grid(sizes);
    grid.erase(grid.begin() + 1);
    grid.push_back(static_cast<int64_t>(facts.spatial()));
    return grid;
  }
  if (name == "theta")
    return Dims{sizes[0], 2, 3};
  if (name == "rois")
    return Dims{2, 5};
  if (name == "random_samples" && sizes.size() > 2)
    return Dims{sizes[0], sizes[1], static_cast<int64_t>(facts.spatial())};
  if (name == "lengths")
    return Dims{sizes[sizes.size() > 1 ? 1 : 0]};
  if (name.starts_with("vec"))
    return Dims{sizes.back()};
  if (name.contains("pivots") || name == "tau") {
    Dims shape(sizes);
    shape.pop_back();
    return shape;
  }
  if (name == "target" && facts.names({"nll_loss", "cross_entropy", "multi_margin"})) {
    Dims shape(sizes);
    shape.erase(shape.begin() + (sizes.size() > 1));
    return shape;
  }
  if (name == "index" && facts.names({"index_"}))
    return Dims{sizes[0]};
  if (facts.names({"linear"}) && name == "weight")
    return Dims{sizes.back(), sizes.back()};
  if (isOfChannels(name))
    return Dims{sizes[sizes.size() > 1 && !facts.names({"layer_norm", "linear", "rms_norm"}) ? 1 : sizes.size() - 1]};
  if (name == "boundaries" || name == "bins" || name == "sorter")
    return Dims{sizes.back()};
  return std::nullopt;
}

std::optional<int64_t> fuzz::usualInteger(const CommonFacts &facts, llvm::StringRef name) {
  static constexpr std::pair<llvm::StringLiteral, int64_t> numbers[] = {
      {"groups", 1},        {"group", 1},         {"num_layers", 1}, {"num_heads", 1},      {"offset_groups", 1},
      {"n_weight_grps", 1}, {"n_offset_grps", 1}, {"blank", 0},      {"sampling_ratio", 2}, {"pooled_height", 2},
      {"pooled_width", 2},  {"stride_h", 1},      {"stride_w", 1},   {"pad_h", 0},          {"pad_w", 0},
      {"dilation_h", 1},    {"dilation_w", 1},    {"quant_min", 0},  {"quant_max", 255},    {"axis", 0},
      {"ch_axis", 0},       {"padding_idx", -1},  {"zero_point", 3}, {"ignore_index", -100}};
  for (const auto &[known, number] : numbers)
    if (name == known)
      return number;
  const Dims &sizes = facts.sizes;
  if (name == "embed_dim" && !sizes.empty())
    return sizes.back();
  if (sizes.size() > 1 && facts.names({"group_norm"})) {
    if (name == "N")
      return sizes[0];
    if (name == "C")
      return sizes[1];
    if (name == "HxW") {
      int64_t plane = 1;
      for (int64_t size : llvm::drop_begin(sizes, 2))
        plane = wrappingProduct(plane, size);
      return plane;
    }
  }
  return std::nullopt;
}

std::optional<std::vector<int64_t>> fuzz::usualIntegers(const CommonFacts &facts, llvm::StringRef name,
                                                        std::optional<int32_t> length) {
  const auto spatial = static_cast<size_t>(length.value_or(static_cast<int32_t>(facts.spatial())));
  const Dims &sizes = facts.sizes;
  if (name == "kernel_size")
    return facts.kernel.size() == spatial ? std::vector<int64_t>(facts.kernel.begin(), facts.kernel.end())
                                          : std::vector<int64_t>(spatial, 2);
  if (facts.names({"conv", "pool", "col", "unfold"})) {
    if (name == "stride" || name == "dilation")
      return std::vector<int64_t>(spatial, 1);
    if (name == "padding" || name == "output_padding")
      return std::vector<int64_t>(spatial, 0);
  }
  if (facts.names({"upsample", "interpolate", "adaptive", "fractional"}) && (name == "output_size" || name == "size"))
    return std::vector<int64_t>(spatial, 3);
  if (name == "normalized_shape" && !sizes.empty())
    return std::vector<int64_t>{sizes.back()};
  constexpr int64_t mostLengths = 1024; // a tensor without elements may have many rows
  if (facts.names({"ctc_loss"}) && sizes.size() == 3 && name.contains("lengths"))
    return std::vector<int64_t>(static_cast<size_t>(std::min(sizes[1], mostLengths)),
                                name == "input_lengths" ? sizes[0] : 2);
  if ((name == "input_size" || name == "input_sizes") && !sizes.empty())
    return std::vector<int64_t>(sizes.begin(), sizes.end());
  return std::nullopt;
}

int64_t fuzz::usualLimit(const CommonFacts &facts, llvm::StringRef name) {
  if (facts.names({"embedding"}))
    return name == "offsets" ? 1 : tableRows;
  if (facts.names({"ctc_loss"}) && name.contains("lengths"))
    return 3;
  if (name == "target" && facts.sizes.size() > 1)
    return std::max<int64_t>(facts.sizes[1], 1);
  int64_t least = 1000;
  for (int64_t size : facts.sizes)
    least = std::min(least, size);
  return std::max<int64_t>(least, 1);
}
