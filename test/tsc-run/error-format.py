# Errors for programs: an object of JSON a line, or a document of SARIF 2.1. Columns count characters from 1.

# RUN: %exits 2 tsc-run --check-only --error-format json %s 2> %t.json
# RUN: %python -c "import json, sys; [json.loads(line) for line in open(sys.argv[1])]" %t.json
# RUN: FileCheck %s --input-file %t.json --check-prefix=JSON
# JSON-DAG: {"column":21,"end_column":29,"end_line":[[LINE:[0-9]+]],"file":"{{.*}}error-format.py","kind":"UndefinedValue","line":[[LINE]],"message":"undefined value mistaken","severity":"error"}

# RUN: %exits 2 tsc-run --check-only --error-format=sarif %s 2> %t.sarif
# RUN: %python -c "import json, sys; run = json.load(open(sys.argv[1]))['runs'][0]; r = run['results'][0]; print(run['tool']['driver']['rules'][r['ruleIndex']]['id'], r['level'], r['locations'][0]['physicalLocation']['region']['startColumn'])" %t.sarif | FileCheck %s --check-prefix=SARIF
# SARIF: UndefinedValue error 21

# A program that fails has its stack; a file that is not there has no place.
# RUN: %exits 1 tsc-run --error-format json --entry fails --args 1 %S/Inputs/fails.py 2>&1 | FileCheck %s --check-prefix=RUNS
# RUNS: {"message":"builtins.ValueError: no","severity":"error","stack":"{{.*}}line {{[0-9]+}}, in fails\n
# RUN: %exits 2 tsc-run --error-format json %t.absent.py 2>&1 | FileCheck %s --check-prefix=ABSENT
# ABSENT: {"message":"cannot open '{{.*}}': No such file or directory","severity":"error"}
# RUN: %exits 2 tsc-run --error-format xml %s 2>&1 | FileCheck %s --check-prefix=FORMAT
# FORMAT: option '--error-format' takes text|json|sarif, not 'xml'


def f(x: int) -> int:
    ü = "é"; return mistaken + x
