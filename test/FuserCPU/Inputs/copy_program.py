"""copy_program.py PROGRAM PLAIN SETUID USER: copies of a program, of which the second runs with the rights of a user."""
import os
import shutil
import sys

program, plain, setuid, user = sys.argv[1:]
for copy in (plain, setuid):
    shutil.copy(shutil.which(program), copy)
    os.chown(copy, int(user), int(user))
    os.chmod(copy, 0o755 if copy == plain else 0o4755)
