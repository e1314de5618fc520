//===- Mutators.h - Changes that leave an input's structure -----*- C++ -*-===//
//
// Bytes changed at random seldom come past the first check of what has a structure:
// libFuzzer's own changes break checksums, counts, brackets and indentation. These change
// parts and write the rest around them anew.
//
// Each takes `size` bytes at `data`, where `most` have room, and returns how many they
// are afterwards. What has not the structure is changed as libFuzzer does it.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_FUZZ_MUTATORS_H
#define TSC_FUZZ_MUTATORS_H

#include <cstddef>
#include <cstdint>

namespace tsc::fuzz {

/// Tokens and lines of TorchScript, of graphs and of schemas: taken away, doubled, exchanged, nested, indented.
size_t mutateText(uint8_t *data, size_t size, size_t most, unsigned seed);
/// Opcodes of a pickle, with their operands.
size_t mutatePickle(uint8_t *data, size_t size, size_t most, unsigned seed);
/// Entries of a zip file by what they hold: pickles, code, storages, names.
size_t mutateArchive(uint8_t *data, size_t size, size_t most, unsigned seed);

} // namespace tsc::fuzz

/// The target's inputs are changed by that function.
#define TSC_MUTATE_WITH(MUTATE)                                                                                        \
  extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {                  \
    return tsc::fuzz::MUTATE(data, size, most, seed);                                                                  \
  }

#endif // TSC_FUZZ_MUTATORS_H
