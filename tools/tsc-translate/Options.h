//===- Options.h - The command line of tsc-translate ----------------------===//
#ifndef TSC_TOOLS_TSCTRANSLATE_OPTIONS_H
#define TSC_TOOLS_TSCTRANSLATE_OPTIONS_H

#include "tsc/Support/Status.h"
#include "tsc/Tensor/Scalar.h"
#include <optional>
#include <string>
#include <vector>

namespace tsc::translate {

/// What is made of the program.
enum class Form { Archive, Python, IR, Listing, Json };

struct Options {
  std::string input, output, entry;
  std::optional<Form> form;
  bool freeze = false, allowSetState = false, help = false, version = false;
  std::vector<std::string> keep;                               ///< Attributes that freezing leaves.
  std::optional<DType> dtype;                                  ///< Of floating-point weights.
  std::optional<Device> device;                                ///< Instead of the archive's devices.
  unsigned optimization = 0;                                   ///< Level of what is written; 0: as it is.
  bool progress = false;                                       ///< Tells how far it is, though nobody sees it.
  std::vector<std::pair<std::string, std::string>> extraFiles; ///< --set-metadata.
  std::optional<std::pair<std::string, std::string>> diff;     ///< Two archives.
};

/// InvalidArgument names what is wrong with the command line.
StatusOr<Options> parseOptions(int argc, const char *const *argv);
void printHelp(llvm::raw_ostream &os);

} // namespace tsc::translate

#endif
