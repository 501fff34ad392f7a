(* Chapter 4, amplification: gaps along a chain of overlaps multiply (4.1),  *)
(* and the own weight of the query costs nothing (4.2).                      *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Verifier Require Import Head Domination.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* A chain of tokens whose overlaps grow by gs multiplies the factors.  f is *)
(* the overlap with the query; tokens of every overlap up to W exist.        *)
Section Chain.
Variables (R : realFieldType) (n : nat) (e : R) (T : Type) (f : T -> nat) (D : T -> R).
Variable W : nat.
Hypothesis e_gt0 : 0 < e.
Hypothesis fW : forall z, (f z <= W)%N.
Hypothesis f_onto : forall k, (k <= W)%N -> exists z, f z = k.
Hypothesis step : forall z z' g, 2%:R * e <= g%:R -> (f z + g <= f z')%N ->
  gain n e g * D z' < D z.

Theorem amplification g gs z z' : okgaps e (g :: gs) -> (f z + sumn (g :: gs) <= f z')%N ->
  gains n e (g :: gs) * D z' < D z.
Proof.
elim: gs g z => [|g2 gs IH] g z.
  by rewrite /okgaps /gains big_seq1 /= andbT addn0; apply: step.
rewrite /gains big_cons => /andP[okg okgs] /= h.
have [z1 z1E] : exists z1, f z1 = (f z + g)%N.
  by apply: f_onto; rewrite (leq_trans _ (fW z')) // (leq_trans _ h) // addnA leq_addr.
have h1 : gain n e g * D z1 < D z by apply: step; rewrite ?z1E.
apply: le_lt_trans h1; rewrite -mulrA ler_wpmul2l ?gain_ge0 //.
by apply/ltW/IH => //; rewrite z1E /= -addnA.
Qed.
End Chain.

(* removing the own weight s: no loss once the product is at least 1         *)
Lemma drop_self (R : realFieldType) (c s a a' : R) : 0 <= s -> 1 <= c ->
  c * (s + a') < s + a -> c * a' < a.
Proof.
move=> s0 c1; rewrite mulrDr -ltr_subr_addl => h; apply: (lt_le_trans h).
by rewrite addrAC ger_addr subr_le0 ler_pemull.
Qed.

Section Bound.
Variables (R : realFieldType) (m n r d : nat).
(* n.+1 candidates, sequence length n.+2 *)
Variables (h : head R m n.+1 r d) (e : R).
Hypotheses (vh : valid h) (ah : accurate h e).


Theorem mass_chain x z z' g gs : 0 < e -> okgaps e (g :: gs) ->
  (ip x z + sumn (g :: gs) <= ip x z')%N ->
  gains n e (g :: gs) * (self h x + \sum_p kern h p x z') < self h x + \sum_p kern h p x z.
Proof.
case: vh => k0 s0 d0 e0 ok le.
apply: (@amplification R n e (tok m) (ip x) (fun z => self h x + \sum_p kern h p x z) (wt x)
          e0 (ip_wt x) (@ip_onto m x)) => // y y' q q0 le'.
apply: (@gap_step R n (tok m) (fun p z => kern h p x z) (uc h x) (self h x) (us h x)
         (ip x) e _ _ y y' q e0 q0 le').
- by move=> w; apply: d0.
- move=> w t [lo at_]; have := ah x w; rewrite outE; last exact: d0.
  by rewrite (target_min lo at_).
Qed.

Theorem mass_gap x z z' g gs : 0 < e -> okgaps e (g :: gs) -> 1 <= gains n e (g :: gs) ->
  (ip x z + sumn (g :: gs) <= ip x z')%N ->
  gains n e (g :: gs) * (\sum_p kern h p x z') < \sum_p kern h p x z.
Proof.
by case: vh => k0 s0 d0 e0 ok c1 le; apply: drop_self (s0 x) c1 _; apply: mass_chain.
Qed.
End Bound.

Lemma gains_half (R : realFieldType) n gs : all (leq 1) gs ->
  gains n (2%:R^-1 : R) gs = (\prod_(g <- gs) (n * g.-1))%:R.
Proof.
have e2 : 2%:R * 2%:R^-1 = 1 :> R by rewrite mulfV ?pnatr_eq0.
elim: gs => [|g gs IH]; rewrite /gains ?big_nil // !big_cons => /= /andP[g1 /IH].
rewrite /gains => ->; rewrite natrM; congr (_ * _).
by rewrite /gain e2 divr1 natrM -subn1 natrB.
Qed.

