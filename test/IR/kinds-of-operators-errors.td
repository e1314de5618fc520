// A product names operands, two or three.
// RUN: not tsc-tblgen -gen-op-facts -I %source_dir/include %s 2>&1 | FileCheck %s
// RUN: not tsc-tblgen -gen-op-facts -D ONE -I %source_dir/include %s 2>&1 | FileCheck %s --check-prefix=ONE
include "tsc/IR/Ops/Base.td"

#ifndef ONE
// CHECK: [[#@LINE+1]]:5: error: product: 'mat' is no operand
def Aten_layer : Op<"aten::layer(Tensor self, Tensor weight) -> Tensor"> { let product = ["self", "mat"]; }
#else
// ONE: [[#@LINE+1]]:5: error: product: the names of two factors, and of what is added to their product
def Aten_layer : Op<"aten::layer(Tensor self, Tensor weight) -> Tensor"> { let product = ["self"]; }
#endif
