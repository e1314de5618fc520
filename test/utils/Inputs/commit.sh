# Makes a repository of the folder $1: a commit of all on main, one of lib/Frontend on a branch, and two changes that are in none.
set -e
cd "$1"
export GIT_AUTHOR_NAME=one GIT_AUTHOR_EMAIL=one@example.org GIT_COMMITTER_NAME=one GIT_COMMITTER_EMAIL=one@example.org
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
git init -q -b main
printf '/build\n*.pyc\n' >.gitignore
git add .
git commit -qm all
git checkout -qb branch
echo >>lib/Frontend/Type.cpp
git commit -qam one
echo >>lib/Other/Type.cpp
echo "RUN: true" >test/Docs/new.test
