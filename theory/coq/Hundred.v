(* Tokens of 100 bits: r*(100,3) >= 118316 by counting the words of weight 47. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Verifier Require Import Checker Counting Model Statements.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Definition certificate : counting_cert := @CountingCert
  100%nat 3%num 1%num 2%num 118316%num 47%nat
  [:: [::]; [::]; [:: 2]; [:: 3]; [:: 4]; [:: 5]; [:: 6]; [:: 7]; [:: 4; 4]; [:: 5; 4];
   [:: 5; 5]; [:: 6; 5]; [:: 4; 4; 4]; [:: 5; 4; 4]; [:: 5; 5; 4]; [:: 5; 5; 5];
   [:: 4; 4; 4; 4]; [:: 5; 4; 4; 4]; [:: 5; 5; 4; 4]; [:: 5; 5; 5; 4]; [:: 5; 5; 5; 5];
   [:: 5; 4; 4; 4; 4]; [:: 5; 5; 4; 4; 4]; [:: 5; 5; 5; 4; 4]; [:: 5; 5; 5; 5; 4];
   [:: 5; 5; 5; 5; 5]; [:: 5; 5; 4; 4; 4; 4]; [:: 5; 5; 5; 4; 4; 4];
   [:: 5; 5; 5; 5; 4; 4]; [:: 5; 5; 5; 5; 5; 4]; [:: 5; 5; 5; 5; 5; 5];
   [:: 5; 5; 5; 4; 4; 4; 4]; [:: 5; 5; 5; 5; 4; 4; 4]; [:: 5; 5; 5; 5; 5; 4; 4];
   [:: 5; 5; 5; 5; 5; 5; 4]; [:: 5; 5; 5; 5; 5; 5; 5]; [:: 5; 5; 5; 5; 4; 4; 4; 4];
   [:: 5; 5; 5; 5; 5; 4; 4; 4]; [:: 5; 5; 5; 5; 5; 5; 4; 4]; [:: 5; 5; 5; 5; 5; 5; 5; 4];
   [:: 5; 5; 5; 5; 5; 5; 5; 5]; [:: 5; 5; 5; 5; 5; 4; 4; 4; 4];
   [:: 5; 5; 5; 5; 5; 5; 4; 4; 4]; [:: 5; 5; 5; 5; 5; 5; 5; 4; 4];
   [:: 5; 5; 5; 5; 5; 5; 5; 5; 4]; [:: 5; 5; 5; 5; 5; 5; 5; 5; 5];
   [:: 5; 5; 5; 5; 5; 5; 4; 4; 4; 4]; [:: 5; 5; 5; 5; 5; 5; 5; 4; 4; 4]]%nat
  1000000000000000000000000000000%num.

Lemma accepted : counting_check certificate = true.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem certified (R : realFieldType) r d (h : attention R 100 3 r d) (i : 'I_3) :
  nonnegative h i ->
  error_below h i (1%:R / 2%:R) -> (N.to_nat 118316 <= r)%N.
Proof. exact: (@thm_counting_checker_sound certificate R _ r d h i accepted erefl). Qed.

Print Assumptions certified.
