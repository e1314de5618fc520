# Refuses machines that store the highest byte of a number first. Archives, tables and compiled code have the lowest first, and
# tensors are mapped from files as they are. include/tsc/Support/ByteOrder.h says the same to a compiler that CMake did not ask.
if(CMAKE_CXX_BYTE_ORDER STREQUAL "BIG_ENDIAN")
  message(FATAL_ERROR "tsc does not run on big-endian machines: the numbers in archives and in compiled code are little-endian, "
    "and tsc uses them as they are.")
endif()
