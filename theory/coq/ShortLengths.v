(* Chapter 2: at lengths 1 and 2 one feature is exact (2.1, 2.2).            *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Verifier Require Import Head.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Upper.
Variables (R : realFieldType) (m : nat).
Definition bits (z : tok m) : 'rV[R]_m := \row_i (z i : nat)%:R.

Lemma dot_bits x z : dot (bits x) (bits z) = (ip x z)%:R.
Proof.
rewrite /ip -sum1_card big_mkcond /= natr_sum; apply: eq_bigr => i _.
by rewrite !mxE !inE -natrM mulnb; case: (_ && _).
Qed.

Definition headA k : head R m k 1 m :=
  Head (fun=> const_mx 1) (fun _ _ => const_mx 1) (fun=> 1) (fun _ z => bits z)
       bits (fun x => 2%:R *: bits x) (fun x => - (wt x)%:R).

Lemma kernA k p x z : kern (headA k) p x z = 1.
Proof. by rewrite /kern /dot big_ord_recl big_ord0 !mxE mulr1 addr0. Qed.

Lemma denA k x w : den (headA k) x w = k.+1%:R.
Proof.
by rewrite /den (eq_bigr (fun=> 1)) => [|p _]; rewrite ?kernA // sumr_const card_ord mulrS.
Qed.

Lemma validA k : valid (headA k).
Proof.
by split=> [p x z|x|x w]; rewrite ?kernA ?denA ?ltr0n ?ler01.
Qed.

Lemma dotZl u c (v : 'rV[R]_m) : dot (c *: u) v = c * dot u v.
Proof. by rewrite /dot mulr_sumr; apply: eq_bigr => l _; rewrite mxE mulrA. Qed.

Theorem length1_exact x w : out (headA 0) x w = (target x w)%:R.
Proof.
rewrite /target big_ord0 outE ?denA ?ltr0n // big_ord0 /= addr0 divr1 mul1r.
by rewrite /us /= dotZl dot_bits ip_xx -mulr_natl; ring.
Qed.

Theorem length2_exact x w : out (headA 1) x w = (target x w)%:R.
Proof.
rewrite (@target_min _ _ x w (ip x (w ord0))) => [|p|]; [|by rewrite (ord1 p)|by exists ord0].
rewrite outE ?denA ?ltr0n // big_ord_recl big_ord0 kernA /= addr0 !mul1r.
rewrite /us /uc /= !dotZl !dot_bits ip_xx.
apply: (mulIf (_ : 2%:R != 0)); first by rewrite pnatr_eq0.
by rewrite mulfVK ?pnatr_eq0 //; ring.
Qed.

End Upper.

