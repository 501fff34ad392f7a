(* Chapter 5, from ratios to rank: the trace bound (5.2), the projection     *)
(* bound (5.3) and diagonal dominance (5.4), for real matrices.  No singular *)
(* values and no square roots: over any realFieldType.                       *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section TraceRank.
Variable R : realFieldType.

Lemma rv_sq_eq0 n (u : 'rV[R]_n) : u *m u^T = 0 -> u = 0.
Proof.
move=> h; apply/matrixP => i j; rewrite ord1 mxE.
have : (u *m u^T) 0 0 = 0 by rewrite h mxE.
rewrite mxE (eq_bigr (fun k => u 0 k ^+ 2)) => [/psumr_eq0P s0|k _]; last first.
  by rewrite mxE expr2.
by apply/eqP; rewrite -sqrf_eq0; apply/eqP/s0 => // k _; rewrite sqr_ge0.
Qed.

Lemma gram_unit k n (B : 'M[R]_(k, n)) : row_free B -> B *m B^T \in unitmx.
Proof.
move=> fB; rewrite -row_free_unit; apply: inj_row_free => v v0.
apply: (row_free_inj fB); rewrite mul0mx; apply: rv_sq_eq0.
by rewrite trmx_mul mulmxA -(mulmxA v) v0 mul0mx.
Qed.

(* A symmetric idempotent P with M P = M and trace rank M. *)
Lemma row_projector n (M : 'M[R]_n) :
  exists P : 'M[R]_n, [/\ P^T = P, P *m P = P, M *m P = M & \tr P = (\rank M)%:R].
Proof.
move: (row_base M) (row_base_free M) (col_base M) (mulmx_base M) => B fB C CB.
have uG := gram_unit fB; set G := B *m B^T in uG.
have GT : G^T = G by rewrite /G trmx_mul trmxK.
exists (B^T *m invmx G *m B); split.
- by rewrite !trmx_mul trmxK trmx_inv GT mulmxA.
- by rewrite !mulmxA -(mulmxA _ B) -/G mulmxKV.
- by rewrite -{1}CB !mulmxA -(mulmxA C B) -/G mulmxK // CB.
- by rewrite -mulmxA mxtrace_mulC -mulmxA -/G mulVmx // mxtrace1.
Qed.

Lemma sq_expand n (A B : 'I_n -> 'I_n -> R) (a b : R) :
  \sum_i \sum_j (a * A i j - b * B i j) ^+ 2 =
  a ^+ 2 * (\sum_i \sum_j A i j ^+ 2) - (a * b * \sum_i \sum_j A i j * B i j) *+ 2
  + b ^+ 2 * \sum_i \sum_j B i j ^+ 2.
Proof.
rewrite !mulr_sumr -sumrMnl -sumrB -big_split /=.
apply: eq_bigr => i _; rewrite !mulr_sumr -sumrMnl -sumrB -big_split /=.
by apply: eq_bigr => j _; ring.
Qed.

Theorem trace_rank n (M : 'M[R]_n) :
  (\tr M) ^+ 2 <= (\rank M)%:R * \sum_i \sum_j M i j ^+ 2.
Proof.
have [P [PT PP MP trP]] := row_projector M.
set rho := (\rank M)%:R : R; set F := \sum_i _; set t := \tr M.
have F0 : 0 <= F by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: sqr_ge0.
have sP : \sum_i \sum_j P j i ^+ 2 = rho.
  rewrite /rho -trP -{2}PP /mxtrace; apply: eq_bigr => i _; rewrite mxE.
  by apply: eq_bigr => j _; rewrite -{2}PT mxE expr2 -{1}PT mxE -{3}PT mxE.
have sMP : \sum_i \sum_j M i j * P j i = t.
  by rewrite /t -MP /mxtrace; apply: eq_bigr => i _; rewrite MP -[in RHS]MP mxE.
have : 0 <= \sum_i \sum_j (rho * M i j - t * P j i) ^+ 2.
  by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: sqr_ge0.
rewrite (sq_expand (fun i j => M i j) (fun i j => P j i)) sP sMP -/F.
have -> : rho ^+ 2 * F - (rho * t * t) *+ 2 + t ^+ 2 * rho = rho * (rho * F - t ^+ 2).
  by ring.
rewrite /rho; case: (posnP (\rank M)) => [r0 _|r0].
  have /eqP M0 : M == 0 by rewrite -mxrank_eq0 r0.
  by rewrite r0 mul0r /t M0 mxtrace0 expr0n.
by rewrite pmulr_rge0 ?ltr0n // subr_ge0.
Qed.

(* Weighted form of diag_rank: entries bounded by a profile times the diagonal *)
Theorem profile_rank K (M : 'M[R]_K) (rho : 'I_K -> 'I_K -> R) :
  (forall i, 0 < M i i) -> (forall i j, `|M i j| <= rho i j * M i i) ->
  K%:R ^+ 2 <= (\rank M)%:R * \sum_i \sum_j rho i j ^+ 2.
Proof.
move=> d0 od; pose N := diag_mx (\row_i (M i i)^-1) *m M.
have NE i j : N i j = (M i i)^-1 * M i j by rewrite /N mul_diag_mx !mxE.
have trN : \tr N = K%:R.
  rewrite /mxtrace (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _.
  by rewrite NE mulVf // gt_eqF.
have := trace_rank N; rewrite trN => h; apply: (le_trans h).
apply: ler_pmul; rewrite ?ler0n ?ler_nat ?mxrankM_maxr //.
  by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: sqr_ge0.
apply: ler_sum => i _; apply: ler_sum => j _.
rewrite -real_normK ?num_real // ler_expn2r ?nnegrE //.
  by rewrite -(pmulr_lge0 _ (d0 i)) (le_trans _ (od i j)).
by rewrite NE normrM normfV (ger0_norm (ltW (d0 i))) mulrC ler_pdivr_mulr.
Qed.

(* the uniform form *)
Theorem diag_rank K (M : 'M[R]_K) (c : R) :
  0 < c -> (forall i, 0 < M i i) ->
  (forall i j, i != j -> c * `|M i j| <= M i i) ->
  K%:R * c ^+ 2 <= (\rank M)%:R * (c ^+ 2 + K%:R - 1).
Proof.
case: K M => [|K] M c0 d0 od.
  by have := rank_leq_row M; rewrite leqn0 => /eqP->; rewrite !mul0r.
pose D := diag_mx (\row_i (M i i)^-1); pose N := D *m M.
have NE i j : N i j = (M i i)^-1 * M i j by rewrite /N mul_diag_mx !mxE.
have rN : (\rank N <= \rank M)%N by apply: mxrankM_maxr.
have trN : \tr N = K.+1%:R.
  rewrite /mxtrace (eq_bigr (fun=> 1)) ?sumr_const ?card_ord // => i _.
  by rewrite NE mulVf // gt_eqF.
have sqN i j : i != j -> c ^+ 2 * N i j ^+ 2 <= 1.
  move=> ij; rewrite -exprMn -real_normK ?num_real // expr_le1 //.
  rewrite NE !normrM ger0_norm ?(ltW c0) // normfV (ger0_norm (ltW (d0 i))).
  by rewrite mulrCA mulrC ler_pdivr_mulr // mul1r od.
have rowN (i : 'I_K.+1) : c ^+ 2 * (\sum_j N i j ^+ 2) <= c ^+ 2 + K.+1%:R - 1.
  rewrite (bigD1 i) //= mulrDr NE mulVf ?gt_eqF // expr1n mulr1 -addrA ler_add2l.
  have h j : j != i -> c ^+ 2 * N i j ^+ 2 <= 1 by rewrite eq_sym; apply: sqN.
  rewrite mulr_sumr (le_trans (ler_sum _ h)) //.
  by rewrite sumr_const cardC1 card_ord mulrSr addrK.
have sN : c ^+ 2 * (\sum_i \sum_j N i j ^+ 2) <= K.+1%:R * (c ^+ 2 + K.+1%:R - 1).
  rewrite mulr_sumr (le_trans (ler_sum _ (fun i _ => rowN i))) //.
  by rewrite sumr_const card_ord mulr_natl.
have := trace_rank N; rewrite trN => h.
have h2 : c ^+ 2 * K.+1%:R ^+ 2 <= (\rank M)%:R * (K.+1%:R * (c ^+ 2 + K.+1%:R - 1)).
  apply: le_trans (ler_wpmul2l (ler0n _ (\rank M)) sN).
  rewrite [X in _ <= X]mulrCA ler_pmul2l ?exprn_gt0 //; apply: (le_trans h).
  apply: ler_wpmul2r; rewrite ?ler_nat //.
  by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: sqr_ge0.
rewrite -(ler_pmul2l (_ : 0 < K.+1%:R :> R)) ?ltr0n // mulrA -expr2 mulrC.
by rewrite [X in _ <= X]mulrCA.
Qed.


Lemma sum_lt (I : finType) (P : pred I) (F G : I -> R) (i0 : I) : P i0 ->
  (forall i, P i -> F i < G i) -> \sum_(i | P i) F i < \sum_(i | P i) G i.
Proof.
move=> Pi FG; rewrite (bigD1 i0) // [X in _ < X](bigD1 i0) //=.
by apply: ltr_le_add; [apply: FG | apply: ler_sum => i /andP[Pj _]; apply/ltW/FG].
Qed.

(* Certificate form: entries strictly below the profile, so equality in the  *)
(* numerical test is enough.                                                 *)
Theorem trace_profile K (M : 'M[R]_K) (h : 'I_K -> 'I_K -> R) (r0 : nat) : (1 < K)%N ->
  (forall i j, i != j -> `|M i j| < h i j * M i i) -> (forall i, 0 < M i i) ->
  r0%:R * (K%:R + \sum_i \sum_(j | j != i) h i j ^+ 2) <= K%:R ^+ 2 -> (r0 < \rank M)%N.
Proof.
move=> K2 od d0 hr; rewrite ltnNge; apply/negP => rk.
pose rho i j := `|M i j| / M i i.
have rho1 i : rho i i = 1 by rewrite /rho ger0_norm ?mulfV ?gt_eqF // ltW.
have rho0 i j : 0 <= rho i j by rewrite divr_ge0 // ltW.
have rhoh i j : i != j -> rho i j < h i j by move=> ij; rewrite /rho ltr_pdivr_mulr ?od.
have ok i j : `|M i j| <= rho i j * M i i by rewrite /rho mulfVK ?gt_eqF.
have := profile_rank d0 ok; set F := \sum_i _ => H; set G := _ + _ in hr.
have FG : F < G.
  rewrite /F /G -[K in K%:R]card_ord -sumr_const -big_split /=.
  apply: (@sum_lt _ xpredT _ _ (Ordinal (ltnW K2)) isT) => i _.
  have [j0 j0i] : exists j : 'I_K, j != i.
    have h1 : ((i == 0 :> nat) < K)%N by case: (_ == _) => //; apply: ltnW.
    by exists (Ordinal h1); rewrite -val_eqE /=; case: (i : nat) => [|k].
  rewrite (bigD1 i) //= rho1 expr1n ltr_add2l; apply: (@sum_lt _ (fun j => j != i) _ _ j0 j0i) => j ij.
  by rewrite ltr_expn2r ?nnegrE ?rho0 ?(ltW (le_lt_trans (rho0 i j) _)) ?rhoh // eq_sym.
have F0 : 0 <= F by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: sqr_ge0.
have K0 : 0 < K%:R ^+ 2 :> R by rewrite exprn_gt0 // ltr0n ltnW.
have rp : 0 < (\rank M)%:R :> R.
  by rewrite ltr0n lt0n; apply/negP => /eqP z; move: (lt_le_trans K0 H); rewrite z mul0r ltxx.
suff lt : (\rank M)%:R * F < r0%:R * G.
  by have := lt_le_trans (le_lt_trans H lt) hr; rewrite ltxx.
apply: (@lt_le_trans _ _ ((\rank M)%:R * G)); first by rewrite ltr_pmul2l.
by rewrite ler_wpmul2r ?ler_nat // ltW // (le_lt_trans F0).
Qed.

(* Strict diagonal dominance: full rank.                                     *)
Theorem dominant_rank K (M : 'M[R]_K) :
  (forall i, \sum_(j | j != i) `|M i j| < M i i) -> \rank M = K.
Proof.
move=> dom; suff : row_free M^T by rewrite /row_free mxrank_tr => /eqP.
apply: inj_row_free => v v0; apply/eqP; apply/negPn/negP => vn0.
have [i0 vi0] : exists i, v 0 i != 0.
  apply/existsP; apply: contraNT vn0; rewrite negb_exists => /forallP z.
  by apply/eqP/rowP => i; rewrite mxE; apply/eqP; have := z i; rewrite negbK.
have [i _ imax] := @Order.TotalTheory.arg_maxP _ R [finType of 'I_K] i0 xpredT (fun i => `|v 0 i|) isT.
have vi : 0 < `|v 0 i| by apply: lt_le_trans (imax i0 isT); rewrite normr_gt0.
have : (v *m M^T) 0 i = 0 by rewrite v0 mxE.
rewrite mxE (eq_bigr (fun j => v 0 j * M i j)) => [|j _]; last by rewrite mxE.
rewrite (bigD1 i) //= => /eqP; rewrite addr_eq0 => /eqP E.
have Mi : 0 < M i i by apply: le_lt_trans (dom i); apply: sumr_ge0.
have : `|v 0 i| * M i i < `|v 0 i| * M i i.
  rewrite -{1}(ger0_norm (ltW Mi)) -normrM E normrN.
  apply: (le_lt_trans (ler_norm_sum _ _ _)).
  apply: (@le_lt_trans _ _ (`|v 0 i| * \sum_(j | j != i) `|M i j|)).
    by rewrite mulr_sumr; apply: ler_sum => j _; rewrite normrM; apply: ler_wpmul2r => //; apply: imax.
  by rewrite ltr_pmul2l.
by rewrite ltxx.
Qed.

Theorem dominance_profile K (M : 'M[R]_K) (h : 'I_K -> 'I_K -> R) :
  (forall i j, i != j -> `|M i j| < h i j * M i i) -> (forall i, 0 < M i i) ->
  (forall i, \sum_(j | j != i) h i j <= 1) -> \rank M = K.
Proof.
move=> od d0 row; apply: dominant_rank => i.
case: (pickP (fun j => j != i)) => [j ji|none]; last by rewrite big_pred0.
apply: (@lt_le_trans _ _ (\sum_(j | j != i) h i j * M i i)); last first.
  by rewrite -mulr_suml ler_pimull // ltW.
by apply: (@sum_lt _ (fun j => j != i) _ _ j ji) => l li; rewrite od // eq_sym.
Qed.

End TraceRank.

Section Projection.
Variable R : realFieldType.

(* Cauchy-Schwarz against the constant vector *)
Lemma sum_sq_le K (c : 'I_K -> R) : (\sum_j c j) ^+ 2 <= K%:R * \sum_j c j ^+ 2.
Proof.
case: K c => [|K] c; first by rewrite !big_ord0 expr0n mulr0.
set s := \sum_j c j; have K0 : 0 < K.+1%:R :> R by rewrite ltr0n.
have : 0 <= \sum_j (K.+1%:R * c j - s) ^+ 2 by apply: sumr_ge0 => j _; rewrite sqr_ge0.
rewrite (eq_bigr (fun j => K.+1%:R ^+ 2 * c j ^+ 2 - (K.+1%:R * s * c j) *+ 2 + s ^+ 2)); last first.
  by move=> j _; ring.
rewrite big_split /= sumrB sumr_const card_ord -mulr_sumr sumrMnl -mulr_sumr -/s.
set q := \sum_j c j ^+ 2; rewrite -[s ^+ 2 *+ _]mulr_natl.
have <- : K.+1%:R * (K.+1%:R * q - s ^+ 2) =
  K.+1%:R ^+ 2 * q - (K.+1%:R * s * s) *+ 2 + K.+1%:R * s ^+ 2 by ring.
by rewrite pmulr_rge0 // subr_ge0.
Qed.

(* 1 - gam J/K applied on the left: part of the column means is removed.     *)
Theorem projection_shift K (M : 'M[R]_K) gam (u := (\sum_i \sum_j M i j) / K%:R) :
  0 <= gam <= 1 ->
  (\tr M - gam * u) ^+ 2 <=
    (\rank M)%:R * (\sum_i \sum_j M i j ^+ 2 - (2%:R * gam - gam ^+ 2) * u ^+ 2).
Proof.
move=> /andP[g0 g1]; case: (posnP K) => [KE|Kp].
  have K0 : K%:R = 0 :> R by rewrite KE.
  have no (i : 'I_K) : False by case: i => j; rewrite KE.
  have -> : u = 0 by rewrite /u K0 invr0 mulr0.
  have -> : \tr M = 0 by apply: big1 => i; case: (no i).
  by rewrite big1 ?mulr0 ?subrr ?expr0n /= ?mulr0 ?subrr ?mulr0 // => i; case: (no i).
have K0 : K%:R != 0 :> R by rewrite pnatr_eq0 -lt0n.
pose J : 'M[R]_K := const_mx (gam / K%:R); pose N := (1%:M - J) *m M.
pose c j := \sum_i M i j.
have sE : \sum_i \sum_j M i j = \sum_j c j by rewrite exchange_big.
have NE i j : N i j = M i j - gam * (c j / K%:R).
  rewrite /N mulmxBl mul1mx !mxE; congr (_ - _); rewrite /c mulr_suml mulr_sumr.
  by apply: eq_bigr => k _; rewrite mxE mulrAC mulrA.
have rN : (\rank N <= \rank M)%N by apply: mxrankM_maxr.
have trN : \tr N = \tr M - gam * u.
  rewrite /mxtrace (eq_bigr (fun i => M i i - gam * (c i / K%:R))) => [|i _]; last by rewrite NE.
  by rewrite sumrB -mulr_sumr -mulr_suml -sE.
have sN : \sum_i \sum_j N i j ^+ 2 =
    \sum_i \sum_j M i j ^+ 2 - (2%:R * gam - gam ^+ 2) * ((\sum_j c j ^+ 2) / K%:R).
  rewrite exchange_big /= [in RHS]exchange_big /= mulr_suml mulr_sumr -sumrB; apply: eq_bigr => j _.
  rewrite (eq_bigr (fun i => M i j ^+ 2 - ((gam * (c j / K%:R)) * M i j) *+ 2 + (gam * (c j / K%:R)) ^+ 2)).
    rewrite big_split /= sumrB sumr_const card_ord sumrMnl -mulr_sumr -/(c j).
    rewrite -[(gam * _) ^+ 2 *+ _]mulr_natl; move: (c j) (\sum_i _) => a b; by field.
  by move=> i _; rewrite NE; move: (gam * _) => a; ring.
have := trace_rank N; rewrite trN sN => h; apply: (le_trans h).
apply: ler_pmul; rewrite ?ler0n ?ler_nat //.
  by rewrite -sN; apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; rewrite sqr_ge0.
have w0 : 0 <= 2%:R * gam - gam ^+ 2.
  by rewrite expr2 -mulrBl mulr_ge0 // subr_ge0 (le_trans g1) // ler1n.
rewrite ler_add2l ler_opp2 ler_wpmul2l // /u sE expr_div_n ler_pdivl_mulr ?ltr0n //.
rewrite [K%:R ^+ 2]expr2 invfM mulrA mulfVK // ler_pdivr_mulr ?ltr0n // mulrC.
exact: sum_sq_le.
Qed.

(* plain projection, gam = 1 *)
Corollary projection_rank K (M : 'M[R]_K) (u := (\sum_i \sum_j M i j) / K%:R) :
  (\tr M - u) ^+ 2 <= (\rank M)%:R * (\sum_i \sum_j M i j ^+ 2 - u ^+ 2).
Proof.
have := @projection_shift K M 1; rewrite ler01 lexx => /(_ isT).
by rewrite mul1r expr1n mulr1 -[2%:R - 1](_ : 1 = _) ?mul1r // -[2%N]/(1 + 1)%N natrD addrK.
Qed.

(* The best gam gains one: rank - 1, not rank.                               *)
Theorem projection_plus K (M : 'M[R]_K) (u := (\sum_i \sum_j M i j) / K%:R)
   (F := \sum_i \sum_j M i j ^+ 2 - u ^+ 2) :
  (0 < \rank M)%N -> 0 <= \tr M - u -> F <= (\tr M - u) * u ->
  0 <= F /\ (\tr M - u) ^+ 2 <= ((\rank M)%:R - 1) * F.
Proof.
move=> rk P0 FP; have rk0 : 0 < (\rank M)%:R :> R by rewrite ltr0n.
have h1 : (\tr M - u) ^+ 2 <= (\rank M)%:R * F := projection_rank M.
have F0 : 0 <= F by move: (le_trans (sqr_ge0 _) h1); rewrite pmulr_rge0.
have r1 : 0 <= (\rank M)%:R - 1 :> R by rewrite subr_ge0 ler1n.
split=> //; move: P0 FP h1; set P := \tr M - u; rewrite le_eqVlt => /predU1P[<- _ _|P0 FP h1].
  by rewrite expr0n mulr_ge0.
have [F00|Fn0] := eqVneq F 0; first by move: h1; rewrite F00 !mulr0.
have Fp : 0 < F by rewrite lt_neqAle eq_sym Fn0.
have up : 0 < u by move: (lt_le_trans Fp FP); rewrite pmulr_rgt0.
pose dl := F / (P * u); have Pu : 0 < P * u by rewrite mulr_gt0.
have d01 : 0 <= 1 - dl <= 1.
  by rewrite subr_ge0 ler_pdivr_mulr // mul1r FP ger_addl oppr_le0 divr_ge0 // (ltW Pu).
have frac (f p v : R) : p != 0 -> v != 0 -> f / (p * v) * v = f / p.
  by move=> p0 v0; field; rewrite ?v0 ?p0.
have dlu : dl * u = F / P by apply: frac; rewrite gt_eqF.
have := projection_shift M d01; rewrite -/u.
have -> : \tr M - (1 - dl) * u = P + F / P.
  by rewrite -dlu mulrBl mul1r opprB addrA addrAC.
have -> : \sum_i \sum_j M i j ^+ 2 - (2%:R * (1 - dl) - (1 - dl) ^+ 2) * u ^+ 2 = F + (F / P) ^+ 2.
  by rewrite -dlu /F; ring.
have Pn : P != 0 by rewrite gt_eqF.
have -> : P + F / P = (P ^+ 2 + F) / P by field.
have -> : F + (F / P) ^+ 2 = F * (P ^+ 2 + F) / P ^+ 2 by field.
rewrite expr_div_n mulrA ler_pmul2r ?invr_gt0 ?exprn_gt0 // mulrA expr2.
have PF : 0 < P ^+ 2 + F := addr_gt0 (exprn_gt0 2 P0) Fp.
rewrite (ler_pmul2r PF) => h2.
by rewrite mulrBl mul1r ler_subr_addr.
Qed.

(* The dual certificate: one real lam.                                      *)
Section Dual.
Variables (K : nat) (M : 'M[R]_K) (h : 'I_K -> 'I_K -> R) (lam r0 : R).
Hypothesis d0 : forall i, 0 < M i i.
Hypothesis M0 : forall i j, i != j -> 0 <= M i j.
Hypothesis Mh : forall i j, i != j -> M i j <= h i j * M i i.
Hypothesis h1 : forall i j, i != j -> h i j <= 1.
Hypothesis r0_ge0 : 0 <= r0.
Let pos (x : R) := Num.max 0 x.
Let E := \sum_i \sum_(j | j != i) h i j * pos (h i j - lam).
Let k : R := K%:R.
Let B := 2%:R * (k - 1 - r0) + r0 * lam * k.

Lemma pos_ge x : x <= pos x. Proof. by rewrite /pos le_maxr lexx orbT. Qed.
Lemma pos_ge0 x : 0 <= pos x. Proof. by rewrite /pos le_maxr lexx. Qed.
Lemma pos_mono x y : x <= y -> pos x <= pos y.
Proof. by rewrite /pos => xy; rewrite le_maxl !le_maxr lexx xy orbT. Qed.

Lemma entry_dual x y : 0 <= x -> x <= y -> x ^+ 2 <= lam * x + y * pos (y - lam).
Proof.
move=> x0 xy; rewrite addrC -ler_subl_addr expr2 -mulrBl mulrC.
apply: (le_trans (ler_wpmul2l x0 (pos_ge _))).
by apply: ler_pmul => //; rewrite ?pos_ge0 // pos_mono // ler_add2r.
Qed.

Theorem projection_profile :
  B ^+ 2 < 4%:R * (1 + r0) * ((k - 1) * (k - 1 - r0) - r0 * E) -> 1 + r0 < (\rank M)%:R.
Proof.
move=> hB; rewrite ltNge; apply/negP => rk.
pose N := diag_mx (\row_i (M i i)^-1) *m M.
have NE i j : N i j = (M i i)^-1 * M i j by rewrite /N mul_diag_mx !mxE.
have rN : (\rank N <= \rank M)%N by apply: mxrankM_maxr.
have Nd i : N i i = 1 by rewrite NE mulVf // gt_eqF.
have N0 i j : i != j -> 0 <= N i j.
  by move=> ij; rewrite NE mulr_ge0 ?M0 // invr_ge0 ltW.
have Nh i j : i != j -> N i j <= h i j.
  by move=> ij; rewrite NE mulrC ler_pdivr_mulr ?Mh.
pose T := \sum_i \sum_(j | j != i) N i j.
have kE : k = \sum_(i < K) 1 by rewrite sumr_const card_ord.
have trN : \tr N = k by rewrite kE; apply: eq_bigr => i _; rewrite Nd.
have sN : \sum_i \sum_j N i j = k + T.
  rewrite kE -big_split /=.
  by apply: eq_bigr => i _; rewrite (bigD1 i) //= Nd.
have sN2 : \sum_i \sum_j N i j ^+ 2 <= k + (lam * T + E).
  rewrite kE mulr_sumr -!big_split /=; apply: ler_sum => i _.
  rewrite (bigD1 i) //= Nd expr1n ler_add2l mulr_sumr -big_split /=; apply: ler_sum => j.
  by rewrite eq_sym => ij; apply: entry_dual; [apply: N0 | apply: Nh].
have [k0|k0] := eqVneq K 0%N.
  move: hB; have -> : E = 0.
    by rewrite /E; move: (h); rewrite k0 => h'; rewrite big_ord0.
  rewrite /B /k k0 /= mulr0n.
  have -> : 2%:R * (0 - 1 - r0) + r0 * lam * 0 = - (2%:R * (1 + r0)) by ring.
  have -> : 4%:R * (1 + r0) * ((0 - 1) * (0 - 1 - r0) - r0 * 0) = (- (2%:R * (1 + r0))) ^+ 2 :> R by ring.
  by rewrite ltxx.
have Kp : (0 < K)%N by rewrite lt0n.
have kn0 : k != 0 by rewrite pnatr_eq0.
have kp : 0 < k by rewrite ltr0n.
have Np : (0 < \rank N)%N.
  rewrite lt0n mxrank_eq0; apply/eqP => N00.
  by move: (Nd (Ordinal Kp)); rewrite N00 mxE => /eqP; rewrite eq_sym oner_eq0.
have T1 : T <= k * (k - 1).
  rewrite /T mulrC {2}kE mulr_sumr; apply: ler_sum => i _; rewrite mulr1.
  apply: (@le_trans _ _ (\sum_(j | j != i) 1)).
    by apply: ler_sum => j; rewrite eq_sym => ij; apply: le_trans (Nh _ _ ij) (h1 ij).
  by rewrite sumr_const cardC1 card_ord -subn1 natrB.
have S1 : \sum_i \sum_j N i j ^+ 2 <= k + T.
  rewrite -sN; apply: ler_sum => i _; apply: ler_sum => j _.
  have [<-|ij] := eqVneq i j; first by rewrite Nd expr1n.
  by rewrite expr2 ler_pimull ?N0 // (le_trans (Nh _ _ ij)) // h1.
have := @projection_plus K N Np; rewrite trN sN -/k; set t := _ / k => pp.
have tE : T = k * (t - 1) by rewrite /t mulrBr mulrCA mulfV // !mulr1 addrC addKr.
have [||F0 hP] := pp.
- by rewrite subr_ge0 /t ler_pdivr_mulr // -ler_subr_addl -[X in _ - X]mulr1 -mulrBr.
- rewrite mulrBl -expr2 ler_add2r /t mulrCA mulfV // mulr1 //.
have h2' : (k - t) ^+ 2 <= r0 * (\sum_i \sum_j N i j ^+ 2 - t ^+ 2).
  apply: (le_trans hP); apply: ler_wpmul2r => //.
  by rewrite ler_subl_addl (le_trans _ rk) // ler_nat.
have h2 : (k - t) ^+ 2 <= r0 * (k + (lam * T + E) - t ^+ 2).
  by apply: (le_trans h2'); apply: ler_wpmul2l => //; rewrite ler_add2r.
move: h2; rewrite tE -subr_ge0 => h2.
have : 0 < (2%:R * (1 + r0) * (t - 1) - B) ^+ 2 +
   (4%:R * (1 + r0) * ((k - 1) * (k - 1 - r0) - r0 * E) - B ^+ 2) +
   4%:R * (1 + r0) * (r0 * (k + (lam * (k * (t - 1)) + E) - t ^+ 2) - (k - t) ^+ 2).
  rewrite ltr_paddr //; first by rewrite mulr_ge0 // mulr_ge0 ?ler0n // addr_ge0 ?ler01.
  by rewrite ltr_paddl ?sqr_ge0 // subr_gt0.
have -> : (2%:R * (1 + r0) * (t - 1) - B) ^+ 2 +
   (4%:R * (1 + r0) * ((k - 1) * (k - 1 - r0) - r0 * E) - B ^+ 2) +
   4%:R * (1 + r0) * (r0 * (k + (lam * (k * (t - 1)) + E) - t ^+ 2) - (k - t) ^+ 2) = 0.
  by rewrite /B; ring.
by rewrite ltxx.
Qed.
End Dual.
End Projection.
