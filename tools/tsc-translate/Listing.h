//===- Listing.h - What is in a program -----------------------------------===//
#ifndef TSC_TOOLS_TSCTRANSLATE_LISTING_H
#define TSC_TOOLS_TSCTRANSLATE_LISTING_H

#include "tsc/IR/IValue.h"
#include <map>
#include <string>
#include <vector>

namespace tsc::translate {

struct ListedAttribute {
  std::string path; ///< "encoder.weight"; of the module's own, "weight".
  std::string kind; ///< parameter, buffer or attribute.
  std::string type; ///< Of a tensor its dtype and sizes, as in `float32[64, 3]`.
  uint64_t bytes = 0;
  uint64_t digest = 0; ///< Of the contents; equal values have equal digests.
};

struct ListedMethod {
  std::string name;   ///< "encoder.forward"
  std::string schema; ///< As TorchScript declares it.
  std::string code;   ///< Its body as source; empty where it does not compile.
  std::string error;  ///< Why it does not.
};

struct ListedModule {
  std::string path, type; ///< "" is the module itself.
  bool setsState = false; ///< Its __setstate__ runs when the archive is loaded.
};

/// A method that runs when an archive is loaded.
struct ListedState {
  std::string name; ///< "__torch__.M.__setstate__"
  unsigned objects; ///< That it runs for.
  std::vector<std::string> operators, calls;
};

/// All that an archive's module holds, in the order of its attributes.
struct Listing {
  std::vector<ListedModule> modules;
  std::vector<ListedAttribute> attributes;
  std::vector<ListedMethod> methods;
  std::map<std::string, unsigned> operators; ///< How many nodes of each, in all methods that compile.
  uint64_t parameterCount = 0, storageBytes = 0;
  int64_t version = 3;        ///< That an archive of it has when it is written.
  int64_t archiveVersion = 0; ///< That the archive has which was read; 0 for none.
  std::vector<std::string> extraFiles;
  std::vector<ListedState> states;
  std::string writesState, writesArguments; ///< The first line of an archive's code that does (Program::writes).
  std::vector<std::string> missing;         ///< Operators and classes that this build lacks, in words.
};

Listing listModule(const IValue &module);
/// Lists what `method`, which runs for `objects` objects on loading, does.
void addStateMethod(Listing &listing, Function &method, unsigned objects);
void printListing(const Listing &listing, llvm::raw_ostream &os);
void printJson(const Listing &listing, llvm::raw_ostream &os);
/// Prints what differs; false when nothing does.
bool printDifference(const Listing &a, const Listing &b, llvm::raw_ostream &os);

} // namespace tsc::translate

#endif
