/* Numbers that must stay as they are. */
#include "tsc-c/tsc.h"
typedef char codes[TSC_INVALID_ARGUMENT == 3 && TSC_NOT_FOUND == 5 && TSC_ABORTED == 10 && TSC_DATA_LOSS == 15 ? 1 : -1];
typedef char dtypes[TSC_UINT8 == 0 && TSC_FLOAT32 == 6 && TSC_FLOAT64 == 7 && TSC_BOOL == 11 && TSC_BFLOAT16 == 15 ? 1 : -1];
typedef char kinds[TSC_KIND_NONE == 0 && TSC_KIND_TENSOR == 6 && TSC_KIND_DICT == 9 && TSC_KIND_INVALID == -1 ? 1 : -1];
typedef char description[sizeof(tsc_tensor) == 4 * sizeof(void *) + 16 ? 1 : -1];
int use(void);
int use(void) {
  codes a = {0};
  dtypes b = {0};
  kinds c = {0};
  description d = {0};
  return a[0] + b[0] + c[0] + d[0] + (tsc_error_code(NULL) == TSC_OK);
}
