//===- FoldSignature.cpp - Reductions that fused kernels fold -------------===//
#include "tsc/Transforms/FoldSignature.h"
using namespace tsc;

std::optional<FoldSignature> tsc::foldSignature(OpKind op) {
  switch (op) {
  case OpKind::Aten_sum: return FoldSignature{FoldKind::Sum, -1, -1, 1};
  case OpKind::Aten_sum_dim_IntList: return FoldSignature{FoldKind::Sum, 1, 2, 3};
  case OpKind::Aten_mean: return FoldSignature{FoldKind::Mean, -1, -1, 1};
  case OpKind::Aten_mean_dim: return FoldSignature{FoldKind::Mean, 1, 2, 3};
  case OpKind::Aten_prod: return FoldSignature{FoldKind::Product, -1, -1, 1};
  case OpKind::Aten_prod_dim_int: return FoldSignature{FoldKind::Product, 1, 2, 3};
  case OpKind::Aten_amax: return FoldSignature{FoldKind::Max, 1, 2};
  case OpKind::Aten_amin: return FoldSignature{FoldKind::Min, 1, 2};
  case OpKind::Aten_max: return FoldSignature{FoldKind::Max};
  case OpKind::Aten_min: return FoldSignature{FoldKind::Min};
  case OpKind::Aten_any: return FoldSignature{FoldKind::Max, -1, -1, -1, true};
  case OpKind::Aten_any_dim: return FoldSignature{FoldKind::Max, 1, 2, -1, true};
  case OpKind::Aten_all: return FoldSignature{FoldKind::Min, -1, -1, -1, true};
  case OpKind::Aten_all_dim: return FoldSignature{FoldKind::Min, 1, 2, -1, true};
  default: return std::nullopt;
  }
}
