//===- archive.h - Forwards to where it stands ---------------- -*- C++ -*-===//
#ifndef TSC_TORCH_TORCH_SERIALIZE_ARCHIVE_H
#define TSC_TORCH_TORCH_SERIALIZE_ARCHIVE_H
#include <torch/csrc/api/include/torch/serialize/archive.h>

#endif
