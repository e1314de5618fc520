// Columns that say of which kind an operator is become lines with the positions of operands, and enumerators.
// RUN: tsc-tblgen -gen-op-facts -I %source_dir/include %s | FileCheck %s
include "tsc/IR/Ops/Base.td"

// The first factor is transposed, and something is added. Forms that write have no lines of their own.
// CHECK:     PRODUCT(Aten_layer, 2, 0, 1, -1, 3, true, false)
// CHECK-NOT: Aten_layer_
def Aten_layer : Op<"aten::layer(Tensor self, Tensor bias, Tensor weight, *, Scalar alpha=1) -> Tensor"> {
  let product = ["weight.t", "self", "bias"]; let variants = [InPlace, Out];
}

// CHECK:     ARITHMETIC(Aten_minus, Subtract)
def Aten_minus : PointwiseOp<"aten::minus(Tensor self, Tensor other) -> Tensor"> {
  let scalar = [{ self - other }]; let arithmetic = "Subtract"; let variants = [InPlace];
}

// CHECK:     VIEW(Aten_piece, Part)
def Aten_piece : Op<"aten::piece(Tensor(a) self, int at) -> Tensor(a)"> { let view = "Part"; }

// CHECK:     CONTAINER_QUERY(Aten_size_of, Length)
def Aten_size_of : Op<"aten::size_of(int[] list) -> int"> { let containerQuery = "Length"; }

// CHECK:     CONVERSION(Aten_text, Explicit)
def Aten_text : Op<"aten::text(int a) -> str"> { let conversion = "Explicit"; }
