(* Written by python -m verifier.formal --coq from a certificate.             *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Verifier Require Import Checker Model Statements.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Local Open Scope ring_scope.

Definition certificate : cert := @Cert
  24%nat 3%num 1%num 2%num false 19%num
  (Projection 1 5)%num 24%nat (Some 12%nat)
  [:: 8047777; 7706947; 7025287; 5661967; 2935327; 5870654; 3352701; 6705402;
   5022197; 1655787; 3311574; 6623148; 4857689; 1326771; 2653542; 5307084;
   2225561; 4451122; 513637; 1027274; 2054548; 4109096; 8218192; 8729438]%num
  [:: [::]; [::]; [::]; [::]; [::]; [::]; [:: 6]; [::]; [::]; [::]; [::]; [::]; [:: 4; 4; 4]]%nat.

Lemma accepted : check certificate = true.
Proof. vm_cast_no_check (erefl true). Qed.

Theorem certified (R : realFieldType) r d
    (h : attention R 24 3 r d) (i : 'I_3) :
  nonnegative h i ->
  error_below h i (1%:R / 2%:R) -> (19 <= r)%N.
Proof. exact: (@thm_checker_sound certificate R _ r d h i accepted erefl erefl). Qed.

Print Assumptions certified.
