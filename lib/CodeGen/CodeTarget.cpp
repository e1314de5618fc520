//===- CodeTarget.cpp - The processor that code is made for ---------------===//
#include "tsc/CodeGen/CodeTarget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace tsc;
using namespace tsc::codegen;
using llvm::StringRef;

/// Returns the names as LLVM reads them, each with a plus before it, sorted.
static std::string featureText(llvm::SmallVector<StringRef, 0> names) {
  llvm::sort(names);
  std::string text;
  for (StringRef name : names)
    text += (text.empty() ? "+" : ",+") + name.str();
  return text;
}

/// Whether a feature of x86-64 or AArch64 is above the level. Encodings and versions of AVX-512 have names of their
/// own.
static bool isAbove(SimdLevel level, StringRef feature) {
  auto isOf = [&](std::initializer_list<StringRef> prefixes) {
    return llvm::any_of(prefixes, [&](StringRef prefix) { return feature.starts_with(prefix); });
  };
  switch (level) {
  case SimdLevel::V4: return false;
  case SimdLevel::V3: return isOf({"avx512", "avx10", "evex"});
  case SimdLevel::V2:
    return isOf({"avx", "evex", "amx", "fma", "f16c", "xop", "vaes", "vpclmulqdq", "sm3", "sm4", "sha512", "bmi",
                 "lzcnt", "movbe", "xsave"});
  case SimdLevel::Neon: return isOf({"sve", "sme"});
  }
  return false;
}

CodeTarget CodeTarget::host(SimdLevel atMost, StringRef tuneFor) {
  assert(machineHas(atMost) && "a level of this machine");
  const auto found = llvm::sys::getHostCPUFeatures();
  llvm::SmallVector<StringRef, 0> names;
  // Every AArch64 of the level has these; where LLVM cannot read what the processor has, as in an emulator, it names
  // none.
  if (atMost == SimdLevel::Neon)
    names = {"fp-armv8", "neon"};
  for (const llvm::StringMapEntry<bool> &feature : found)
    if (feature.getValue() && !llvm::is_contained(names, feature.getKey()) && !isAbove(atMost, feature.getKey()))
      names.push_back(feature.getKey());
  return {llvm::sys::getProcessTriple(), tuneFor.empty() ? llvm::sys::getHostCPUName().str() : tuneFor.str(),
          featureText(std::move(names))};
}

CodeTarget CodeTarget::generic(SimdLevel level) {
  if (level == SimdLevel::Neon)
    return {"aarch64-unknown-linux-gnu", "generic", "+fp-armv8,+neon"};
  const std::string processor = ("x86-64-" + nameOf(level)).str();
  llvm::SmallVector<StringRef, 0> named, names;
  llvm::X86::getFeaturesForCPU(processor, named);
  llvm::StringMap<bool> all; // also those that others imply
  for (StringRef feature : named) {
    all[feature] = true;
    llvm::X86::updateImpliedFeatures(feature, /*Enabled=*/true, all);
  }
  for (const llvm::StringMapEntry<bool> &feature : all)
    if (feature.getValue())
      names.push_back(feature.getKey());
  return {"x86_64-unknown-linux-gnu", processor, featureText(std::move(names))};
}

std::string CodeTarget::key() const {
  return "llvm " LLVM_VERSION_STRING " " + triple + " " + processor + " " + features;
}
