(* Kernels of any sign, position-independent keys and values, every           *)
(* denominator different from zero: gap domination at full strength for       *)
(* absolute values, and the rank bound with r + 1.                            *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra ring.
From Verifier Require Import Head Domination Amplification Rank.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* One query: masses p = D(z), q' = (n-2) D(z'), outputs F, G on constant     *)
(* companions and X on the mixed ones, targets s <= s'.                       *)
Section Mixed.
Variables (R : realFieldType) (s s' e : R).
Let bound (F t : R) := t - e < F /\ F < t + e.

Lemma mixed_same (p q F G X : R) : 0 < p -> 0 <= q ->
  bound F s -> bound G s' -> bound X s -> X * (p + q) = p * F + q * G ->
  q * (s' - s - 2%:R * e) < 2%:R * e * p.
Proof.
move=> p0 q0 [F1 _] [G1 _] [_ X2] E; rewrite -subr_gt0.
have -> : 2%:R * e * p - q * (s' - s - 2%:R * e) =
  p * (F - (s - e)) + (q * (G - (s' - e)) + (p + q) * (s + e - X)) + (X * (p + q) - (p * F + q * G)).
  by ring.
rewrite E subrr addr0 ltr_paddr ?mulr_gt0 ?subr_gt0 //.
by rewrite addr_ge0 ?mulr_ge0 ?subr_ge0 ?addr_ge0 // ltW.
Qed.

Lemma mixed_opposite (p q F G X : R) : 0 < p -> 0 <= q -> p - q != 0 -> 2%:R * e <= s' - s ->
  bound F s -> bound G s' -> bound X s -> X * (p - q) = p * F - q * G ->
  q * (s' - s) < 2%:R * e * p.
Proof.
move=> p0 q0 pq ge [F1 F2] [G1 _] [X1 X2] E; case: (ltgtP p q) => [lt|lt|pqE].
- have : 0 < q * (2%:R * e - (s' - s)).
    have -> : q * (2%:R * e - (s' - s)) = p * (s + e - F) +
      ((q - p) * (s + e - X) + q * (G - (s' - e))) - (X * (p - q) - (p * F - q * G)) by ring.
    rewrite E subrr subr0 ltr_paddr ?mulr_gt0 ?subr_gt0 //.
    by rewrite addr_ge0 ?mulr_ge0 ?subr_ge0 // ltW.
  by rewrite ltNge mulr_ge0_le0 // subr_le0.
- rewrite -subr_gt0.
  have -> : 2%:R * e * p - q * (s' - s) = p * (s + e - F) +
    ((p - q) * (X - (s - e)) + q * (G - (s' - e))) - (X * (p - q) - (p * F - q * G)) by ring.
  rewrite E subrr subr0 ltr_paddr ?mulr_gt0 ?subr_gt0 //.
  by rewrite addr_ge0 ?mulr_ge0 ?subr_ge0 // ltW.
by rewrite pqE subrr eqxx in pq.
Qed.

Lemma mixed_signs (n : nat) (D D' F G X : R) : D != 0 -> D + n%:R * D' != 0 -> 0 < e ->
  2%:R * e <= s' - s -> bound F s -> bound G s' -> bound X s ->
  X * (D + n%:R * D') = D * F + n%:R * D' * G ->
  n%:R * (s' - s - 2%:R * e) * `|D'| < 2%:R * e * `|D|.
Proof.
move=> D0 Q0 e0 ge bF bG bX E; rewrite mulrAC; move: E.
wlog Dp : D D' D0 Q0 / 0 < D.
  move=> W; case: (ltgtP D 0) => [lt E|/W|D00]; [|exact|by rewrite D00 eqxx in D0].
  rewrite -(normrN D) -(normrN D'); apply: W; rewrite ?oppr_eq0 ?oppr_gt0 //.
    by rewrite mulrN -opprD oppr_eq0.
  by rewrite !mulrN -opprD mulrN E opprD !mulNr.
move=> E; rewrite [X in _ < _ * X](gtr0_norm Dp); case: (leP 0 D') => D'0.
  rewrite ger0_norm //; apply: (mixed_same Dp _ bF bG bX) => //.
  by rewrite mulr_ge0 ?ler0n.
rewrite ltr0_norm //; set q := n%:R * - D'.
have q0 : 0 <= q by rewrite mulr_ge0 ?ler0n // oppr_ge0 ltW.
have qE : n%:R * D' = - q by rewrite /q mulrN opprK.
apply: (@le_lt_trans _ _ (q * (s' - s))).
  by rewrite ler_wpmul2l // ler_subl_addr ler_addl mulr_ge0 ?ler0n // ltW.
apply: (mixed_opposite Dp q0 _ ge bF bG bX).
  by rewrite -qE.
by rewrite -qE E qE mulNr.
Qed.
End Mixed.

Section Signed.
Variables (R : realFieldType) (m n r d : nat) (h : head R m n.+1 r d) (e : R).
Hypothesis stat : forall p q z, phiK h p z = phiK h q z /\ valc h p z = valc h q z.
Hypothesis den_neq0 : forall x w, den h x w != 0.
Hypothesis ah : accurate h e.
Let sD_neq0 := sD_neq0 stat den_neq0.
Hypothesis e_gt0 : 0 < e.

Theorem signed_gap x z z' : (ip x z <= ip x z')%N -> 2%:R * e <= (ip x z')%:R - (ip x z)%:R ->
  n%:R * ((ip x z')%:R - (ip x z)%:R - 2%:R * e) * `|sD h x z'| < 2%:R * e * `|sD h x z|.
Proof.
move=> zz' ge; have b t z1 z2 : target x (mix (n:=n) z1 z2) = t ->
  t%:R - e < out h x (mix z1 z2) /\ out h x (mix z1 z2) < t%:R + e.
  by move=> <-; have := ah x (mix z1 z2); rewrite ltr_distl => /andP[].
apply: (mixed_signs (sD_neq0 x z) _ e_gt0 ge (b _ z z _) (b _ z' z' _) (b _ z z' _)).
- by rewrite -(den_mix stat) mulf_neq0 ?den_neq0 ?pnatr_eq0.
- exact: target_mix.
- exact: target_mix.
- exact: target_mix.
by rewrite (out_mix stat den_neq0) -(out_const stat den_neq0 x z) -(out_const stat den_neq0 x z'); ring.
Qed.

Theorem signed_step x z z' g : 2%:R * e <= g%:R -> (ip x z + g <= ip x z')%N ->
  gain n e g * `|sD h x z'| < `|sD h x z|.
Proof.
move=> hg le; have e2 : 0 < 2%:R * e by rewrite mulr_gt0 ?ltr0n.
have gd : g%:R <= (ip x z')%:R - (ip x z)%:R :> R by rewrite ler_subr_addl -natrD ler_nat.
rewrite /gain mulrAC ltr_pdivr_mulr // [X in _ < X]mulrC.
apply: le_lt_trans (signed_gap (leq_trans (leq_addr _ _) le) (le_trans hg gd)).
by rewrite ler_wpmul2r // ler_wpmul2l ?ler0n // ler_add2r.
Qed.

Theorem signed_chain x g gs z z' : okgaps e (g :: gs) -> (ip x z + sumn (g :: gs) <= ip x z')%N ->
  gains n e (g :: gs) * `|sD h x z'| < `|sD h x z|.
Proof.
move=> ok le; apply: (@amplification R n e (tok m) (ip x) (fun z => `|sD h x z|) (wt x)
          e_gt0 (ip_wt x) (@ip_onto m x)) => // y y' q q0 le'.
exact: signed_step.
Qed.

(* D has rank at most r + 1 *)
Lemma sD_rank K (X Y : 'I_K -> tok m) :
  (\rank (\matrix_(i, j) sD h (X i) (Y j)) <= r.+1)%N.
Proof.
pose Q : 'M[R]_(K, 1 + r) := row_mx (\col_i self h (X i)) (\matrix_(i, l) phiQ h (X i) 0 l).
pose B : 'M[R]_(1 + r, K) := col_mx (const_mx 1) (\matrix_(l, j) (n.+1%:R * phiK h ord0 (Y j) 0 l)).
have -> : \matrix_(i, j) sD h (X i) (Y j) = Q *m B.
  rewrite mul_row_col; apply/matrixP => i j; rewrite !mxE big_ord1 !mxE mulr1 /sD /kern /dot.
  by congr (_ + _); rewrite mulr_sumr; apply: eq_bigr => l _; rewrite !mxE mulrCA.
exact: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
Qed.


(* the normalised matrix: unit diagonal, rank at most r + 1                   *)
Definition sM K (X Y : 'I_K -> tok m) : 'M[R]_K :=
  diag_mx (\row_i (sD h (X i) (Y i))^-1) *m \matrix_(i, j) sD h (X i) (Y j).
Lemma sME K (X Y : 'I_K -> tok m) i j : sM X Y i j = (sD h (X i) (Y i))^-1 * sD h (X i) (Y j).
Proof. by rewrite /sM mul_diag_mx !mxE. Qed.
Lemma sM_diag K (X Y : 'I_K -> tok m) i : sM X Y i i = 1.
Proof. by rewrite sME mulVf ?sD_neq0. Qed.
Lemma sM_rank K (X Y : 'I_K -> tok m) : (\rank (sM X Y) <= r.+1)%N.
Proof. exact: leq_trans (mxrankM_maxr _ _) (sD_rank X Y). Qed.
Lemma sM_lt K (X Y : 'I_K -> tok m) i j g gs : okgaps e (g :: gs) ->
  (ip (X i) (Y i) + sumn (g :: gs) <= ip (X i) (Y j))%N ->
  gains n e (g :: gs) * `|sM X Y i j| < sM X Y i i.
Proof.
move=> ok le; rewrite sM_diag sME normrM normfV mulrCA mulrC ltr_pdivr_mulr ?mul1r.
  exact: signed_chain.
by rewrite normr_gt0 sD_neq0.
Qed.
End Signed.
