// Operators become functions of namespace at and methods of Tensor by PyTorch's rules for C++.
// RUN: tsc-tblgen -gen-torch-functions -I %source_dir/include %s | FileCheck %s
// RUN: tsc-tblgen -gen-torch-methods -I %source_dir/include %s | FileCheck %s --check-prefix=METHOD
// RUN: tsc-tblgen -gen-torch-names -I %source_dir/include %s | FileCheck %s --check-prefix=NAME
include "tsc/IR/Ops/Base.td"

// Types and defaults are those of C++. What is written comes first in f_out and last in f_outf, which has no defaults.
// CHECK:      inline Tensor add_up(const Tensor &self, IntArrayRef dim = {-1}, bool keepdim = false, c10::optional<ScalarType> dtype = c10::nullopt) {
// CHECK-SAME: call.tensor(self); call.integers(dim); call.boolean(keepdim); call.optionalDtype(dtype); call.run(1); return call.giveTensor(0);
// CHECK:      inline Tensor &{{ ?}}add_up_out(Tensor &out, const Tensor &self, IntArrayRef dim = {-1},
// CHECK-SAME: call.optionalDtype(dtype); call.tensor(out); call.run(1); return out;
// CHECK:      inline Tensor &{{ ?}}add_up_outf(const Tensor &self, IntArrayRef dim, bool keepdim, c10::optional<ScalarType> dtype, Tensor &out)
// METHOD:     Tensor add_up(IntArrayRef dim = {-1}, bool keepdim = false, c10::optional<ScalarType> dtype = c10::nullopt) const {
// METHOD-SAME: op("aten::add_up", ""); Tensor &self = const_cast<Tensor &>(*this);
// NAME:       add_up
def Aten_add_up : Op<"aten::add_up(Tensor self, int[1] dim=[-1], bool keepdim=False, *, ScalarType? dtype=None) -> Tensor"> {
  let variants = [Out];
}

// An operator that writes to its operand returns it.
// METHOD:     Tensor &{{ ?}}halve_() const {
// METHOD-SAME: return self;
// NAME-NEXT:  halve
def Aten_halve : Op<"aten::halve(Tensor self) -> Tensor"> { let variants = [InPlace]; }

// An overload of TorchScript alone is left out.
// CHECK-NOT:  item_count
// METHOD-NOT: item_count
// NAME-NOT:   item_count
def Aten_item_count : Op<"aten::item_count.t(t[] a) -> int">;

// The dtype, layout, device and pin_memory of a factory are TensorOptions, or four optionals without defaults.
// CHECK:      inline Tensor make(IntArrayRef size, TensorOptions options = {}) {
// CHECK-SAME: call.integers(size); call.options(options);
// CHECK:      inline Tensor make(IntArrayRef size, c10::optional<ScalarType> dtype, c10::optional<Layout> layout, c10::optional<Device> device, c10::optional<bool> pin_memory) {
// NAME-NEXT:  make
def Aten_make : Op<"aten::make(int[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor">;

// Of overloads that a call could not choose between, a later one loses defaults.
// CHECK:      inline Tensor steps(const Scalar &end, const Scalar &width = 1) {
// CHECK:      inline Tensor steps(const Scalar &start, const Scalar &end, const Scalar &width) {
// CHECK-SAME: op("aten::steps", "start")
// NAME-NEXT:  steps
def Aten_steps : Op<"aten::steps(Scalar end, Scalar width=1) -> Tensor">;
def Aten_steps_start : Op<"aten::steps.start(Scalar start, Scalar end, Scalar width=1) -> Tensor">;

// Several results are a tuple.
// CHECK:      inline std::tuple<Tensor, std::vector<Tensor>> tear(const Tensor &self) {
// CHECK-SAME: call.run(2); return std::tuple<Tensor, std::vector<Tensor>>(call.giveTensor(0), call.giveTensors(1));
// NAME-NEXT:  tear
def Aten_tear : Op<"aten::tear(Tensor self) -> (Tensor rest, Tensor[] pieces)">;
