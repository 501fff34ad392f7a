(* Chapter 5, the Eckart-Young bound (5.8, 5.9): no singular values and no    *)
(* square roots, only the projector on the row space (Rank.v).                *)
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Verifier Require Import Rank Model Bridge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section EY.
Variable R : realFieldType.

Definition fro n (A : 'M[R]_n) : R := \sum_i \sum_j A i j ^+ 2.
Definition psd n (X : 'M[R]_n) : Prop := forall v : 'I_n -> R, 0 <= \sum_i \sum_j v i * X i j * v j.

Lemma froE n (A : 'M[R]_n) : fro A = \tr (A *m A^T).
Proof.
by apply: eq_bigr => i _; rewrite mxE; apply: eq_bigr => j _; rewrite mxE expr2.
Qed.
Lemma fro_ge0 n (A : 'M[R]_n) : 0 <= fro A.
Proof. by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; apply: sqr_ge0. Qed.

(* Pythagoras for a symmetric idempotent *)
Lemma fro_sym n (A Q : 'M[R]_n) : Q^T = Q -> Q *m Q = Q -> fro (A *m Q) = \tr (A *m Q *m A^T).
Proof. by move=> QT QQ; rewrite froE trmx_mul QT mulmxA -(mulmxA A) QQ. Qed.
Lemma fro_split n (A P : 'M[R]_n) : P^T = P -> P *m P = P ->
  fro A = fro (A *m P) + fro (A *m (1%:M - P)).
Proof.
move=> PT PP; rewrite froE !fro_sym //; last 2 first.
- by rewrite linearB /= PT trmx1.
- by rewrite mulmxBl mul1mx mulmxBr mulmx1 PP subrr subr0.
by rewrite -linearD /= -mulmxDl -mulmxDr addrC subrK mulmx1.
Qed.

Lemma trace_psd n (X P : 'M[R]_n) : P^T = P -> P *m P = P -> psd X -> 0 <= \tr (P *m X).
Proof.
move=> PT PP pX; rewrite -PP -mulmxA mxtrace_mulC; apply: sumr_ge0 => i _.
have := pX (fun j => P i j); congr (0 <= _); rewrite exchange_big /= -[in RHS]PT mxE.
apply: eq_bigr => j _; rewrite mxE [in RHS]mxE mulr_suml PT; apply: eq_bigr => k _.
by rewrite mulrAC.
Qed.

Theorem eckart_young n (N W B : 'M[R]_n) (rho : nat) (mu : R) :
  W^T = W -> B^T = B -> (\rank N <= rho)%N -> 0 <= mu ->
  psd (mu%:M + B *m B - W *m W) -> fro W - fro B - rho%:R * mu <= fro (N - W).
Proof.
move=> WT BT rk mu0 pX; have [P [PT PP NP trP]] := row_projector N.
have := trace_psd PT PP pX; rewrite mulmxDr mulmxN mulmxDr mul_mx_scalar.
rewrite !linearD /= linearN /= linearZ /= trP.
have tE (A : 'M[R]_n) : A^T = A -> \tr (P *m (A *m A)) = fro (A *m P).
  by move=> AT; rewrite fro_sym // AT mulmxA mxtrace_mulC mulmxA.
rewrite !tE // => H.
have /(_ (N - W)) := fro_split _ PT PP; rewrite !mulmxBl !mulmxBr !mulmx1 NP subrr sub0r => ->.
have -> : fro (- (W - W *m P)) = fro (W *m (1%:M - P)).
  rewrite mulmxBr mulmx1; apply: eq_bigr => i _; apply: eq_bigr => j _.
  by rewrite [in LHS]mxE sqrrN.
apply: ler_paddl; first exact: fro_ge0.
have le1 : mu * (\rank N)%:R <= rho%:R * mu by rewrite mulrC ler_wpmul2r ?ler_nat.
have le2 : fro (B *m P) <= fro B by rewrite (fro_split B PT PP) ler_addl fro_ge0.
rewrite (fro_split W PT PP) -subr_ge0.
have -> : fro (W *m (1%:M - P)) - (fro (W *m P) + fro (W *m (1%:M - P)) - fro B - rho%:R * mu) =
  (mu * (\rank N)%:R + fro (B *m P) - fro (W *m P)) +
  ((rho%:R * mu - mu * (\rank N)%:R) + (fro B - fro (B *m P))) by ring.
by rewrite addr_ge0 // addr_ge0 // subr_ge0.
Qed.

(* diagonal dominance and a square: positive semidefinite                     *)
Lemma dominant_psd n (X : 'M[R]_n) : X^T = X ->
  (forall i, \sum_(j | j != i) `|X i j| <= X i i) -> psd X.
Proof.
move=> XT dom v; pose g i j := `|X i j| * (v i ^+ 2 - v j ^+ 2).
have XC i j : X i j = X j i by rewrite -[in LHS]XT mxE.
have g0 : \sum_i \sum_j g i j = 0.
  apply/eqP; suff : (\sum_i \sum_j g i j) *+ 2 == 0 by rewrite mulrn_eq0.
  apply/eqP; rewrite mulr2n {2}exchange_big -big_split /= big1 // => i _; rewrite -big_split /= big1 // => j _.
  by rewrite /g XC -mulrDr addrA subrK subrr mulr0.
suff : \sum_i \sum_j g i j <= 2%:R * (\sum_i \sum_j v i * X i j * v j).
  by rewrite g0 pmulr_rge0 ?ltr0n.
rewrite mulr_sumr; apply: ler_sum => i _.
rewrite (bigD1 i) //= {1}/g subrr mulr0 add0r [in X in _ <= _ * X](bigD1 i) //= mulrDr.
have vX : v i ^+ 2 * (\sum_(j | j != i) `|X i j|) <= v i * X i i * v i.
  by rewrite [X in _ <= X]mulrAC -[v i * v i]expr2 ler_wpmul2l ?sqr_ge0.
apply: (@le_trans _ _ (2%:R * (v i ^+ 2 * (\sum_(j | j != i) `|X i j|)) +
                       2%:R * (\sum_(j | j != i) v i * X i j * v j))); last first.
  by rewrite ler_add2r ler_pmul2l ?ltr0n.
rewrite -mulrDr mulr_sumr -big_split mulr_sumr /=; apply: ler_sum => j _; rewrite /g -subr_ge0.
move: (v i) (v j) (X i j) => a b t; case: (ler0P t) => t0.
  have -> : 2%:R * (a ^+ 2 * - t + a * t * b) - - t * (a ^+ 2 - b ^+ 2) = - t * (a - b) ^+ 2 by ring.
  by rewrite mulr_ge0 ?sqr_ge0 // oppr_ge0.
have -> : 2%:R * (a ^+ 2 * t + a * t * b) - t * (a ^+ 2 - b ^+ 2) = t * (a + b) ^+ 2 by ring.
by rewrite mulr_ge0 ?sqr_ge0 // ltW.
Qed.

Lemma psd_add n (X Y : 'M[R]_n) : psd X -> psd Y -> psd (X + Y).
Proof.
move=> pX pY v; have := addr_ge0 (pX v) (pY v); rewrite -big_split /=; congr (0 <= _).
apply: eq_bigr => i _; rewrite -big_split; apply: eq_bigr => j _.
by rewrite /= mxE mulrDr mulrDl.
Qed.
Lemma psd_square n (V : 'M[R]_n) : V^T = V -> psd (V *m V).
Proof.
move=> VT v; have VC i j : V i j = V j i by rewrite -[in LHS]VT mxE.
have -> : \sum_i \sum_j v i * (V *m V) i j * v j = \sum_k (\sum_i v i * V i k) ^+ 2.
  under eq_bigr => i _ do under eq_bigr => j _ do rewrite mxE mulr_sumr mulr_suml.
  under [RHS]eq_bigr => k _ do rewrite expr2 mulr_suml.
  rewrite [RHS]exchange_big; apply: eq_bigr => i _; rewrite exchange_big; apply: eq_bigr => k _ /=.
  by rewrite mulr_sumr; apply: eq_bigr => j _; rewrite [V k j]VC; ring.
by apply: sumr_ge0 => k _; apply: sqr_ge0.
Qed.

(* dominance in one row of every orbit is enough                              *)
Theorem orbit_psd n (W B V : 'M[R]_n) (mu : R) (T : pred 'I_n)
    (D : 'M[R]_n := mu%:M + B *m B - W *m W - V *m V) :
  W^T = W -> B^T = B -> V^T = V ->
  (forall q, exists2 p, T p & exists2 g : {perm 'I_n}, g p = q &
     forall i j, [/\ W (g i) (g j) = W i j, B (g i) (g j) = B i j & V (g i) (g j) = V i j]) ->
  (forall p, T p -> \sum_(q | q != p) `|D p q| <= D p p) -> psd (mu%:M + B *m B - W *m W).
Proof.
move=> WT BT VT orb dom; have -> : mu%:M + B *m B - W *m W = D + V *m V by rewrite /D subrK.
apply: psd_add; last exact: psd_square.
apply: dominant_psd => [|q].
  by rewrite /D !linearB linearD /= tr_scalar_mx !trmx_mul WT BT VT.
have [p Tp [g gp inv]] := orb q.
have sq (A : 'M[R]_n) : (forall i j, A (g i) (g j) = A i j) ->
    forall i j, (A *m A) (g i) (g j) = (A *m A) i j.
  move=> Ag i j; rewrite !mxE (reindex_inj (@perm_inj _ g)); apply: eq_bigr => k _.
  by rewrite !Ag.
have Dg i j : D (g i) (g j) = D i j.
  have e : (mu%:M : 'M[R]_n) (g i) (g j) = (mu%:M : 'M[R]_n) i j by rewrite !mxE (inj_eq perm_inj).
  have [w b v] : [/\ (W *m W) (g i) (g j) = (W *m W) i j, (B *m B) (g i) (g j) = (B *m B) i j &
      (V *m V) (g i) (g j) = (V *m V) i j].
    by split; apply: sq => k l; have [] := inv k l.
  have split4 k l : D k l = (mu%:M : 'M[R]_n) k l + (B *m B) k l - (W *m W) k l - (V *m V) k l.
    by rewrite /D; move: (mu%:M) (B *m B) (W *m W) (V *m V) => M1 M2 M3 M4; rewrite !mxE.
  by rewrite !split4 e w b v.
rewrite -gp (reindex_inj (@perm_inj _ g)) Dg; apply: le_trans (dom p Tp).
rewrite le_eqVlt; apply/orP; left; apply/eqP.
by apply: eq_big => j; rewrite ?(inj_eq perm_inj) // => _; rewrite Dg.
Qed.

(* ---- the rank of a polynomial of the entries ---- *)
Lemma rank_sum (T : finType) (P : pred T) K (M : 'M[R]_K) (f g : T -> 'I_K -> R) :
  (forall x y, M x y = \sum_(t | P t) f t x * g t y) -> (\rank M <= #|P|)%N.
Proof.
move=> ME; have -> : M = \sum_(t | P t) (\col_x f t x) *m (\row_y g t y).
  apply/matrixP => x y; rewrite ME summxE; apply: eq_bigr => t _.
  by rewrite mxE big_ord_recl big_ord0 !mxE addr0.
rewrite -sum1_card; elim/big_rec2: _ => [|t k A _ IH]; first by rewrite mxrank0.
apply: leq_trans (mxrank_add _ _) _; apply: leq_add IH.
exact: leq_trans (mxrankM_maxr _ _) (rank_leq_row _).
Qed.

Lemma card_pairs r : #|[pred p : 'I_r * 'I_r | (p.1 <= p.2)%N]| = 'C(r.+1, 2).
Proof.
rewrite -sum1_card -triangular_sum big_mkord big_ord_recl add0n.
transitivity (\sum_(l < r) \sum_(k < r | (k <= l)%N) 1)%N.
  have sw : injective (fun p : 'I_r * 'I_r => (p.2, p.1)) by case=> a b [c d] [-> ->].
  by rewrite pair_big_dep /= (reindex_inj sw); apply: eq_bigl => -[a b].
apply: eq_bigr => l _; rewrite -[LHS](_ : \sum_(k < r | (k < l.+1)%N) 1 = _)%N //.
by rewrite (big_ord_narrow (ltn_ord l)) sum1_card card_ord.
Qed.

Lemma rank_entrywise_square K (N : 'M[R]_K) :
  (\rank (\matrix_(x, y) N x y ^+ 2) <= 'C((\rank N).+1, 2))%N.
Proof.
rewrite -card_pairs; move: (col_base N) (row_base N) (mulmx_base N) => C D CD.
have NE x y : N x y = \sum_j C x j * D j y by rewrite -[in LHS]CD mxE.
pose w (p : 'I_(\rank N) * 'I_(\rank N)) : R := if p.1 == p.2 then 1 else 2%:R.
apply: (@rank_sum _ _ _ _ (fun p x => w p * (C x p.1 * C x p.2)) (fun p y => D p.1 y * D p.2 y)) => x y.
rewrite mxE NE; pose t (k l : 'I_(\rank N)) := C x k * D k y * (C x l * D l y).
have -> : (\sum_j C x j * D j y) ^+ 2 = \sum_k \sum_l t k l.
  by rewrite expr2 mulr_suml; apply: eq_bigr => k _; rewrite mulr_sumr.
transitivity (\sum_(p : 'I_(\rank N) * 'I_(\rank N) | (p.1 <= p.2)%N) w p * t p.1 p.2); last first.
  by apply: eq_bigr => p _; rewrite /t -[RHS]mulrA; congr (_ * _); rewrite mulrACA.
rewrite pair_big /= (bigID (fun p : 'I_(\rank N) * 'I_(\rank N) => (p.1 <= p.2)%N)) /=.
have -> : \sum_(p : 'I_(\rank N) * 'I_(\rank N) | ~~ (p.1 <= p.2)%N) t p.1 p.2 =
          \sum_(p : 'I_(\rank N) * 'I_(\rank N) | (p.1 <= p.2)%N && (p.1 != p.2)) t p.1 p.2.
  have sw : injective (fun p : 'I_(\rank N) * 'I_(\rank N) => (p.2, p.1)) by case=> a b [c d] [-> ->].
  rewrite (reindex_inj sw); apply: eq_big => [[a b]|[a b] _] /=; last by rewrite /t mulrC.
  by rewrite -ltnNge ltn_neqAle andbC.
rewrite [X in _ + X]big_mkcondr -big_split /=; apply: eq_bigr => p _.
by rewrite /w; case: eqP => _ /=; [rewrite addr0 mul1r | rewrite mulr_natl mulr2n].
Qed.

Definition poly2_rank (c0 c1 c2 : R) (rho : nat) : nat :=
  ((c0 != 0%R) + (c1 != 0%R) * rho + (c2 != 0%R) * 'C(rho.+1, 2))%N.

Theorem rank_poly2 K (N : 'M[R]_K) (c0 c1 c2 : R) (rho : nat) : (\rank N <= rho)%N ->
  (\rank (\matrix_(x, y) (c0 + c1 * N x y + c2 * N x y ^+ 2)%R) <= poly2_rank c0 c1 c2 rho)%N.
Proof.
move=> rk; pose N2 := \matrix_(x, y) N x y ^+ 2.
have -> : \matrix_(x, y) (c0 + c1 * N x y + c2 * N x y ^+ 2) =
    c0 *: const_mx 1 + c1 *: N + c2 *: N2 by apply/matrixP => x y; rewrite !mxE mulr1.
have sc (c : R) (A : 'M[R]_K) a : (\rank A <= a)%N -> (\rank (c *: A) <= (c != 0%R) * a)%N.
  case: (eqVneq c 0) => [->|c0' le]; first by rewrite scale0r mxrank0.
  by rewrite mul1n (leq_trans _ le) // mxrank_scale.
rewrite /poly2_rank; apply: leq_trans (mxrank_add _ _) _; apply: leq_add;
  first (apply: leq_trans (mxrank_add _ _) _; apply: leq_add).
- rewrite -[X in (_ <= X)%N]muln1; apply: sc.
  have -> : const_mx 1 = (const_mx 1 : 'M[R]_(K, 1)) *m (const_mx 1 : 'M[R]_(1, K)).
    by apply/matrixP => x y; rewrite !mxE big_ord_recl big_ord0 !mxE mulr1 addr0.
  exact: leq_trans (mxrankM_maxr _ _) (rank_leq_row _).
- exact: sc.
apply: sc; apply: leq_trans (rank_entrywise_square N) _.
by apply: leq_bin2l; rewrite ltnS.
Qed.

(* ---- matrices with a profile ---- *)
Section Profile.
Variables (K : nat) (M W B : 'M[R]_K) (h lo up : 'I_K -> 'I_K -> R) (mu c0 c1 c2 : R) (rho : nat).
Hypothesis d0 : forall i, 0 < M i i.
Hypothesis M0 : forall i j, i != j -> 0 <= M i j.
Hypothesis Mh : forall i j, i != j -> M i j <= h i j * M i i.
Hypotheses (WT : W^T = W) (BT : B^T = B) (mu0 : 0 <= mu).
Hypothesis pX : psd (mu%:M + B *m B - W *m W).
Hypothesis range : forall i j t, i != j -> 0 <= t -> t <= h i j ->
  lo i j <= c0 + c1 * t + c2 * t ^+ 2 <= up i j.

Lemma sq_between (a b t w : R) : a <= t -> t <= b ->
  (t - w) ^+ 2 <= Num.max ((a - w) ^+ 2) ((b - w) ^+ 2).
Proof.
move=> at_ tb; rewrite le_maxr; case: (lerP w t) => wt; apply/orP; [right | left].
  by rewrite ler_expn2r ?nnegrE ?subr_ge0 ?(le_trans wt) // ler_add2r.
rewrite -sqrrN -[X in _ <= X]sqrrN !opprB ler_expn2r ?nnegrE ?subr_ge0 ?(ltW wt) //.
  exact: le_trans at_ (ltW wt).
by rewrite ler_add2l ler_opp2.
Qed.

Theorem eckart_young_profile :
  \sum_i (c0 + c1 + c2 - W i i) ^+ 2 +
    \sum_i \sum_(j | j != i) Num.max ((lo i j - W i j) ^+ 2) ((up i j - W i j) ^+ 2)
    - fro W + fro B + (poly2_rank c0 c1 c2 rho)%:R * mu < 0 -> (rho < \rank M)%N.
Proof.
set S := (X in X - fro W + _ + _) => lt; rewrite ltnNge; apply/negP => rk.
pose N := diag_mx (\row_i (M i i)^-1) *m M.
have NE i j : N i j = (M i i)^-1 * M i j by rewrite /N mul_diag_mx !mxE.
have rN : (\rank N <= rho)%N by apply: leq_trans (mxrankM_maxr _ _) rk.
have := eckart_young WT BT (rank_poly2 c0 c1 c2 rN) mu0 pX; set Q := \matrix_(x, y) _ => H.
suff : fro (Q - W) <= S.
  clearbody S; move: lt H; move: (fro (Q - W)) (fro W) (fro B) (_ * mu) => a b b' k lt H H2.
  have := le_lt_trans (le_trans H H2) (_ : S < b - b' - k); rewrite ltxx => /(_ _)/negP; apply=> //.
  by rewrite -subr_lt0; congr (_ < 0): lt; ring.
have QE i j : (Q - W) i j = c0 + c1 * N i j + c2 * N i j ^+ 2 - W i j.
  by rewrite mxE [Q i j]mxE [(- W) i j]mxE.
rewrite /S -big_split; apply: ler_sum => i _ /=; rewrite (bigD1 i) //=; apply: ler_add.
  by rewrite QE NE mulVf ?gt_eqF // expr1n !mulr1.
apply: ler_sum => j; rewrite eq_sym => ij; rewrite QE.
have n0 : 0 <= N i j by rewrite NE mulr_ge0 ?M0 // invr_ge0 ltW.
have nh : N i j <= h i j by rewrite NE mulrC ler_pdivr_mulr ?Mh.
by have /andP[] := range ij n0 nh; apply: sq_between.
Qed.
End Profile.
End EY.

Section Heads.
Variables (R : realFieldType) (m L r d : nat) (h : attention R m L r d) (i : 'I_L) (e : R).
Hypotheses (L2 : (2 <= L)%N) (nh : nonnegative h i) (e0 : 0 < e) (ok : error_below h i e).
Variables (K : nat) (X : 'I_K -> token m) (gs : 'I_K -> 'I_K -> seq nat).
Hypothesis K2 : (1 < K)%N.
Hypothesis code : forall p q, p != q ->
  [/\ gs p q != [::], all (fun g : nat => 2%:R * e <= g%:R) (gs p q),
     (sumn (gs p q) <= overlap (X p) (complement (X q)))%N & 1 <= gap_product L e (gs p q)].
Let H p q : R := (gap_product L e (gs p q))^-1.
Variables (W B : 'M[R]_K) (mu : R) (rho : nat).
Hypotheses (WT : W^T = W) (BT : B^T = B) (mu0 : 0 <= mu).
Hypothesis pX : psd (mu%:M + B *m B - W *m W).

Lemma head_eckart_young (c0 c1 c2 : R) (lo up : 'I_K -> 'I_K -> R) :
  (forall p q t, p != q -> 0 <= t -> t <= H p q -> lo p q <= c0 + c1 * t + c2 * t ^+ 2 <= up p q) ->
  \sum_p (c0 + c1 + c2 - W p p) ^+ 2 +
    \sum_p \sum_(q | q != p) Num.max ((lo p q - W p q) ^+ 2) ((up p q - W p q) ^+ 2)
    - fro W + fro B + (poly2_rank c0 c1 c2 rho)%:R * mu < 0 -> (rho + 1 <= r)%N.
Proof.
move=> range lt; rewrite addn1; apply: leq_trans (code_rank_le L2 nh e0 ok X).
apply: (eckart_young_profile (code_diag L2 nh e0 ok K2 code) _ _ WT BT mu0 pX range lt).
- by move=> p s ps; have [_ M0 _] := code_matrix_elementary L2 nh ok e0 X.
- by move=> p s ps; apply: le_trans (ler_norm _) (ltW (code_lt L2 nh e0 ok code ps)).
Qed.

Lemma head_eckart_young_linear :
  \sum_p (1 - W p p) ^+ 2 +
    \sum_p \sum_(q | q != p) Num.max (W p q ^+ 2) ((H p q - W p q) ^+ 2)
    - fro W + fro B + rho%:R * mu < 0 -> (rho + 1 <= r)%N.
Proof.
move=> lt; apply: (@head_eckart_young 0 1 0 (fun _ _ => 0) H) => [p q t _ t0 tH|].
  by rewrite add0r mul1r mul0r addr0 t0.
have -> : poly2_rank (0 : R) 1 0 rho = rho by rewrite /poly2_rank eqxx oner_neq0 mul1n addn0.
rewrite add0r addr0; congr (_ + _ - _ + _ + _ < 0): lt.
apply: eq_bigr => p _; apply: eq_bigr => q _.
by rewrite sub0r sqrrN.
Qed.
End Heads.

(* Lemma 6.2, the projection bound solved for the rank                        *)
Lemma projection_solved (R : realFieldType) K (M : 'M[R]_K) (h : 'I_K -> 'I_K -> R)
    (lam : R) (rho : nat) (k : R := K%:R) (q : R := rho%:R)
    (E : R := \sum_i \sum_(j | j != i) h i j * Num.max 0 (h i j - lam)) :
  (forall i, 0 < M i i) -> (forall i j, i != j -> 0 <= M i j) ->
  (forall i j, i != j -> M i j <= h i j * M i i) -> (forall i j, i != j -> h i j <= 1) ->
  (1 <= rho)%N -> (\rank M <= rho + 1)%N ->
  k ^+ 2 * (1 - lam - q * lam ^+ 2 / 4%:R) <= (1 + q) * ((1 - lam) * k + E).
Proof.
move=> d0 M0 Mh h1 r1 rk; have q0 : 0 < q by rewrite ltr0n.
have no := @projection_elementary R K M h lam rho d0 M0 Mh h1; rewrite -/k -/q -/E in no.
have : 4%:R * (1 + q) * ((k - 1) * (k - 1 - q) - q * E) <= (2%:R * (k - 1 - q) + q * lam * k) ^+ 2.
  by rewrite leNgt; apply/negP => /no; rewrite addn2 => lt; move: (leq_trans lt rk); rewrite addn1 ltnn.
move: k q E q0 {no} => k' q' E' q0 H.
rewrite -(ler_pmul2l (_ : 0 < 4%:R * q')) ?mulr_gt0 ?ltr0n // -subr_ge0.
move: H; rewrite -subr_ge0 => H; congr (0 <= _): H; field; by rewrite ?pnatr_eq0.
Qed.
