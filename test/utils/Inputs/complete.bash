# Completes a command line as bash does, and prints what it would offer, sorted: complete.bash FILE WORD...
# FILE is the completion of the tool; the last word is the one that the cursor stands behind, and may be empty.
set -eu
source "$1"
shift
COMP_WORDS=("${1##*/}" "${@:2}")
COMP_CWORD=$(($# - 1))
specification=$(complete -p "${COMP_WORDS[0]}")
[[ $specification =~ -F\ ([a-z_]+) ]]
set +eu # completion functions run without
"${BASH_REMATCH[1]}"
for reply in "${COMPREPLY[@]}"; do
  echo "offered: $reply"
done | LC_ALL=C sort -u
echo "words offered: $(printf '%s\n' "${COMPREPLY[@]}" | LC_ALL=C sort -u | grep -c .)"
