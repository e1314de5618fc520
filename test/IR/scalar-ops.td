// The column scalarOp names a row of ScalarOps.def, or one for each class of operands.
// RUN: tsc-tblgen -gen-op-facts -I %source_dir/include %s | FileCheck %s
include "tsc/IR/Ops/Base.td"

// Overloads whose operands are of another class than those behind the colon have none; an int beside a float is one.
// CHECK:      SCALAR_OP(Aten_sum_int, SumI, false)
// CHECK-NEXT: SCALAR_OP(Aten_sum_float_int, SumF, false)
// CHECK-NOT:  Aten_sum_
let scalarOp = "Sum:IF" in {
def Aten_sum_int       : Op<"aten::sum.int(int a, int b) -> int">;
def Aten_sum_float_int : Op<"aten::sum.float_int(float a, int b) -> float">;
def Aten_sum_bool      : Op<"aten::sum.bool(bool a, bool b) -> bool">;
def Aten_sum_complex   : Op<"aten::sum.complex(complex a, complex b) -> complex">;
def Aten_sum_mixed     : Op<"aten::sum.mixed(bool a, int b) -> int">;
}

// CHECK:      SCALAR_OP(Aten_top, BottomS, true)
def Aten_top : Op<"aten::top(str a, str b) -> bool"> { let scalarOp = "Bottom:S swapped"; }

// A row without a colon is named as it stands.
// CHECK:      SCALAR_OP(Aten_turn, Turn, false)
def Aten_turn : Op<"aten::turn(Scalar a) -> Scalar"> { let scalarOp = "Turn"; }
