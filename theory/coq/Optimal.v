(* Chapter 4, the amplification ratio is optimal (4.4): heads with a kernel   *)
(* that is a function of the overlap, whose ratio D(x,z0)/D(x,z1) is as close *)
(* to the largest product over all compositions as we like; on the way the    *)
(* converse of gap domination with a separate own weight (3.4(d)).            *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Verifier Require Import Head Domination Model Bridge Constructions.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* ---- the largest product over the compositions of d ---- *)
Section Best.
Variable R : realFieldType.
Fixpoint rmax (k : nat) (G : nat -> R) : R :=
  if k is k'.+1 then Num.max (rmax k' G) (G k') else 0.
Lemma rmax_ge k G h : (h < k)%N -> G h <= rmax k G.
Proof.
elim: k => //= k IH; rewrite ltnS leq_eqVlt le_maxr => /predU1P[->|/IH->//].
by rewrite lexx orbT.
Qed.
Lemma rmax_ge0 k G : 0 <= rmax k G.
Proof. by elim: k => //= k IH; rewrite le_maxr IH. Qed.
Lemma rmax_attained k G : rmax k G = 0 \/ exists2 h, (h < k)%N & rmax k G = G h.
Proof.
elim: k => [|k IH] /=; first by left.
case: (leP (rmax k G) (G k)) => _; first by right; exists k.
by case: IH => [->|[h hk ->]]; [left | right; exists h => //; apply: ltnW].
Qed.

Variable F : nat -> R.
Hypothesis F0 : forall h, 0 <= F h.
(* best d, ..., best 0 *)
Fixpoint tab (d : nat) : seq R :=
  if d is d'.+1 then rmax d (fun h => F h.+1 * nth 0 (tab d') h) :: tab d' else [:: 1].
Definition best d := seq.head 0 (tab d).
Lemma nth_tab d h : (h <= d)%N -> nth 0 (tab d) h = best (d - h).
Proof.
elim: d h => [|d IH] [|h] //.
by rewrite ltnS subSS => /IH.
Qed.
Lemma best0 : best 0 = 1. Proof. by []. Qed.
Lemma bestS d : best d.+1 = rmax d.+1 (fun h => F h.+1 * nth 0 (tab d) h). Proof. by []. Qed.
Lemma best_step h j : (0 < h)%N -> F h * best j <= best (h + j).
Proof.
case: h => // h _; rewrite addSn bestS.
apply: le_trans (@rmax_ge (h + j).+1 _ h _); last by rewrite ltnS leq_addr.
by rewrite nth_tab ?leq_addr // addKn.
Qed.
Lemma best_attained d : best d = 0 \/ exists gs,
  [/\ all (leq 1) gs, sumn gs = d & best d = \prod_(g <- gs) F g].
Proof.
elim/ltn_ind: d => [[|d]] IH; first by right; exists [::]; rewrite big_nil.
rewrite bestS; case: (rmax_attained d.+1 (fun h => F h.+1 * nth 0 (tab d) h)) => [->|[h hd ->]]; first by left.
rewrite nth_tab //.
have /IH [->|[gs [g1 gd ->]]] : (d - h < d.+1)%N by rewrite ltnS leq_subr.
  by left; rewrite mulr0.
by right; exists (h.+1 :: gs); rewrite /= g1 gd big_cons addSn subnKC.
Qed.
Lemma best_max gs : all (leq 1) gs -> \prod_(g <- gs) F g <= best (sumn gs).
Proof.
elim: gs => [|g gs IH] /=; first by rewrite big_nil best0.
move=> /andP[g1 /IH le]; rewrite big_cons; apply: le_trans (best_step _ g1).
by rewrite ler_wpmul2l.
Qed.
Lemma best_gt0 d : (forall h, (0 < h)%N -> 0 < F h) -> 0 < best d.
Proof.
move=> Fp; elim/ltn_ind: d => [[|d]] IH; first exact: ltr01.
by apply: lt_le_trans (best_step d (isT : (0 < 1)%N)); rewrite mulr_gt0 ?Fp ?IH.
Qed.
End Best.

(* a little more on each factor is little more on the product                 *)
Lemma prod_shift (R : realFieldType) (F : nat -> R) (A dl : R) gs :
  0 <= dl -> 1 <= A -> (forall g, g \in gs -> 0 <= F g /\ F g + dl <= A) ->
  0 <= \prod_(g <- gs) (F g + dl) <= A ^+ size gs /\
  \prod_(g <- gs) (F g + dl) <= \prod_(g <- gs) F g + dl * ((size gs)%:R * A ^+ size gs).
