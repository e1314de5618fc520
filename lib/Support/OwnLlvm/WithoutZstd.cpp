//===- WithoutZstd.cpp - LLVM's compression, which nothing here asks for --===//
//
// LLVM can compress debug sections of object files, and names the functions of zstd for it. No tool of ours asks for
// that, so that programs and the shared library, whose LLVM is their own, have these functions in the place of the
// library. Each answers as zstd does where it has no memory or was handed no data of its own: LLVM reports an error.
//
//===----------------------------------------------------------------------===//
#include <cstddef>

#define TSC_ZSTD extern "C" __attribute__((visibility("hidden")))

TSC_ZSTD void *ZSTD_createCCtx() { return nullptr; }
TSC_ZSTD size_t ZSTD_freeCCtx(void *) { return 0; }
TSC_ZSTD size_t ZSTD_CCtx_setParameter(void *, int, int) { return size_t(-1); }
TSC_ZSTD size_t ZSTD_compressBound(size_t size) { return size; }
TSC_ZSTD size_t ZSTD_compress2(void *, void *, size_t, const void *, size_t) { return size_t(-1); }
TSC_ZSTD size_t ZSTD_decompress(void *, size_t, const void *, size_t) { return size_t(-1); }
TSC_ZSTD unsigned ZSTD_isError(size_t code) { return code == size_t(-1); }
TSC_ZSTD const char *ZSTD_getErrorName(size_t) { return "this program has no zstd"; }
