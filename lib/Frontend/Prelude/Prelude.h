//===- Prelude.h - The Python side of torch, in TorchScript -------*- C++ -*-===//
#ifndef TSC_LIB_FRONTEND_PRELUDE_H
#define TSC_LIB_FRONTEND_PRELUDE_H

#include <span>
#include <string_view>

namespace tsc {

/// A file of TorchScript; the build embeds its text, deflated.
struct PreludeFile {
  const char *name;      ///< As diagnostics say it.
  std::string_view text; ///< For unpackPrelude().
};

/// Functions that see each other, of one file or of several.
struct PreludeModule {
  const char *prefix; ///< Of qualified names.
  std::span<const PreludeFile> files;
  bool areFilesApart = false; ///< Each imports what it needs, so that it is parsed when a name of it is wanted.
};

extern const PreludeModule torchPrelude, functionalPrelude, attentionPrelude, gradientsPrelude, optimPrelude,
    utilsPrelude, pathlibPrelude, nnPrelude, initPrelude, prepackedPrelude, profilerPrelude, quantizedPrelude,
    cellsPrelude, pythonPrelude, audioPrelude, sequencesPrelude, cudaPrelude, absentDevicesPrelude;
/// A class of sets, deflated: `T` is the type of elements, and `NAME` stands for it in names.
extern const std::string_view setTemplate, counterTemplate;

} // namespace tsc

#endif