Proof.
move=> d0 A1; have A0 : 0 <= A := le_trans ler01 A1.
elim: gs => [|g gs IH] H.
  by rewrite !big_nil /= ler01 expr0 lexx mul0r mulr0 addr0 lexx.
have [] := IH (fun g' h => H g' (mem_behead (s := g :: gs) h)).
have [] := H g (mem_head _ _); rewrite !big_cons /= exprS.
move: (\prod_(_ <- _) (_ + _)) (\prod_(_ <- _) F _) (size gs) => p q k f0 fA /andP[p0 pA] pq.
have fd : 0 <= F g + dl by rewrite addr_ge0.
split; first by rewrite mulr_ge0 //= ler_pmul.
have fA' : F g <= A by apply: le_trans fA; rewrite ler_addl.
have Ak : 0 <= A ^+ k by rewrite exprn_ge0.
have -> : F g * q + dl * (k.+1%:R * (A * A ^+ k)) =
  F g * (q + dl * (k%:R * A ^+ k)) + dl * A ^+ k +
  dl * (k%:R * A ^+ k * (A - F g) + A ^+ k * (A - 1)) by rewrite -[k.+1]addn1 natrD; ring.
rewrite ler_paddr //.
  by rewrite mulr_ge0 // addr_ge0 // mulr_ge0 ?subr_ge0 // mulr_ge0 ?ler0n.
rewrite mulrDl ler_add // ?ler_wpmul2l //.
Qed.

Lemma pos_min (R : realFieldType) (G : nat -> R) k : (forall j, 0 < G j) ->
  exists2 t, 0 < t <= 1 & forall j, (j <= k)%N -> t <= G j.
Proof.
move=> G0; elim: k => [|k [t /andP[t0 t1] tG]].
  exists (Num.min 1 (G 0%N)); first by rewrite lt_minr ltr01 G0 le_minl lexx.
  by move=> j; rewrite leqn0 => /eqP->; rewrite le_minl lexx orbT.
exists (Num.min t (G k.+1)); first by rewrite lt_minr t0 G0 le_minl t1.
move=> j; rewrite leq_eqVlt => /predU1P[->|/tG le]; rewrite le_minl ?lexx ?orbT //.
by rewrite le.
Qed.

(* ---- a positive table y on the overlaps, with y(s) > F(h) y(s+h) ---- *)
Section Table.
Variables (R : realFieldType) (n m : nat) (e c : R) (s1 d : nat).
Hypotheses (e0 : 0 < e) (c0 : 0 < c) (ds1 : (d <= s1)%N) (s1m : (s1 <= m)%N).
Hypothesis comp : forall gs, all (fun g : nat => 2%:R * e < g%:R) gs -> sumn gs = d ->
  gains n e gs < c.
Let e2 : 0 < 2%:R * e. Proof. by rewrite mulr_gt0 ?ltr0n. Qed.
Let F h : R := Num.max 0 (gain n e h).
Let F0 h : 0 <= F h. Proof. by rewrite le_maxr lexx. Qed.
Let FA h : (h <= m)%N -> F h <= n%:R * m%:R / (2%:R * e).
Proof.
move=> hm; rewrite le_maxl; apply/andP; split; first by rewrite divr_ge0 ?mulr_ge0 ?ler0n ?(ltW e0).
rewrite /gain ler_pmul2r ?invr_gt0 // ler_wpmul2l ?ler0n // ler_subl_addr ler_paddr ?(ltW e2) //.
by rewrite ler_nat.
Qed.

