//===- All.td - Every operator ----------------------------------*- tablegen -*-===//
//
// The order of the files is the order in which overloads of one name are tried.
//
//===----------------------------------------------------------------------===//
include "tsc/IR/Ops/Base.td"
include "tsc/IR/Ops/Arithmetic.td"
include "tsc/IR/Ops/Comparison.td"
include "tsc/IR/Ops/Rounding.td"
include "tsc/IR/Ops/Elementary.td"
include "tsc/IR/Ops/Activation.td"
include "tsc/IR/Ops/Special.td"
include "tsc/IR/Ops/Reductions.td"
include "tsc/IR/Ops/Views.td"
include "tsc/IR/Ops/Factories.td"
include "tsc/IR/Ops/Random.td"
include "tsc/IR/Ops/Indexing.td"
include "tsc/IR/Ops/Sorting.td"
include "tsc/IR/Ops/LinearAlgebra.td"
include "tsc/IR/Ops/Convolution.td"
include "tsc/IR/Ops/NeuralNet.td"
include "tsc/IR/Ops/Fourier.td"
include "tsc/IR/Ops/Quantized.td"
include "tsc/IR/Ops/Scalars.td"
include "tsc/IR/Ops/Containers.td"
include "tsc/IR/Ops/Strings.td"
include "tsc/IR/Ops/Prims.td"
include "tsc/IR/Ops/Files.td"
