#!/bin/sh
# audit.sh AUDITED... -- SOURCES...
# Fails unless every theorem of the audited files is printed with its
# assumptions and every answer was "Closed under the global context", and
# unless the sources are free of Admitted, admit and axioms.
set -eu
theorems=0
while [ "$1" != -- ]; do
  file=$1; log=${file%.v}.log; shift
  stated=$(sed -n 's/^Theorem \([A-Za-z0-9_]*\).*/\1/p' "$file" | sort)
  printed=$(sed -n 's/^Print Assumptions \([A-Za-z0-9_]*\)\.$/\1/p' "$file" | sort)
  [ "$stated" = "$printed" ] || { echo "audit: $file does not print the assumptions of every theorem"; exit 1; }
  count=$(printf '%s\n' "$printed" | grep -c .)
  closed=$(grep -cx 'Closed under the global context' "$log" || true)
  lines=$(grep -c . "$log" || true)
  if [ "$count" != "$closed" ] || [ "$lines" != "$closed" ]; then
    echo "audit: $file rests on assumptions:"; cat "$log"; exit 1
  fi
  theorems=$((theorems + count))
done
shift
if grep -nwE 'Admitted|admit|Axiom|Axioms|Conjecture|Parameter|Parameters' "$@"; then
  echo "audit: the lines above are not proofs"; exit 1
fi
echo "audit: $theorems theorems, all closed under the global context"
