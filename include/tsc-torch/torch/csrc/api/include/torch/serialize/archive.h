//===- archive.h - Archives of tensors ------------------------ -*- C++ -*-===//
#ifndef TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_ARCHIVE_H
#define TSC_TORCH_CSRC_API_INCLUDE_TORCH_SERIALIZE_ARCHIVE_H
#include <torch/csrc/api/include/torch/serialize/input-archive.h>
#include <torch/csrc/api/include/torch/serialize/output-archive.h>

#endif
