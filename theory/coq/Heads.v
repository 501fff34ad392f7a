(* Several heads escape: m + 1 nonnegative heads with m + 1 features each are *)
(* exact at length 3 (their kernels are <x,z> + y with distinct y > 0; the    *)
(* value tables come from an invertible Cauchy matrix).                       *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Verifier Require Import Head Model Bridge Constructions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Cauchy.
Variables (R : realFieldType) (n : nat) (c d : 'I_n -> R).
Hypotheses (cinj : injective c) (dinj : injective d).
Hypothesis cd : forall j h, c j + d h != 0.
Definition cauchy : 'M[R]_n := \matrix_(j, h) (c j + d h)^-1.

Lemma cauchy_unit : cauchy \in unitmx.
Proof.
rewrite -row_free_unit; apply: inj_row_free => v v0.
pose p : {poly R} := \sum_j (v 0 j)%:P * \prod_(l | l != j) ((c l)%:P + 'X).
have pe x : p.[x] = \sum_j v 0 j * \prod_(l | l != j) (c l + x).
  rewrite horner_sum; apply: eq_bigr => j _; rewrite hornerM hornerC horner_prod.
  by congr (_ * _); apply: eq_bigr => l _; rewrite hornerD hornerC hornerX.
have root h : root p (d h).
  rewrite /root pe; apply/eqP.
  have : (v *m cauchy) 0 h = 0 by rewrite v0 mxE.
  rewrite mxE => e; transitivity ((\sum_j v 0 j * cauchy j h) * \prod_l (c l + d h)).
    rewrite mulr_suml; apply: eq_bigr => j _; rewrite [in RHS](bigD1 j) //= mxE.
    by rewrite -mulrA mulKf ?cd.
  by rewrite e mul0r.
have szq j : (size (\prod_(l | l != j) ((c l)%:P + 'X) : {poly R})%R <= n)%N.
  rewrite (eq_bigr (fun l => 'X - (- c l)%:P)) => [|l _]; last first.
    by rewrite polyCN opprK addrC.
  rewrite -big_filter size_prod_XsubC.
  rewrite -sum1_size big_filter sum_nat_const cardC1 card_ord muln1 prednK //.
  exact: leq_ltn_trans (leq0n _) (ltn_ord j).
have szp : (size p <= n)%N.
  apply: leq_trans (size_sum _ _ _) _; apply/bigmax_leqP => j _.
  by rewrite mul_polyC; apply: leq_trans (size_scale_leq _ _) (szq j).
have p0 : p = 0.
  apply/eqP; apply: contraTT szp => pn; rewrite -ltnNge.
  have := @max_poly_roots R p (map d (enum 'I_n)) pn; rewrite size_map size_enum_ord; apply.
    by apply/allP => x /mapP[h _ ->].
  by rewrite map_inj_uniq ?enum_uniq.
apply/rowP => j; rewrite mxE; have := pe (- c j); rewrite p0 horner0.
have -> : \sum_k v 0 k * \prod_(l | l != k) (c l + - c j) = v 0 j * \prod_(l | l != j) (c l - c j).
  rewrite (bigD1 j) //= [X in _ + X]big1 ?addr0 // => k kj.
  by rewrite (bigD1 j) 1?eq_sym //= subrr mul0r mulr0.
move/esym/eqP; rewrite mulf_eq0 => /orP[/eqP //|/prodf_eq0[l lj]].
by rewrite subr_eq0 => /eqP/cinj e; rewrite e eqxx in lj.
Qed.
End Cauchy.

Section Exact.
Variables (R : realFieldType) (m : nat).
Let y (h : 'I_m.+1) : R := (h : nat).+1%:R.
Let fq (x : token m) (l : 'I_m.+1) : R := if unlift ord_max l is Some i then (x i)%:R else 1.
Let fk (h : 'I_m.+1) (z : token m) (l : 'I_m.+1) : R :=
  if unlift ord_max l is Some i then (z i)%:R else y h.

Lemma shift_kernel h x z : feature_kernel fq (fk h) x z = (overlap x z)%:R + y h.
Proof.
rewrite /feature_kernel (bigD1_ord ord_max) //= /fq /fk unlift_none mul1r addrC; congr (_ + _).
rewrite /overlap natr_sum; apply: eq_bigr => i _.
by rewrite liftK -natrM mulnb.
Qed.

Lemma y0 h : 0 < y h. Proof. by rewrite ltr0n. Qed.
Let al h (x z : token m) : R := (overlap x z)%:R + y h.
Lemma al0 h x z : 0 < al h x z. Proof. by rewrite ltr_paddl ?ler0n ?y0. Qed.

(* for weight w and overlap i: sum_h N h / (i + j + w + 3 y_h) = min(i,j)/2   *)
Let cc (w i : nat) (j : 'I_m.+1) : R := (i + j + w)%N%:R.
Let dd (h : 'I_m.+1) : R := 3%:R * y h.
Definition coef (w i : nat) : 'rV[R]_m.+1 :=
  (\row_j ((minn i j)%:R / 2%:R)) *m invmx (cauchy (cc w i) dd)^T.

Lemma coefE w i j : (j <= m)%N ->
  \sum_h coef w i 0 h / ((i + j + w)%N%:R + 3%:R * y h) = (minn i j)%:R / 2%:R.
Proof.
move=> jm; have jm1 : (j < m.+1)%N by [].
have u : (cauchy (cc w i) dd)^T \in unitmx.
  rewrite unitmx_tr; apply: cauchy_unit.
  - move=> a b; rewrite /cc => /eqP; rewrite eqr_nat eqn_add2r eqn_add2l => /eqP; exact: val_inj.
  - move=> a b; rewrite /dd => /(mulfI _) e; apply/val_inj; have := e _.
    by rewrite pnatr_eq0 => /(_ isT) /eqP; rewrite /y eqr_nat eqSS => /eqP.
  - by move=> a b; rewrite gt_eqF // ltr_paddl ?ler0n // mulr_gt0 ?ltr0n ?y0.
have : (coef w i *m (cauchy (cc w i) dd)^T) 0 (Ordinal jm1) = (minn i j)%:R / 2%:R.
  by rewrite /coef mulmxKV // mxE.
by rewrite mxE => <-; apply: eq_bigr => h _; rewrite !mxE.
Qed.

(* N_h(x,z) and the effective values                                         *)
Let NN h (x : token m) (i : nat) : R := coef (weight x) i 0 h.
Let uself h (x : token m) : R := NN h x (weight x) * 2%:R / (3%:R * al h x x).
Let uu h (x z : token m) : R :=
  if z == x then uself h x
  else (NN h x (overlap x z) - al h x x * uself h x / 2%:R) / al h x z.

Lemma overlap_xx (x : token m) : overlap x x = weight x.
Proof. by apply: eq_bigr => i _; rewrite andbb. Qed.

Lemma uuE h x z : al h x x * uself h x / 2%:R + al h x z * uu h x z = NN h x (overlap x z).
Proof.
rewrite /uu; case: eqP => [->|_].
  rewrite overlap_xx /uself; have := al0 h x x; move: (al h x x) (NN _ _ _) => a N a0.
  by field; rewrite ?gt_eqF ?ltr0n.
by rewrite [al h x z * _]mulrC mulfVK ?gt_eqF ?al0 // addrC subrK.
Qed.

Definition cauchy_head h : attention R m 3 m.+1 #|{: token m}| := table_head 3 fq (fk h) (uu h).

Lemma cauchy_alpha h x j z : alpha (cauchy_head h) x j z = al h x z.
Proof. exact: shift_kernel. Qed.

Lemma overlap_le (x z : token m) : (overlap x z <= weight x)%N.
Proof. by rewrite overlapE weightE ip_wt. Qed.

Theorem cauchy_exact (s : 'I_3 -> token m) i :
  \sum_h answer (cauchy_head h) s i = (min_ip s i)%:R.
Proof.
set x := s i; pose z p := s (lift i p); pose o p := overlap x (z p).
have om p : (o p <= m)%N by rewrite /o (leq_trans (overlap_le _ _)) // weightE wt_le.
have E h : answer (cauchy_head h) s i =
    NN h x (o ord0) / ((o ord0 + o ord_max + weight x)%N%:R + 3%:R * y h) +
    NN h x (o ord_max) / ((o ord_max + o ord0 + weight x)%N%:R + 3%:R * y h).
  rewrite table_answer !(sum_lift i) !big_ord_recl !big_ord0 !addr0 !shift_kernel -/x.
  have -> : lift i (lift ord0 ord0) = lift i ord_max by congr (lift i _); apply/val_inj.
  rewrite -/(z ord0) -/(z ord_max) -!/(al h _ _) -/(o _).
  have -> : (o ord_max + o ord0)%N = (o ord0 + o ord_max)%N by rewrite addnC.
  rewrite -mulrDl; congr (_ / _); last first.
    rewrite !natrD /al overlap_xx -/(o ord0) -/(o ord_max); ring.
  rewrite -!uuE -/(o _) {1}/uu eqxx.
  move: (al h x x * uself h x) => a; rewrite addrACA; congr (_ + _).
  by field; rewrite ?pnatr_eq0.
rewrite (eq_bigr _ (fun h _ => E h)) big_split /= !coefE // [minn (o ord_max) _]minnC.
have -> : min_ip s i = minn (o ord0) (o ord_max).
  rewrite min_ipE (@target_min _ _ _ _ (minn (o ord0) (o ord_max))) //.
    move=> p; rewrite -overlapE -/(o p).
    have : p = ord0 \/ p = ord_max by case: p => [[|[|//]] ?]; [left|right]; apply/val_inj.
    by case=> ->; rewrite geq_min leqnn ?orbT.
  by case: (leqP (o ord0) (o ord_max)) => _; [exists ord0|exists ord_max]; rewrite -overlapE.
by rewrite -mulr2n -[_ *+ 2]mulr_natr mulfVK ?pnatr_eq0.
Qed.

Lemma cauchy_nonneg h i : nonnegative (cauchy_head h) i.
Proof.
split=> [x j z _|s]; first by rewrite cauchy_alpha ltW ?al0.
rewrite /denominator big_ord_recl ltr_spaddl ?cauchy_alpha ?al0 //.
by apply: sumr_ge0 => j _; rewrite cauchy_alpha ltW ?al0.
Qed.
End Exact.

Lemma heads_elementary (R : realFieldType) m :
  exists (d : nat) (hs : 'I_(m + 1) -> attention R m 3 (m + 1) d),
  (forall k, position_independent (hs k) /\ forall i, nonnegative (hs k) i) /\
  forall (s : 'I_3 -> token m) i, \sum_k answer (hs k) s i = (min_ip s i)%:R.
Proof.
rewrite addn1; exists #|{: token m}|, (@cauchy_head R m); split=> [k|s i].
  by split=> // i; apply: cauchy_nonneg.
exact: cauchy_exact.
Qed.
