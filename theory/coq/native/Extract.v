(* The checker of Checker.v as OCaml.  Only booleans, options, pairs and      *)
(* lists are mapped to OCaml's own; numbers stay the binary ones of Coq.      *)
From Coq Require Import NArith PArith Extraction ExtrOcamlBasic.
From Verifier Require Import Checker.
Extraction Language OCaml.
Extraction "kernel.ml" check.
