//===- NestCompilerTest.cpp - Object files of loop nests ------------------===//
#include "tsc/CodeGen/NestCompiler.h"
#include <catch2/catch.hpp>

using namespace tsc;
using namespace tsc::fuser;

/// A contiguous row of floats that is copied.
static LoopNest copyNest() {
  LoopNest nest;
  const unsigned from = nest.addOperand({DType::Float, Access::Contiguous, /*isOutput=*/false}),
                 to = nest.addOperand({DType::Float, Access::Contiguous, /*isOutput=*/true});
  nest.store(nest.load(from), to);
  nest.findLevels();
  return nest;
}

TEST_CASE("CodeGen: a nest becomes an object with its symbol, the same one each time") {
  if (machineSimdLevel() == SimdLevel::V2)
    return;
  auto compiler = NestCompiler::create(codegen::CodeTarget::host(machineSimdLevel()));
  REQUIRE(compiler.ok());
  const LoopNest nest = copyNest();
  auto object = (*compiler)->compile({&nest}), again = (*compiler)->compile({&nest});
  REQUIRE(object.ok());
  REQUIRE(again.ok());
  CHECK(object->symbols == std::vector<std::string>{nest.symbolName()});
  CHECK(llvm::StringRef(object->bytes)
            .starts_with("\x7f"
                         "ELF"));
  CHECK(object->bytes == again->bytes);
  auto text = (*compiler)->printed(nest, /*assembly=*/false);
  REQUIRE(text.ok());
  CHECK(llvm::StringRef(*text).contains("define void @" + nest.symbolName()));
}

TEST_CASE("CodeGen: code for v3 uses no registers of v4") {
  if (!machineHas(SimdLevel::V4))
    return;
  const LoopNest nest = copyNest();
  auto assemblyFor = [&](SimdLevel level) {
    auto compiler = NestCompiler::create(codegen::CodeTarget::host(level));
    REQUIRE(compiler.ok());
    auto text = (*compiler)->printed(nest, /*assembly=*/true);
    REQUIRE(text.ok());
    return *text;
  };
  CHECK(llvm::StringRef(assemblyFor(SimdLevel::V4)).contains("%zmm"));
  const std::string ofV3 = assemblyFor(SimdLevel::V3);
  CHECK_FALSE(llvm::StringRef(ofV3).contains("%zmm"));
  CHECK_FALSE(llvm::StringRef(ofV3).contains("%k1"));
  CHECK(llvm::StringRef(ofV3).contains("%ymm"));
}

TEST_CASE("CodeGen: what cannot be compiled for is said in a sentence") {
#if defined(__x86_64__)
  auto old = NestCompiler::create(codegen::CodeTarget::host(SimdLevel::V2));
  REQUIRE_FALSE(old.ok());
  CHECK(llvm::StringRef(messageOf(old.status())).starts_with("kernels for fused operators need fused multiply-add"));
#endif
  if (machineSimdLevel() == SimdLevel::V2)
    return;
  auto unknown = NestCompiler::create(codegen::CodeTarget::host(machineSimdLevel(), "nonesuch"));
  REQUIRE_FALSE(unknown.ok());
  CHECK(messageOf(unknown.status()) == "LLVM knows no processor 'nonesuch' to tune kernels for; groups run unfused");
}
