(* Exponential growth of the rank at every length n + 3 >= 3, error < 1/2:   *)
(* Graham-Sloane classes of the words of one weight, any gap g and any q in  *)
(* ]0,1] with q^g (n+1)(g-1) >= 1 (ideally q = 1/rho).                       *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Verifier Require Import Head Domination Amplification Rank.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* Hamming distance *)
Section Words.
Definition word v := {ffun 'I_v -> bool}.
Definition dist v (x y : word v) : nat := (\sum_i (x i != y i))%N.

Lemma dist0 w (x y : word w) : dist x y = 0%N -> x = y.
Proof.
move=> /eqP; rewrite /dist sum_nat_eq0 => /forallP h; apply/ffunP => i.
by have := h i; rewrite eqb0 negbK => /eqP.
Qed.

Lemma sum_dist (R : realFieldType) w (t : R) (x : word w) : \sum_y t ^+ dist x y = (1 + t) ^+ w.
Proof.
rewrite -[w in RHS]card_ord -prodr_const.
rewrite (eq_bigr (fun i => \sum_(b : bool) t ^+ (x i != b))) => [|i _]; last first.
  by rewrite big_bool; case: (x i); rewrite /= expr0 expr1 // addrC.
rewrite bigA_distr_bigA; apply: eq_bigr => y _.
by rewrite /dist prodrXr.
Qed.

End Words.

(* A weighted form of the trace bound for the masses of a head.              *)
Section Profile.
Variables (R : realFieldType) (m n r d : nat) (h : head R m n.+1 r d).
Hypothesis vh : valid h.
Theorem head_profile K (X Y : 'I_K -> tok m) (rho : 'I_K -> 'I_K -> R) :
  (forall i, 0 < \sum_p kern h p (X i) (Y i)) ->
  (forall i j, \sum_p kern h p (X i) (Y j) <= rho i j * \sum_p kern h p (X i) (Y i)) ->
  K%:R ^+ 2 <= r%:R * \sum_i \sum_j rho i j ^+ 2.
Proof.
move=> d0 od; have [k0 _ _] := vh.
pose Q : 'M[R]_(K, r) := \matrix_(i, l) phiQ h (X i) 0 l.
pose B : 'M[R]_(r, K) := \matrix_(l, j) \sum_p phiK h p (Y j) 0 l.
have ME i j : (Q *m B) i j = \sum_p kern h p (X i) (Y j).
  rewrite mxE; under eq_bigr do rewrite !mxE mulr_sumr.
  by rewrite exchange_big; apply: eq_bigr => p _; rewrite /kern /dot.
have rk : (\rank (Q *m B) <= r)%N := leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
apply: (le_trans (@profile_rank R K (Q *m B) rho _ _)) => [i|i j|].
- by rewrite ME.
- by rewrite !ME ger0_norm ?od // sumr_ge0.
apply: ler_wpmul2r; last by rewrite ler_nat.
by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: sqr_ge0.
Qed.
End Profile.

Section Classes.
Variable m : nat.
Implicit Types x y : tok m.
Definition syn x : nat := ((\sum_(i < m) i * x i) %% m)%N.

Lemma ip_sym x y : ip x y = ip y x.
Proof. by apply: eq_card => i; rewrite !inE andbC. Qed.
Lemma ip_cmplE x y : ip x (cmpl y) = #|[set i | x i && ~~ y i]|.
Proof. by apply: eq_card => i; rewrite !inE /cmpl ffunE. Qed.

Lemma dist_split x y : dist x y = (ip x (cmpl y) + ip y (cmpl x))%N.
Proof.
rewrite /dist /ip -!sum1_card [X in _ = (X + _)%N]big_mkcond [X in _ = (_ + X)%N]big_mkcond -big_split; apply: eq_bigr => i _ /=.
by rewrite !inE /cmpl !ffunE; case: (x i) (y i) => [] [].
Qed.

Lemma ip_cmpl_sym x y : wt x = wt y -> ip x (cmpl y) = ip y (cmpl x).
Proof.
by move=> e; apply/eqP; rewrite -(eqn_add2l (ip x y)) ip_cmpl {1}ip_sym ip_cmpl e.
Qed.

Lemma syn_gap x y : wt x = wt y -> syn x = syn y -> x != y -> (2 <= ip x (cmpl y))%N.
Proof.
move=> ew es xy; rewrite ltnNge; apply/negP => le1.
have := ip_cmpl_sym ew; move: le1.
case E: (ip x (cmpl y)) => [|[|//]] _ /esym E'.
  case/eqP: xy; apply: (@dist0 m); by rewrite dist_split E E'.
rewrite ip_cmplE in E; rewrite ip_cmplE in E'.
have /cards1P[a Aa] : #|[set i | x i && ~~ y i]| == 1%N by rewrite E.
have /cards1P[b Bb] : #|[set i | y i && ~~ x i]| == 1%N by rewrite E'.
have sx : (\sum_(i < m) i * x i + b = \sum_(i < m) i * y i + a)%N.
  have -> : nat_of_ord b = (\sum_(i in [set i | y i && ~~ x i]) i)%N by rewrite Bb big_set1.
  have -> : nat_of_ord a = (\sum_(i in [set i | x i && ~~ y i]) i)%N by rewrite Aa big_set1.
  rewrite [X in (_ + X)%N = _]big_mkcond [X in _ = (_ + X)%N]big_mkcond -!big_split /=.
  by apply: eq_bigr => i _; rewrite !inE; case: (x i) (y i) => [] []; rewrite /= ?muln1 ?muln0 ?addn0.
have ab : a = b.
  apply/val_inj; rewrite /= -(modn_small (ltn_ord a)) -(modn_small (ltn_ord b)).
  apply/eqP; rewrite -(eqn_modDl (\sum_(i < m) i * x i)) sx -modnDml -/(syn x) es /syn modnDml.
  by [].
have : a \in [set i | x i && ~~ y i] by rewrite Aa set11.
have : a \in [set i | y i && ~~ x i] by rewrite ab Bb set11.
by rewrite !inE => /andP[_ /negP nx] /andP[].
Qed.

Lemma card_wt w : #|[pred x : tok m | wt x == w]| = 'C(m, w).
Proof.
rewrite -[in RHS](card_ord m) -card_draws -(card_imset _ (_ : injective (fun x : tok m => [set i | x i]))).
  apply: eq_card => A; rewrite inE; apply/imsetP/idP => [[x]|cA].
    by rewrite inE => /eqP <- ->; apply/eqP/eq_card => i; rewrite !inE.
  exists [ffun i => i \in A]; last by apply/setP => i; rewrite inE ffunE.
  rewrite inE -(eqP cA); apply/eqP/eq_card => i; by rewrite !inE ffunE.
by move=> x y /setP e; apply/ffunP => i; have := e i; rewrite !inE.
Qed.
End Classes.

Section Growth.
Variables (R : realFieldType) (m n r d : nat) (h : head R m n.+2 r d).
Hypotheses (vh : valid h) (ah : accurate h 2%:R^-1).
Variables (g : nat) (q : R).
Let c := (n.+1 * g.-1)%N.
Hypotheses (g2 : (2 <= g)%N) (q0 : 0 < q) (q1 : q <= 1) (qg : 1 <= q ^+ g * c%:R).
Let A (x y : tok m) : R := \sum_p kern h p x (cmpl y).

Lemma kA0 x y : 0 <= A x y.
Proof. by case: vh => k0 _ _; apply: sumr_ge0. Qed.

Lemma ipxc (x : tok m) : ip x (cmpl x) = 0%N.
Proof. by apply/eqP; rewrite -(eqn_add2l (ip x x)) ip_cmpl addn0 ip_xx. Qed.

Lemma e0 : 0 < 2%:R^-1 :> R. Proof. by rewrite invr_gt0 ltr0n. Qed.

Lemma mass_nat x z g1 gs : all (leq 1) (g1 :: gs) ->
  (1 <= \prod_(k <- g1 :: gs) (n.+1 * k.-1))%N -> (sumn (g1 :: gs) <= ip x z)%N ->
  (\prod_(k <- g1 :: gs) (n.+1 * k.-1))%N%:R * (\sum_p kern h p x z) < A x x.
Proof.
move=> gs1 c1 le; have gh := gains_half R n.+1 gs1.
have ok : okgaps (2%:R^-1 : R) (g1 :: gs).
  by apply: sub_all gs1 => k k1; rewrite mulfV ?pnatr_eq0 // ler1n.
rewrite -gh; apply: (mass_gap vh ah e0 ok); first by rewrite gh ler1n.
by rewrite ipxc add0n.
Qed.

Lemma kdiag x : (2 <= wt x)%N -> 0 < A x x.
Proof.
move=> w2; have := @mass_nat x x 2 [::] isT; rewrite big_seq1 muln1 /= addn0 ip_xx => /(_ isT w2).
by apply: le_lt_trans; rewrite mulr_ge0 ?ler0n //; case: vh => k0 _ _; apply: sumr_ge0.
Qed.

Lemma kdecay x y i : ip x (cmpl y) = i -> (2 <= i)%N -> c%:R ^+ (i %/ g) * A x y < A x x.
Proof.
move=> ei i2; case E: (i %/ g)%N => [|k].
  have := @mass_nat x (cmpl y) i [::]; rewrite big_seq1 /= addn0 ei andbT muln_gt0 /= => H.
  rewrite expr0 mul1r; apply: le_lt_trans (H _ _ _) => //; last 2 first.
  - exact: ltnW.
  - by rewrite -ltnS prednK // ltnW.
  by rewrite ler_pemull ?kA0 // ler1n muln_gt0 /= -ltnS prednK // ltnW.
have pE : (\prod_(l <- nseq k.+1 g) (n.+1 * l.-1) = c ^ k.+1)%N by rewrite big_nseq iter_muln_1.
have := @mass_nat x (cmpl y) g (nseq k g); rewrite -[g :: nseq k g]/(nseq k.+1 g) pE natrX.
apply.
- by rewrite all_nseq (ltnW g2) orbT.
- by rewrite expn_gt0 muln_gt0 /= -ltnS prednK ?g2 // ltnW.
- by rewrite sumn_nseq ei mulnC -E leq_trunc_div.
Qed.

Let hq (x y : tok m) : R := q ^+ ip x (cmpl y) / q ^+ g.-1.

Lemma kbound x y : (2 <= wt x)%N -> wt x = wt y -> syn x = syn y -> A x y <= hq x y * A x x.
Proof.
move=> w2 ew es; rewrite /hq mulrAC ler_pdivl_mulr ?exprn_gt0 // mulrC.
have [->|xy] := eqVneq x y.
  rewrite ipxc expr0 ler_pmul ?kA0 ?exprn_ge0 ?(ltW q0) // exprn_ile1 ?(ltW q0) //.
have i2 := syn_gap ew es xy; have := kdecay erefl i2.
set i := ip x (cmpl y); move=> /ltW h1.
have h2 : q ^+ g.-1 <= q ^+ i * c%:R ^+ (i %/ g).
  apply: (@le_trans _ _ (q ^+ g.-1 * (q ^+ g * c%:R) ^+ (i %/ g))).
    by rewrite ler_pemulr ?exprn_ge0 ?(ltW q0) // exprn_ege1.
  rewrite exprMn mulrA ler_wpmul2r ?exprn_ge0 ?ler0n // -exprM -exprD.
  apply: ler_wiexpn2l; rewrite ?(ltW q0) // {1}(divn_eq i g) mulnC addnC leq_add2r.
  by rewrite -ltnS prednK ?ltn_mod ?(ltnW g2).
rewrite [A x y * _]mulrC [A x x * _]mulrC; apply: (@le_trans _ _ (q ^+ i * c%:R ^+ (i %/ g) * A x y)); first by rewrite ler_wpmul2r ?kA0.
by rewrite -mulrA ler_wpmul2l ?exprn_ge0 ?(ltW q0).
Qed.

Let cls w (s : 'I_m) := [pred x : tok m | (wt x == w) && (syn x == s)].

Lemma class_bound w s : (2 <= w)%N ->
  #|cls w s|%:R * q ^+ (2 * g.-1) <= r%:R * (1 + q) ^+ m.
Proof.
move=> w2; case: (posnP #|cls w s|) => [->|K0].
  by rewrite mul0r mulr_ge0 ?ler0n // exprn_ge0 // addr_ge0 ?ler01 ?ltW.
pose X (i : 'I_#|cls w s|) : tok m := @enum_val _ (cls w s) i.
have P i : wt (X i) = w /\ syn (X i) = s.
  by have := @enum_valP _ (cls w s) i; rewrite inE => /andP[/eqP-> /eqP->].
have := @head_profile R m n.+1 r d h vh #|cls w s| X
  (fun j => cmpl (X j)) (fun i j => hq (X i) (X j)).
have P2 i : (2 <= wt (X i))%N by rewrite (proj1 (P i)).
move=> /(_ (fun i => kdiag (P2 i))) H; have {}H := H (fun i j => kbound (P2 i)
  (etrans (proj1 (P i)) (esym (proj1 (P j)))) (etrans (proj2 (P i)) (esym (proj2 (P j))))).
have row i : \sum_j hq (X i) (X j) ^+ 2 <= (1 + q) ^+ m / q ^+ (2 * g.-1).
  rewrite -(sum_dist q (X i)) mulr_suml.
  rewrite -(@big_enum_val _ _ _ _ (cls w s) (fun y => hq (X i) y ^+ 2)) /= [X in _ <= X](bigID (mem (cls w s))) /=.
  apply: ler_paddr; first by apply: sumr_ge0 => y _; rewrite mulr_ge0 ?invr_ge0 ?exprn_ge0 ?(ltW q0).
  apply: ler_sum => y; rewrite inE => /andP[/eqP wy _].
  rewrite /hq expr_div_n -!exprM [(g.-1 * 2)%N]mulnC dist_split (@ip_cmpl_sym _ y).
    by rewrite addnn -muln2.
  by rewrite wy (proj1 (P i)).
have {}H : #|cls w s|%:R ^+ 2 <= r%:R * (#|cls w s|%:R * ((1 + q) ^+ m / q ^+ (2 * g.-1))).
  apply: (le_trans H); rewrite ler_wpmul2l ?ler0n // mulr_natl -[X in _ *+ X]card_ord -sumr_const.
  exact: ler_sum.
move: H; rewrite mulrCA expr2 ler_pmul2l ?ltr0n // mulrA ler_pdivl_mulr ?exprn_gt0 //.
Qed.

Theorem growth_w w : (2 <= w)%N ->
  'C(m, w)%:R * q ^+ (2 * g.-1) <= (m * r)%:R * (1 + q) ^+ m.
Proof.
move=> w2; case: (posnP m) => [m0|m0].
  by rewrite m0 bin_small ?mul0r ?mul0n ?mul0r // (leq_trans _ w2).
have -> : 'C(m, w)%:R = \sum_s #|cls w s|%:R :> R.
  rewrite -card_wt -natr_sum; congr _%:R.
  pose sy (x : tok m) : 'I_m := Ordinal (ltn_pmod (\sum_(i < m) i * x i) m0).
  rewrite -sum1_card (partition_big sy predT) //=; apply: eq_bigr => s _.
  by rewrite -sum1_card; apply: eq_bigl => x; rewrite !inE -val_eqE.
rewrite mulr_suml natrM -mulrA mulr_natl -[X in _ *+ X]card_ord -sumr_const.
by apply: ler_sum => s _; apply: class_bound.
Qed.

Theorem growth : (3 <= m)%N ->
  2%:R ^+ m * q ^+ (2 * g.-1) <= (m.+1 * m * r)%:R * (1 + q) ^+ m.
Proof.
move=> m3; have all_w w : 'C(m, w)%:R * q ^+ (2 * g.-1) <= (m * r)%:R * (1 + q) ^+ m.
  case: (leqP 2 w) => [|w2]; first exact: growth_w.
  apply: le_trans (growth_w (leqnn 2)); rewrite ler_wpmul2r ?exprn_ge0 ?(ltW q0) // ler_nat.
  apply: (@leq_trans m).
    by case: w w2 => [|[|//]] _; rewrite ?bin0 ?bin1 // (leq_trans _ m3).
  by rewrite -(leq_pmul2l (_ : 0 < 2)%N) // (mul_bin_left m 1) bin1 leq_mul2r subn1 -ltnS prednK ?m3 ?orbT // (leq_trans _ m3).
rewrite -natrX -[2%N]/(1 + 1)%N Pascal natr_sum mulr_suml -mulnA natrM -mulrA mulr_natl.
rewrite -[X in _ *+ X](card_ord m.+1) -sumr_const.
by apply: ler_sum => i _; rewrite !exp1n !muln1; apply: all_w.
Qed.
End Growth.

Lemma clear_den (R : realFieldType) (a b c K : R) m k : 0 < b ->
  2%:R ^+ m * (a / b) ^+ k <= K * (c / b) ^+ m -> (2%:R * b) ^+ m * a ^+ k <= K * (c ^+ m * b ^+ k).
Proof.
move=> b0; rewrite !expr_div_n exprMn.
have : 0 < b ^+ m by rewrite exprn_gt0. have : 0 < b ^+ k by rewrite exprn_gt0.
move: (b ^+ m) (b ^+ k) (a ^+ k) (c ^+ m) (2%:R ^+ m) => B D X Y Z D0 B0 h.
have := ler_wpmul2r (ltW (mulr_gt0 B0 D0)) h.
have -> : Z * (X / D) * (B * D) = Z * B * X by field; rewrite gt_eqF.
by have -> : K * (Y / B) * (B * D) = K * (Y * D) by field; rewrite gt_eqF.
Qed.

(* Every length >= 3 (n.+3 here): 2/(1+q) = 190/167 = 1.1377, against        *)
(* 2/(1+4^(-1/5)) = 1.13774 in the limit; exponent 0.186.                    *)
Corollary growth3 (R : realFieldType) m n r d (h : head R m n.+2 r d) :
  valid h -> accurate h 2%:R^-1 -> (3 <= m)%N ->
  (190 ^ m * 72 ^ 8 <= m.+1 * m * r * (167 ^ m * 95 ^ 8))%N.
Proof.
move=> vh ah m3; pose q : R := 72%:R / 95%:R.
have q0 : 0 < q by rewrite divr_gt0 ?ltr0n.
have q1 : q <= 1 by rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
have qg : 1 <= q ^+ 5 * (n.+1 * 5.-1)%N%:R.
  apply: (@le_trans _ _ (q ^+ 5 * 4%:R)).
    rewrite /q expr_div_n mulrAC ler_pdivl_mulr ?exprn_gt0 ?ltr0n // mul1r -!natrX -natrM ler_nat.
    by rewrite !expnS !expn0; lia.
  by rewrite ler_wpmul2l ?exprn_ge0 ?(ltW q0) // ler_nat leq_pmull.
have := growth vh ah (isT : (2 <= 5)%N) q0 q1 qg m3.
have n95 : 95%:R != 0 :> R by rewrite pnatr_eq0.
have -> : 1 + q = 167%:R / 95%:R.
  by apply: (mulIf n95); rewrite mulrDl !mulfVK // mul1r -natrD.
rewrite -[(2 * 5.-1)%N]/8%N => H; have b0 : 0 < 95%:R :> R by rewrite ltr0n.
have := clear_den b0 H; rewrite -natrM -[(2 * 95)%N]/190%N => {}H.
rewrite -(ler_nat R) natrM [X in _ <= X]natrM natrX [(72 ^ 8)%N%:R]natrX.
by rewrite [(167 ^ m * _)%N%:R]natrM natrX [(95 ^ 8)%N%:R]natrX.
Qed.
