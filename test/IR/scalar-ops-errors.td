// RUN: not tsc-tblgen -gen-op-facts -I %source_dir/include %s -o %t 2>&1 | FileCheck %s
include "tsc/IR/Ops/Base.td"

// CHECK: [[@LINE+1]]:5: error: scalarOp: 'backwards' is not `swapped`
def Aten_top : Op<"aten::top(int a, int b) -> bool"> { let scalarOp = "Bottom:I backwards"; }
