(* Written by python -m verifier.formal --coq from a certificate.             *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Verifier Require Import Checker Model Statements.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Definition certificate : cert := @Cert
  24%nat 3%num 1%num 2%num false 19%num
  (Projection 1 5)%num 24%nat (Some 12%nat)
  [:: 340831; 681662; 1363324; 2726648; 5453296; 2517985; 5035970; 1683333;
   3366666; 6733332; 5078057; 1767507; 3535014; 7070028; 5751449; 3114291;
   6228582; 4068557; 8137114; 7885621; 7382635; 6376663; 4364719; 16436384]%num
  [:: [::]; [::]; [::]; [::]; [::]; [::]; [:: 6]; [::]; [::]; [::]; [::]; [::]; [:: 4; 4; 4]]%nat.

Lemma accepted : check certificate = true.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem certified (R : realFieldType) r d
    (h : attention R 24 3 r d) (i : 'I_3) :
  nonnegative h i ->
  error_below h i (1%:R / 2%:R) -> (19 <= r)%N.
Proof. exact: (@thm_checker_sound certificate R _ r d h i accepted erefl erefl). Qed.

Print Assumptions certified.
