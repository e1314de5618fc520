//===- PreludeTexts.h - The library's part in TorchScript -------*- C++ -*-===//
#ifndef TSC_FRONTEND_PRELUDETEXTS_H
#define TSC_FRONTEND_PRELUDETEXTS_H

#include <cstdint>
#include <string>
#include <vector>

namespace tsc {

enum class ContainerKind : uint8_t;

/// A module of the prelude, the part of torch's and Python's libraries that is written in TorchScript: functions and
/// classes that see each other, in one file or in several.
struct PreludeModule {
  const char *prefix;         ///< The beginning of their qualified names.
  bool areFilesApart = false; ///< Whether each file imports what it needs, so that it is parsed when it is first used.
};

inline constexpr PreludeModule torchPrelude{"__torch__.torch"};
inline constexpr PreludeModule functionalPrelude{"__torch__.torch.nn.functional"};
inline constexpr PreludeModule attentionPrelude{"__torch__.torch.nn.functional"};
inline constexpr PreludeModule gradientsPrelude{"__torch__.gradients", true};
inline constexpr PreludeModule optimPrelude{"__torch__.torch.optim"};
inline constexpr PreludeModule utilsPrelude{"__torch__.torch.nn.utils"};
inline constexpr PreludeModule sequencesPrelude{"__torch__.torch.nn.utils.rnn"};
inline constexpr PreludeModule torchCudaPrelude{"__torch__.torch.cuda"};
inline constexpr PreludeModule absentDevicesPrelude{"__torch__.torch.absent_devices"};
inline constexpr PreludeModule nnPrelude{"__torch__.torch.nn"};
inline constexpr PreludeModule initPrelude{"__torch__.torch.nn.init"};
inline constexpr PreludeModule distributedPrelude{"__torch__.torch.distributed"};
inline constexpr PreludeModule distributedNnPrelude{"__torch__.torch.distributed.nn"};
inline constexpr PreludeModule distributedOptimPrelude{"__torch__.torch.distributed.optim"};
inline constexpr PreludeModule parallelPrelude{"__torch__.torch.nn.parallel"};
inline constexpr PreludeModule pathlibPrelude{"__torch__.pathlib"};
inline constexpr PreludeModule pythonPrelude{"__torch__.python"};
inline constexpr PreludeModule profilerPrelude{"__torch__.torch.classes.profiler"};
inline constexpr PreludeModule prepackedPrelude{"__torch__.torch.classes.xnnpack"};
inline constexpr PreludeModule upgradersPrelude{"__torch__.torch.upgraders"};
inline constexpr PreludeModule quantizedPrelude{"__torch__.torch.classes.quantized", true};
inline constexpr PreludeModule audioPrelude{"__torch__.torch.classes.torchaudio"};
inline constexpr PreludeModule cellsPrelude{"__torch__.torch.classes.rnn"};

/// A file of the prelude.
struct PreludeFile {
  std::string name; ///< The name that diagnostics show.
  std::string text; ///< TorchScript.
};

/// Where a compiler finds the texts of the prelude. tsc::Prelude has those that come with tsc (prelude()); a host may
/// hand in others.
///
/// Threads: every function may be called from many threads at once.
class PreludeTexts {
public:
  /// Returns the files of a module, one of those above. A compiler asks once for each module that it needs.
  virtual std::vector<PreludeFile> files(const PreludeModule &module) const = 0;
  /// Returns the text of a class of containers. `T` stands for the type of elements, and `NAME` for it in names.
  virtual std::string containerClass(ContainerKind kind) const = 0;

protected:
  ~PreludeTexts() = default; // who uses the texts does not own them
};

} // namespace tsc

#endif
