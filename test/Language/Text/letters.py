# Text counts code points, at every level.
# RUN: tsc-run %s --entry letters --args '"été"' -O0 | FileCheck --check-prefix=SHORT %s
# RUN: tsc-run %s --entry letters --args '"été"' -O1 | FileCheck --check-prefix=SHORT %s
# RUN: tsc-run %s --entry letters --args '"été"' -O2 --compile=eager | FileCheck --check-prefix=SHORT %s
# RUN: tsc-run %s --entry letters --args '"été"' -O3 --compile=eager | FileCheck --check-prefix=SHORT %s
# SHORT: (['é', 't', 'é'], 3, 't', 'é', 'té', 'été', 1, 1, 4, 'été  |', 'ééétééé', 233, 'é', '中', 2)
# RUN: tsc-run %s --entry letters --args '"ein langer Text mit ä, ö, ü und é am Ende"' -O0 | FileCheck --check-prefix=LONG %s
# RUN: tsc-run %s --entry letters --args '"ein langer Text mit ä, ö, ü und é am Ende"' -O1 | FileCheck --check-prefix=LONG %s
# RUN: tsc-run %s --entry letters --args '"ein langer Text mit ä, ö, ü und é am Ende"' -O2 --compile=eager | FileCheck --check-prefix=LONG %s
# RUN: tsc-run %s --entry letters --args '"ein langer Text mit ä, ö, ü und é am Ende"' -O3 --compile=eager | FileCheck --check-prefix=LONG %s
# LONG: (['e', 'i', 'n', {{.*}} 'E', 'n', 'd', 'e'], 41, 'i', 'e', 'in', 'ednE ma é dnu ü ,ö ,ä tim txeT regnal nie', 14, 18, 42, 'ein langer Text mit ä, ö, ü und é am Ende|', 'ein langer Text mit ä, ö, ü und é am Ende', 101, 'é', '中', 32)
# RUN: %exits 1 tsc-run %s --entry beyond --args '"éé"' -O0 2>&1 | FileCheck --check-prefix=BEYOND %s
# RUN: %exits 1 tsc-run %s --entry beyond --args '"éé"' -O1 2>&1 | FileCheck --check-prefix=BEYOND %s
# RUN: %exits 1 tsc-run %s --entry beyond --args '"éé"' -O2 --compile=eager 2>&1 | FileCheck --check-prefix=BEYOND %s
# RUN: %exits 1 tsc-run %s --entry beyond --args '"éé"' -O3 --compile=eager 2>&1 | FileCheck --check-prefix=BEYOND %s
# BEYOND: error: IndexError: string index out of range
from typing import List


def letters(s: str):
    each: List[str] = []
    for c in s:
        each.append(c)
    places = 0
    for i in range(len(s)):
        if s[i] == "é":
            places += i
    return (each, len(s), s[1], s[-1], s[1:3], s[::-1], s.find("t"), s.rfind("t"), s.count(""), s.ljust(5) + "|",
            s.center(7, "é"), ord(s[0]), chr(233), chr(0x4e2d), places)


def beyond(s: str):
    return s[2]
