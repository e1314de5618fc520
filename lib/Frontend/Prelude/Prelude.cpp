//===- Prelude.cpp - The modules of the prelude, embedded by the build ----===//
#include "tsc/Frontend/Prelude/Prelude.h"
#include "tsc/Frontend/Resolver.h"
#include <cassert>
#include <new>
#include <span>
#include <string_view>
#include <zlib.h>

using namespace tsc;

// The build writes this file: for each text an array of its bytes, deflated, and for each folder its files.
#include "PackedTexts.inc"

namespace {
struct PackedFile {
  const char *name;      ///< As diagnostics say it.
  std::string_view text; ///< Deflated.
};
struct PackedModule {
  const PreludeModule *module;
  std::span<const PackedFile> files;
};
} // namespace

template <size_t size> static constexpr std::string_view text(const char (&bytes)[size]) { return {bytes, size}; }

static constexpr PackedFile torchFiles[] = {{"torch.py", text(torch_py)}};
static constexpr PackedFile functionalFiles[] = {{"torch/nn/functional.py", text(functional_py)}};
static constexpr PackedFile attentionFiles[] = {{"torch/nn/attention.py", text(attention_py)}};
static constexpr PackedFile gradientsFiles[] = {TSC_GRADIENTS_FILES};
static constexpr PackedFile optimFiles[] = {TSC_OPTIM_FILES};
static constexpr PackedFile nnFiles[] = {TSC_NN_FILES};
static constexpr PackedFile initFiles[] = {{"torch/nn/init.py", text(nn_init_py)}};
static constexpr PackedFile utilsFiles[] = {{"torch/nn/utils.py", text(nn_utils_py)}};
static constexpr PackedFile sequencesFiles[] = {{"torch/nn/utils/rnn.py", text(nn_utils_rnn_py)}};
static constexpr PackedFile cudaFiles[] = {{"torch/cuda.py", text(cuda_py)}};
static constexpr PackedFile absentDevicesFiles[] = {{"torch/absent_devices.py", text(absent_devices_py)}};
static constexpr PackedFile distributedFiles[] = {{"torch/distributed.py", text(distributed_py)}};
static constexpr PackedFile distributedNnFiles[] = {{"torch/distributed/nn.py", text(distributed_nn_py)}};
static constexpr PackedFile distributedOptimFiles[] = {{"torch/distributed/optim.py", text(distributed_optim_py)}};
static constexpr PackedFile parallelFiles[] = {{"torch/nn/parallel.py", text(nn_parallel_py)}};
static constexpr PackedFile pathlibFiles[] = {{"pathlib.py", text(pathlib_py)}};
static constexpr PackedFile pythonFiles[] = {{"python.py", text(python_py)}};
static constexpr PackedFile profilerFiles[] = {{"torch/profiler.py", text(profiler_py)}};
static constexpr PackedFile quantizedFiles[] = {TSC_QUANTIZED_FILES};
static constexpr PackedFile cellsFiles[] = {{"torch/classes/rnn.py", text(rnn_cells_py)}};
static constexpr PackedFile upgradersFiles[] = {{"torch/upgraders.py", text(upgraders_py)}};
static constexpr PackedFile prepackedFiles[] = {{"torch/prepacked.py", text(prepacked_py)}};
static constexpr PackedFile audioFiles[] = {{"torchaudio.py", text(torchaudio_py)}};

static constexpr PackedModule modules[] = {{&torchPrelude, torchFiles},
                                           {&functionalPrelude, functionalFiles},
                                           {&attentionPrelude, attentionFiles},
                                           {&gradientsPrelude, gradientsFiles},
                                           {&optimPrelude, optimFiles},
                                           {&utilsPrelude, utilsFiles},
                                           {&sequencesPrelude, sequencesFiles},
                                           {&torchCudaPrelude, cudaFiles},
                                           {&nnPrelude, nnFiles},
                                           {&absentDevicesPrelude, absentDevicesFiles},
                                           {&initPrelude, initFiles},
                                           {&distributedPrelude, distributedFiles},
                                           {&distributedNnPrelude, distributedNnFiles},
                                           {&distributedOptimPrelude, distributedOptimFiles},
                                           {&parallelPrelude, parallelFiles},
                                           {&pathlibPrelude, pathlibFiles},
                                           {&pythonPrelude, pythonFiles},
                                           {&profilerPrelude, profilerFiles},
                                           {&prepackedPrelude, prepackedFiles},
                                           {&upgradersPrelude, upgradersFiles},
                                           {&quantizedPrelude, quantizedFiles},
                                           {&audioPrelude, audioFiles},
                                           {&cellsPrelude, cellsFiles}};

/// Inflates what the build deflated, which is about a fifth of the text's bytes.
static std::string unpack(std::string_view deflated) {
  z_stream stream = {};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
    throw std::bad_alloc();
  std::string text;
  stream.next_in = reinterpret_cast<unsigned char *>(const_cast<char *>(deflated.data()));
  stream.avail_in = deflated.size();
  for (int result = Z_OK; result != Z_STREAM_END;) {
    text.resize(text.size() + 5 * deflated.size());
    stream.next_out = reinterpret_cast<unsigned char *>(text.data()) + stream.total_out;
    stream.avail_out = text.size() - stream.total_out;
    result = inflate(&stream, Z_NO_FLUSH);
    assert((result == Z_OK || result == Z_STREAM_END) && "the build deflated this");
  }
  text.resize(stream.total_out);
  inflateEnd(&stream);
  return text;
}

namespace {
class EmbeddedTexts final : public PreludeTexts {
public:
  std::vector<PreludeFile> files(const PreludeModule &module) const override {
    std::vector<PreludeFile> files;
    for (const PackedModule &known : modules)
      if (known.module == &module)
        for (const PackedFile &file : known.files)
          files.push_back({file.name, unpack(file.text)});
    assert(!files.empty() && "a module of the prelude is one of PreludeTexts.h");
    return files;
  }
  std::string containerClass(ContainerKind kind) const override {
    return unpack(kind == ContainerKind::Set ? text(set_py) : text(counter_py));
  }
};
} // namespace

const PreludeTexts &tsc::prelude() {
  static constexpr EmbeddedTexts texts;
  return texts;
}
