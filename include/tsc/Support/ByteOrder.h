//===- ByteOrder.h - Refuses big-endian machines ----------------*- C++ -*-===//
//
// Numbers in archives and in compiled code have their lowest byte first, and tensors
// are mapped from files as they are.
//
//===----------------------------------------------------------------------===//
#ifndef TSC_SUPPORT_BYTEORDER_H
#define TSC_SUPPORT_BYTEORDER_H

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "tsc does not run on big-endian machines: numbers in archives and in compiled code are little-endian"
#endif

#endif
