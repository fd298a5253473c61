#!/usr/bin/env bash
# Products, Gram matrices and triangular solves reach the BLAS: where xtensor-blas is included without its switches they are right
# and come from plain loops.
# usage: blas_calls.sh <linalg's object>
set -euo pipefail
wants=$(nm --undefined-only "$1")
for routine in cblas_{s,d}{gemm,syrk,trsm}; do
  grep -qw "$routine" <<<"$wants" || { echo "$1 does not call $routine"; exit 1; }
done