Let best_lt : best F d < c.
Proof.
case: (best_attained F d) => [-> //|[gs [_ gd ->]]].
case: (altP (@allP _ (fun g : nat => 2%:R * e < g%:R) gs)) => [ok|/allPn[g ggs ng]].
  suff -> : \prod_(g <- gs) F g = gains n e gs by apply: comp => //; apply/allP.
  rewrite /gains big_seq [RHS]big_seq; apply: eq_bigr => g /ok g2.
  by apply/max_idPr; apply: gain_ge0 => //; apply: ltW.
suff -> : \prod_(g <- gs) F g = 0 by [].
apply/eqP; rewrite prodf_seq_eq0; apply/hasP; exists g => //=.
apply/eqP/max_idPl; rewrite /gain pmulr_lle0 ?invr_gt0 // mulr_ge0_le0 ?ler0n //.
by rewrite subr_le0 leNgt.
Qed.

Lemma size_sumn gs : all (leq 1) gs -> (size gs <= sumn gs)%N.
Proof. by elim: gs => //= g gs IH /andP[g1 /IH]; rewrite -add1n => le; apply: leq_add. Qed.
Lemma mem_sumn gs g : g \in gs -> (g <= sumn gs)%N.
Proof.
elim: gs => //= a gs IH; rewrite inE => /predU1P[->|/IH le]; first exact: leq_addr.
exact: leq_trans le (leq_addl _ _).
Qed.

Lemma table : exists2 dl, 0 < dl & exists y : nat -> R,
  [/\ forall s, 0 < y s, y (s1 - d)%N < c * y s1 &
   forall s h, (0 < h)%N -> (s + h <= m)%N -> (gain n e h + dl) * y (s + h)%N <= y s].
Proof.
pose A := n%:R * m%:R / (2%:R * e) + 1.
have A1 : 1 <= A by rewrite ler_addr divr_ge0 ?mulr_ge0 ?ler0n ?(ltW e0).
have A0 : 0 < A := lt_le_trans ltr01 A1.
pose C := d%:R * A ^+ d; have C0 : 0 <= C by rewrite mulr_ge0 ?ler0n ?exprn_ge0 ?ltW.
pose q := (c - best F d) / (C + 1); have cb : 0 < c - best F d by rewrite subr_gt0.
have C1 : 0 < C + 1 by rewrite ltr_spaddr ?ltr01.
have q0 : 0 < q by rewrite divr_gt0.
pose dl := Num.min 1 q; have dl0 : 0 < dl by rewrite lt_minr ltr01.
have dl1 : dl <= 1 by rewrite le_minl lexx.
have dlC : best F d + dl * C < c.
  rewrite -ltr_subr_addl; apply: (@le_lt_trans _ _ (q * C)).
    by rewrite ler_wpmul2r // le_minl lexx orbT.
  by rewrite /q mulrAC ltr_pdivr_mulr // ltr_pmul2l // ltr_addl ltr01.
pose a h := F h + dl; have a0 h : 0 < a h by rewrite ltr_spaddr.
have a0' h : 0 <= a h := ltW (a0 h).
have aA h : (h <= m)%N -> a h <= A by move=> hm; rewrite ler_add ?FA.
have b0 j : 0 < best a j by apply: best_gt0.
have bc : best a d < c.
  apply: le_lt_trans dlC; case: (best_attained a d) => [|[gs [g1 gd ->]]].
    by move=> bz; move: (b0 d); rewrite bz ltxx.
  have [|_ le] := @prod_shift R F A dl gs (ltW dl0) A1.
    move=> g /mem_sumn; rewrite gd => gled; split=> //; apply: aA.
    exact: leq_trans gled (leq_trans ds1 s1m).
  apply: (le_trans le); apply: ler_add; first by rewrite -gd best_max.
  have sd : (size gs <= d)%N by rewrite -gd size_sumn.
  rewrite ler_pmul2l // ler_pmul ?ler0n ?exprn_ge0 ?(ltW A0) ?ler_nat //.
  by rewrite ler_weexpn2l.
have [t /andP[t0 t1] tb] := pos_min m b0.
have [eta [eta0 eta1 Aeta]] : exists eta, [/\ 0 < eta, eta <= 1 & A * eta = t].
  exists (t / A); rewrite divr_gt0 // ler_pdivr_mulr // mul1r (le_trans t1) //.
  by rewrite mulrCA mulfV ?mulr1 ?gt_eqF.
pose y s := if (s <= s1)%N then best a (s1 - s) else eta ^+ (s - s1).
have y0 s : 0 < y s by rewrite /y; case: ifP => _; rewrite ?b0 ?exprn_gt0.
exists dl => //; exists y; split=> //.
  by rewrite /y leq_subr leqnn subnn best0 mulr1 subKn.
move=> s h h0 sh; apply: (@le_trans _ _ (a h * y (s + h)%N)).
  by rewrite ler_pmul2r ?y0 // ler_add2r le_maxr lexx orbT.
have hm : (h <= m)%N := leq_trans (leq_addl _ _) sh.
rewrite /y; case: (leqP (s + h) s1) => [le|lt].
  rewrite (leq_trans (leq_addr _ _) le).
  have -> : (s1 - s = h + (s1 - (s + h)))%N by rewrite subnDA subnKC // leq_subRL ?(leq_trans (leq_addr _ _) le).
  exact: best_step.
case: (leqP s s1) => [le|lt'].
  have [k kE] : exists k, (s + h - s1)%N = k.+1 by exists (s + h - s1).-1; rewrite prednK ?subn_gt0.
  rewrite kE exprS mulrA; apply: (@le_trans _ _ t).
    apply: (@le_trans _ _ (A * eta * 1)); last by rewrite mulr1 Aeta.
    apply: ler_pmul; rewrite ?mulr_ge0 ?exprn_ge0 ?(ltW eta0) //.
      by rewrite ler_pmul2r ?aA.
    by rewrite exprn_ile1 ?(ltW eta0).
  by apply: tb; apply: leq_trans (leq_subr _ _) s1m.
have -> : (s + h - s1 = h.-1.+1 + (s - s1))%N.
  by rewrite prednK // addnC -addnBA ?(ltnW lt').
rewrite exprD mulrA ler_pimull ?exprn_ge0 ?(ltW eta0) //.
apply: (@le_trans _ _ (A * eta)); last by rewrite Aeta.
rewrite exprS mulrA; apply: (@le_trans _ _ (A * eta * 1)); last by rewrite mulr1.
apply: ler_pmul; rewrite ?mulr_ge0 ?exprn_ge0 ?(ltW eta0) //.
  by rewrite ler_pmul2r ?aA.
by rewrite exprn_ile1 ?(ltW eta0).
Qed.
End Table.

(* ---- the converse of gap domination, own weight apart (3.4(d)) ---- *)
Section SelfWeight.
Variables (R : realFieldType) (m n r d : nat) (h : head R m n.+1 r d).
Variables (D : tok m -> tok m -> R) (E : R).
Hypothesis D0 : forall x z, 0 < D x z.
Hypothesis hD : forall p x z, self h x + n.+1%:R * kern h p x z = D x z.
Hypothesis hN : forall p x z,
  self h x * us h x + n.+1%:R * (kern h p x z * uc h x p z) = ((ip x z)%:R - E) * D x z.
Hypothesis gd : forall x z z', (ip x z <= ip x z')%N ->
  n%:R * ((ip x z')%:R - (ip x z)%:R) * D x z' <= 2%:R * E * (D x z + n%:R * D x z').

Lemma sum_same (k : nat) (b : R) (f : 'I_k -> R) :
  k%:R * b + k%:R * (\sum_p f p) = \sum_p (b + k%:R * f p).
Proof. by rewrite big_split /= sumr_const card_ord mulr_natl mulr_sumr. Qed.
Lemma den_D x w : n.+1%:R * den h x w = \sum_p D x (w p).
Proof.
by rewrite /den mulrDr sum_same; apply: eq_bigr => p _; apply: hD.
Qed.
Lemma sumD_gt0 x (w : 'I_n.+1 -> tok m) : 0 < \sum_p D x (w p).
Proof. by rewrite big_ord_recl ltr_spaddl // sumr_ge0 // => p _; apply: ltW. Qed.
Lemma self_den_gt0 x w : 0 < den h x w.
Proof. by rewrite -(pmulr_rgt0 _ (ltr0Sn R n)) den_D sumD_gt0. Qed.

Lemma self_out x w : out h x w = (\sum_p ((ip x (w p))%:R - E) * D x (w p)) / \sum_p D x (w p).
Proof.
have d0 := self_den_gt0 x w; have n1 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
rewrite outE // -den_D invfM mulrA; congr (_ / _); apply: (mulfI n1).
by rewrite [RHS]mulrC mulfVK // mulrDr sum_same; apply: eq_bigr => p _; apply: hN.
Qed.

Lemma self_solves : solves h E.
Proof.
move=> x w; set t := target x w; rewrite self_out.
have sD0 := sumD_gt0 x w.
rewrite ler_distl ler_pdivl_mulr // ler_pdivr_mulr // !mulr_sumr; apply/andP; split.
  apply: ler_sum => p _; apply: ler_wpmul2r; first exact/ltW/D0.
  by rewrite ler_add2r ler_nat target_le.
have [p0 p0t] : exists p0, ip x (w p0) = t.
  case: (target_attained x w) => [tw|[p tp]]; last by exists p.
  exists ord0; apply/eqP; rewrite eqn_leq target_le andbT -/t.
  by rewrite /t tw ip_wt.
pose a p := ((ip x (w p))%:R - t%:R - 2%:R * E) * D x (w p).
have key p : a p0 + n%:R * a p <= 0.
  have := @gd x (w p0) (w p); rewrite p0t /t target_le => /(_ isT).
  by rewrite -subr_ge0 => H; rewrite -oppr_ge0; congr (0 <= _): H; rewrite /a p0t /t; ring.
suff : \sum_p a p <= 0.
  rewrite -oppr_ge0 -sumrN => H; rewrite -subr_ge0 -sumrB; congr (0 <= _): H.
  by apply: eq_bigr => p _; rewrite /a; ring.
rewrite (bigD1 p0) //=; case: (posnP n) => [n0|n0].
  rewrite big1 ?addr0 => [|p /eqP pp]; first by have := key p0; rewrite n0 mul0r addr0.
  case: pp; apply/val_inj.
  have z (q : 'I_n.+1) : q = 0%N :> nat by apply/eqP; rewrite -leqn0 -[X in (_ <= X)%N]n0 -ltnS.
  by rewrite -[LHS]/(nat_of_ord p) -[RHS]/(nat_of_ord p0) !z.
have n0R : 0 < n%:R :> R by rewrite ltr0n.
rewrite -(pmulr_rle0 _ n0R) mulrDr mulr_sumr.
have -> : n%:R * a p0 = \sum_(p | p != p0) a p0 by rewrite sumr_const cardC1 card_ord mulr_natl.
by rewrite -big_split /= -oppr_ge0 -sumrN; apply: sumr_ge0 => p _; rewrite oppr_ge0.
Qed.
End SelfWeight.

(* ---- the head ---- *)
Section OptimalHead.
Variables (R : realFieldType) (m n : nat) (i : 'I_n.+2) (D : token m -> token m -> R) (sg E : R).
Hypotheses (sg0 : 0 < sg) (sgD : forall x z, sg < D x z).
Let D0 x z : 0 < D x z. Proof. exact: lt_trans sg0 (sgD x z). Qed.
Let T := [finType of token m].
Let al x z : R := (D x z - sg) / n.+1%:R.
Let u x z : R := (((ip x z)%:R - E) * D x z - sg * ((wt x)%:R - E)) / (n.+1%:R * al x z).
Let n1 : 0 < n.+1%:R :> R. Proof. by rewrite ltr0n. Qed.
Let al0 x z : 0 < al x z.
Proof. by rewrite divr_gt0 // subr_gt0. Qed.

(* the weight is sg at the position of the query, al elsewhere *)
Definition optimal_head : attention R m n.+2 #|T| #|T| :=
  Attention (fun x l => al x (enum_val l))
            (fun j z l => (z == enum_val l)%:R * (if j == i then sg / al z z else 1))
            (fun _ z l => (z == enum_val l)%:R) (fun x l => u x (enum_val l)) (fun=> 0).

Lemma optimal_alpha x j z : alpha optimal_head x j z = al x z * (if j == i then sg / al z z else 1).
Proof.
rewrite /alpha (bigD1 (enum_rank z)) //= enum_rankK eqxx mul1r big1 ?addr0 // => l lz.
case: eqP => [e|_]; last by rewrite mul0r mulr0.
by rewrite e enum_valK eqxx in lz.
Qed.
Let H := to_head optimal_head i.
Lemma optimal_kern p x z : kern H p x z = al x z.
Proof. by rewrite kern_to optimal_alpha eq_sym (negPf (neq_lift _ _)) mulr1. Qed.
Lemma optimal_self x : self H x = sg.
Proof. by rewrite -[LHS]/(alpha optimal_head x i x) optimal_alpha eqxx mulrC mulfVK // gt_eqF. Qed.
Lemma optimal_D p x z : self H x + n.+1%:R * kern H p x z = D x z.
Proof.
by rewrite optimal_self optimal_kern /al mulrC mulfVK ?gt_eqF // addrC subrK.
Qed.
Lemma optimal_value x z : \sum_(l < #|T|) u x (enum_val l) * (z == enum_val l)%:R = u x z.
Proof.
rewrite (bigD1 (enum_rank z)) //= enum_rankK eqxx mulr1 big1 ?addr0 // => l lz.
case: eqP => [e|_]; last by rewrite mulr0.
by rewrite e enum_valK eqxx in lz.
Qed.
Lemma optimal_uc x p z : uc H x p z = u x z.
Proof.
by rewrite /uc addr0 -optimal_value /dot; apply: eq_bigr => l _; rewrite !mxE.
Qed.
Lemma uE x z : n.+1%:R * (al x z * u x z) = ((ip x z)%:R - E) * D x z - sg * ((wt x)%:R - E).
Proof. by rewrite mulrA mulrC /u mulfVK // mulf_neq0 ?gt_eqF. Qed.
Lemma u_xx x : u x x = (wt x)%:R - E.
Proof.
have a0 := al0 x x; have k0 : n.+1%:R * al x x != 0 by rewrite mulf_neq0 ?gt_eqF.
apply: (mulfI k0); rewrite -mulrA uE ip_xx -[in RHS](optimal_kern ord0).
have := optimal_D ord0 x x; rewrite optimal_self => <-; ring.
Qed.
Lemma optimal_us x : us H x = (wt x)%:R - E.
Proof.
by rewrite /us addr0 -u_xx -optimal_value /dot; apply: eq_bigr => l _; rewrite !mxE.
Qed.
Lemma optimal_N p x z :
  self H x * us H x + n.+1%:R * (kern H p x z * uc H x p z) = ((ip x z)%:R - E) * D x z.
Proof. by rewrite optimal_self optimal_us optimal_kern optimal_uc uE addrC subrK. Qed.

Hypothesis gd : forall x z z', (ip x z <= ip x z')%N ->
  n%:R * ((ip x z')%:R - (ip x z)%:R) * D x z' <= 2%:R * E * (D x z + n%:R * D x z').

Lemma optimal_solves : solves H E.
Proof. exact: (self_solves D0 optimal_D optimal_N gd). Qed.
Lemma optimal_nonneg : nonnegative optimal_head i.
Proof.
split=> [x j z|s].
  rewrite optimal_alpha; case: eqP => [_ [//|->]|_ _]; last by rewrite mulr1 ltW.
  by rewrite mulrC mulfVK ?gt_eqF // ltW.
have := @self_den_gt0 R m n _ _ H D D0 optimal_D (s i) (fun p => s (lift i p)).
rewrite den_to /denominator insert_i; congr (0 < _); apply: eq_bigr => j _; congr (alpha _ _ _ _).
by rewrite /insert; case: (unliftP i j) => [p ->|->].
Qed.
Lemma optimal_mass x z : mass optimal_head i x z = D x z.
Proof.
rewrite mass_to -(optimal_D ord0); congr (_ + _).
rewrite (eq_bigr (fun=> al x z)) => [|p _]; last exact: optimal_kern.
by rewrite optimal_kern sumr_const card_ord mulr_natl.
Qed.
Lemma optimal_pos x j z : j != i -> 0 < alpha optimal_head x j z.
Proof. by move=> ji; rewrite optimal_alpha (negPf ji) mulr1. Qed.
Lemma optimal_stationary : (forall x, D x x = n.+2%:R * sg) -> position_independent optimal_head.
Proof.
move=> Dxx j j' z; split=> // l /=; suff -> : sg / al z z = 1 by rewrite !if_same.
have -> : al z z = sg by rewrite /al Dxx -[n.+2]addn1 natrD mulrDl mul1r addrK mulrAC mulfV ?mul1r ?gt_eqF.
by rewrite mulfV ?gt_eqF.
Qed.
End OptimalHead.

Lemma rhs_ge0 (R : realFieldType) n (E a b : R) : 0 < E -> 0 < a -> 0 < b ->
  0 <= 2%:R * E * (a + n%:R * b).
Proof.
move=> E0 a0 b0; apply: mulr_ge0; first by rewrite mulr_ge0 ?ler0n ?(ltW E0).
by rewrite addr_ge0 ?(ltW a0) // mulr_ge0 ?ler0n ?(ltW b0).
Qed.

(* a little slack leaves an error slightly below e                            *)
Lemma slack (R : realFieldType) n m (e dl : R) : 0 < e -> 0 < dl ->
  exists E, [/\ 0 < E, E < e & forall g a b, (g <= m)%N -> 0 < b -> (gain n e g + dl) * b <= a ->
    n%:R * g%:R * b <= 2%:R * E * (a + n%:R * b)].
Proof.
move=> e0 dl0; have e2 : 0 < 2%:R * e by rewrite mulr_gt0 ?ltr0n.
pose ka := 2%:R * dl / (n%:R * m%:R + 1).
have nm : 0 < n%:R * m%:R + 1 :> R by rewrite ltr_spaddr ?ltr01 // mulr_ge0 ?ler0n.
have ka0 : 0 < ka by rewrite divr_gt0 // mulr_gt0 ?ltr0n.
pose E := (e^-1 + ka)^-1.
have ie : 0 < e^-1 by rewrite invr_gt0.
have iE : 0 < e^-1 + ka by rewrite addr_gt0.
exists E; split; [by rewrite invr_gt0 | by rewrite /E -[X in _ < X]invrK ltf_pinv ?posrE // ltr_addl |].
move=> g a b gm b0 H; have EE S : (e^-1 + ka) * (2%:R * E * S) = 2%:R * S.
  by rewrite -mulrA mulrCA [_ * (E * S)]mulrA /E mulfV ?gt_eqF // mul1r.
rewrite -(ler_pmul2l iE) EE.
have kd : n%:R * g%:R * ka <= 2%:R * dl.
  rewrite /ka mulrA ler_pdivr_mulr // mulrC ler_pmul2l ?mulr_gt0 ?ltr0n //.
  by rewrite ler_paddr ?ler01 // ler_wpmul2l ?ler0n // ler_nat.
have H2 : 2%:R * ((n%:R * (g%:R - 2%:R * e) / (2%:R * e) + dl) * b) <= 2%:R * a.
  by rewrite ler_pmul2l ?ltr0n.
have -> : 2%:R * (a + n%:R * b) = 2%:R * a + 2%:R * n%:R * b by ring.
rewrite -ler_subl_addr; apply: le_trans H2.
have -> : 2%:R * ((n%:R * (g%:R - 2%:R * e) / (2%:R * e) + dl) * b) =
  (n%:R * g%:R * e^-1 + 2%:R * dl) * b - 2%:R * n%:R * b by field; rewrite ?gt_eqF.
rewrite ler_add2r mulrA ler_pmul2r //.
have -> : (e^-1 + ka) * (n%:R * g%:R) = n%:R * g%:R * e^-1 + n%:R * g%:R * ka by ring.
by rewrite ler_add2l.
Qed.

Lemma optimal_elementary (R : realFieldType) m L (e c : R) (i : 'I_L) (x z0 z1 : token m) :
  (2 <= L)%N -> 0 < e -> 0 < c -> (overlap x z0 <= overlap x z1)%N ->
  (forall gs, all (fun g : nat => 2%:R * e < g%:R) gs ->
     sumn gs = (overlap x z1 - overlap x z0)%N -> gap_product L e gs < c) ->
  exists h : attention R m L (2 ^ m) (2 ^ m),
  [/\ nonnegative h i, error_below h i e, forall x' j z, j != i -> 0 < alpha h x' j z &
      mass h i x z0 < c * mass h i x z1].
Proof.
case: L i => [|[|n]] // i _ e0 c0; rewrite !overlapE => le comp.
have e2 : 0 < 2%:R * e by rewrite mulr_gt0 ?ltr0n.
have s1m : (ip x z1 <= m)%N := leq_trans (ip_wt _ _) (wt_le _).
have [] := @table R n m e c (ip x z1) (ip x z1 - ip x z0) e0 c0 (leq_subr _ _) s1m.
  by move=> gs og sm; rewrite -gap_productE; apply: comp.
move=> dl dl0 [y [y0 ylt yge]]; rewrite subKn // in ylt.
have [t /andP[t0 _] ty] := pos_min m y0.
pose sg := t / 2%:R; have sg0 : 0 < sg by rewrite divr_gt0 ?ltr0n.
have sgy s : (s <= m)%N -> sg < y s.
  by move=> /ty; apply: lt_le_trans; rewrite ltr_pdivr_mulr ?ltr0n // mulr_natr mulr2n ltr_addl.
have [E [E0 Ee sE]] := slack n m e0 dl0.
have ipm X z : (ip X z <= m)%N := leq_trans (ip_wt _ _) (wt_le _).
rewrite -(card_token m); exists (@optimal_head R m n i (fun X z => y (ip X z)) sg E); split.
- by apply: optimal_nonneg => // X z; apply: sgy.
- apply: accurate_from => X w; apply: le_lt_trans Ee; apply: optimal_solves => //.
    by move=> X' z; apply: sgy.
  move=> {X w} X z z' zz'; set g := (ip X z' - ip X z)%N.
  have -> : (ip X z')%:R - (ip X z)%:R = g%:R :> R by rewrite natrB.
  have [g0|g0] := posnP g.
    by rewrite g0 mulr0 mul0r rhs_ge0.
  apply: sE => //; first exact: leq_trans (leq_subr _ _) (ipm _ _).
  by have := yge (ip X z) g g0; rewrite subnKC // => /(_ (ipm _ _)).
- by move=> x' j z; apply: optimal_pos => // X z'; apply: sgy.
by rewrite !optimal_mass // => X z; apply: sgy.
Qed.

(* (b): position-independent heads, when z1 is not the query                  *)
Lemma optimal_stationary_elementary (R : realFieldType) m L (e c : R) (i : 'I_L) (x z0 z1 : token m) :
  (2 <= L)%N -> 0 < e -> 0 < c -> (overlap x z0 < overlap x z1)%N -> z1 != x ->
  (forall gs, all (fun g : nat => 2%:R * e < g%:R) gs ->
     sumn gs = (overlap x z1 - overlap x z0)%N -> gap_product L e gs < c) ->
  exists h : attention R m L (2 ^ m) (2 ^ m),
  [/\ position_independent h, nonnegative h i, error_below h i e & mass h i x z0 < c * mass h i x z1].
Proof.
case: L i => [|[|n]] // i _ e0 c0; rewrite !overlapE => lt z1x comp.
have e2 : 0 < 2%:R * e by rewrite mulr_gt0 ?ltr0n.
have ipm X z : (ip X z <= m)%N := leq_trans (ip_wt _ _) (wt_le _).
have [] := @table R n m e c (ip x z1) (ip x z1 - ip x z0) e0 c0 (leq_subr _ _) (ipm _ _).
  by move=> gs og sm; rewrite -gap_productE; apply: comp.
move=> dl dl0 [y [y0 ylt yge]]; rewrite subKn ?(ltnW lt) // in ylt.
have [t /andP[t0 _] ty] := pos_min m y0.
pose G := n%:R * m%:R / (2%:R * e) + dl + 1.
have G1 : 1 <= G by rewrite ler_addr addr_ge0 ?(ltW dl0) // divr_ge0 ?mulr_ge0 ?ler0n ?(ltW e0).
have G0 : 0 < G := lt_le_trans ltr01 G1.
have n2 : 0 < n.+2%:R :> R by rewrite ltr0n.
have [sg [sg0 sgt Gsg]] : exists sg, [/\ 0 < sg, sg < t & G * (n.+2%:R * sg) <= t].
  exists (t / (n.+2%:R * G)); have nG : 0 < n.+2%:R * G by rewrite mulr_gt0.
  have tE : G * (n.+2%:R * (t / (n.+2%:R * G))) = t.
    by rewrite mulrCA mulrA mulrC mulfVK // gt_eqF.
  split; [by rewrite divr_gt0 | | by rewrite tE].
  rewrite ltr_pdivr_mulr // ltr_pmulr //; apply: (@lt_le_trans _ _ (n.+2%:R * 1)).
    by rewrite mulr1 ltr1n.
  by rewrite ler_pmul2l.
pose D (X z : token m) := if z == X then n.+2%:R * sg else y (ip X z).
have sgD X z : sg < D X z.
  by rewrite /D; case: eqP => _; [rewrite ltr_pmull // ltr1n | apply: lt_le_trans sgt (ty _ (ipm _ _))].
have Dxx X : D X X = n.+2%:R * sg by rewrite /D eqxx.
have Dne X z : (ip X z < ip X X)%N -> D X z = y (ip X z).
  by move=> l; rewrite /D; case: eqP l => // ->; rewrite ltnn.
have [E [E0 Ee sE]] := slack n m e0 dl0.
rewrite -(card_token m); exists (@optimal_head R m n i D sg E); split.
- exact: optimal_stationary.
- exact: optimal_nonneg.
- apply: accurate_from => X w; apply: le_lt_trans Ee; apply: optimal_solves => //.
  move=> {X w} X z z' zz'; set g := (ip X z' - ip X z)%N.
  have -> : (ip X z')%:R - (ip X z)%:R = g%:R :> R by rewrite natrB.
  have D0 Y u : 0 < D Y u := lt_trans sg0 (sgD Y u).
  have [g0|g0] := posnP g.
    by rewrite g0 mulr0 mul0r rhs_ge0.
  have gm : (g <= m)%N := leq_trans (leq_subr _ _) (ipm _ _).
  apply: sE => //; rewrite (Dne X z); last first.
    by rewrite ip_xx; apply: leq_trans (ip_wt X z'); rewrite -subn_gt0.
  rewrite /D; case: eqP => [_|_].
    apply: le_trans (ty _ (ipm _ _)); apply: le_trans Gsg; rewrite ler_pmul2r ?mulr_gt0 //.
    rewrite /G -addrA ler_add //; last by rewrite ler_addl ler01.
    rewrite /gain ler_pmul2r ?invr_gt0 // ler_wpmul2l ?ler0n //.
    by rewrite ler_subl_addr ler_paddr ?(ltW e2) // ler_nat.
  by have := yge (ip X z) g g0; rewrite subnKC // => /(_ (ipm _ _)).
rewrite !optimal_mass // {1}/D /D (negPf z1x); case: eqP => // zx; move: lt.
by rewrite zx ltnNge ip_xx ip_wt.
Qed.
