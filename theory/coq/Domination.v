(* Chapter 3, gap domination (3.1) and its converse, the exact minimax error *)
(* (3.3).  Sequence length n + 2: n + 1 companions, so n is "length - 2".    *)
From mathcomp Require Import all_ssreflect all_algebra ring.
From Verifier Require Import Head.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* the factor (n - 2)(g - 2 eps)/(2 eps) of a gap g; it is positive exactly  *)
(* when g > 2 eps.  okgaps: no factor of a composition is negative (two      *)
(* negative factors would prove nothing).                                    *)
Section Gain.
Variables (R : realFieldType) (n : nat) (e : R).
Definition gain (g : nat) : R := n%:R * (g%:R - 2%:R * e) / (2%:R * e).
Definition gains (gs : seq nat) : R := \prod_(g <- gs) gain g.
Definition okgaps (gs : seq nat) := all (fun g : nat => 2%:R * e <= g%:R) gs.

Lemma gain_ge0 g : 0 < e -> 2%:R * e <= g%:R -> 0 <= gain g.
Proof.
move=> e0 h; rewrite /gain divr_ge0 ?mulr_ge0 ?ler0n ?subr_ge0 //.
by rewrite ltW // mulr_gt0 ?ltr0n.
Qed.
End Gain.

(* Gap domination for one query, abstractly: keys a p and values u p depend  *)
(* on the position p, tokens z are seen through their overlap f z.           *)
Section Gap.
Variables (R : realFieldType) (n : nat) (T : Type).
Variables (a u : 'I_n.+1 -> T -> R) (s us : R) (f : T -> nat) (e : R).

Definition dn (w : 'I_n.+1 -> T) := s + \sum_p a p (w p).
Definition nm (w : 'I_n.+1 -> T) := s * us + \sum_p a p (w p) * u p (w p).
Definition D z := dn (fun=> z).

Definition is_min (t : nat) (w : 'I_n.+1 -> T) :=
  (forall p, (t <= f (w p))%N) /\ (exists p, f (w p) = t).

Hypothesis dn_gt0 : forall w, 0 < dn w.
Hypothesis approx : forall w t, is_min t w -> `|nm w / dn w - t%:R| < e.

Lemma frac_bounds w t : is_min t w ->
  (t%:R - e) * dn w < nm w /\ nm w < (t%:R + e) * dn w.
Proof.
move=> /approx; rewrite ltr_distl => /andP[h1 h2].
by rewrite -(ltr_pdivl_mulr _ _ (dn_gt0 w)) -(ltr_pdivr_mulr _ _ (dn_gt0 w)).
Qed.

Lemma sum_swap (F : 'I_n.+1 -> T -> R) c z z' :
  \sum_q (c + \sum_p F p (if p == q then z else z')) =
  (c + \sum_p F p z) + n%:R * (c + \sum_p F p z').
Proof.
rewrite big_split /= sumr_const card_ord exchange_big /=.
rewrite (eq_bigr (fun p => F p z + n%:R * F p z')); last first.
  move=> p _; rewrite (bigD1 p) //= eqxx; congr (_ + _).
  rewrite (eq_bigr (fun=> F p z')) => [|q]; last by rewrite eq_sym => /negPf->.
  by rewrite sumr_const cardC1 card_ord mulr_natl.
by rewrite big_split /= -mulr_sumr mulrS -[c *+ n]mulr_natl mulrDr addrACA.
Qed.

Lemma gap_domination z z' : (f z <= f z')%N ->
  n%:R * ((f z')%:R - (f z)%:R - 2%:R * e) * D z' < 2%:R * e * D z.
Proof.
move=> ff; pose w q := fun p : 'I_n.+1 => if p == q then z else z'.
have mz : is_min (f z) (fun=> z) by split=> //; exists ord0.
have mz' : is_min (f z') (fun=> z') by split=> //; exists ord0.
have mw q : is_min (f z) (w q).
  by split=> [p|]; [rewrite /w; case: eqP | exists q; rewrite /w eqxx].
have [h1 _] := frac_bounds mz; have [h2 _] := frac_bounds mz'.
have h3 : \sum_q nm (w q) <= ((f z)%:R + e) * \sum_q dn (w q).
  by rewrite mulr_sumr; apply: ler_sum => q _; apply/ltW/(proj2 (frac_bounds (mw q))).
rewrite /nm /dn /w (sum_swap (fun p y => a p y * u p y)) (sum_swap a) in h3.
rewrite -/(dn (fun=> z)) -/(dn (fun=> z')) -/(nm (fun=> z)) -/(nm (fun=> z')) in h3.
rewrite /D -subr_gt0; move: h1 h2 h3.
move: (dn (fun=> z)) (dn (fun=> z')) (nm (fun=> z)) (nm (fun=> z')) => d d' N N'.
move: (f z)%:R (f z')%:R => t t' h1 h2 h3.
have -> : 2%:R * e * d - n%:R * (t' - t - 2%:R * e) * d' =
  (N - (t - e) * d) + (n%:R * (N' - (t' - e) * d') +
   ((t + e) * (d + n%:R * d') - (N + n%:R * N'))) by ring.
rewrite ltr_paddr ?subr_gt0 // addr_ge0 ?subr_ge0 //.
by rewrite mulr_ge0 ?ler0n // subr_ge0 ltW.
Qed.

(* the same as one step of a chain: tokens at least g apart                  *)
Lemma gap_step z z' g : 0 < e -> 2%:R * e <= g%:R -> (f z + g <= f z')%N ->
  gain n e g * D z' < D z.
Proof.
move=> e0 hg h; have e2 : 0 < 2%:R * e by rewrite mulr_gt0 ?ltr0n.
rewrite /gain mulrAC ltr_pdivr_mulr // [X in _ < X]mulrC.
apply: le_lt_trans (gap_domination (leq_trans (leq_addr _ _) h)).
apply: ler_wpmul2r; first exact: ltW (dn_gt0 _).
apply: ler_wpmul2l; first exact: ler0n.
by rewrite ler_add2r ler_subr_addl -natrD ler_nat.
Qed.
End Gap.


Section Solves.
Variables (R : realFieldType) (m n r d : nat) (h : head R m n.+1 r d).
Definition solves (e : R) : Prop := forall x w, `|out h x w - (target x w)%:R| <= e.
Definition hmass x z : R := self h x + \sum_p kern h p x z.

(* necessity, for every valid head (keys and values may depend on position) *)
Theorem gap_necessary e x z z' : valid h -> solves e -> (ip x z < ip x z')%N ->
  n%:R * ((ip x z')%:R - (ip x z)%:R) * hmass x z' <=
  2%:R * e * (hmass x z + n%:R * hmass x z').
Proof.
move=> vh se zz'; have [k0 s0 d0] := vh.
have dm y : 0 < hmass x y by apply: (d0 x (fun=> y)).
set Q := hmass x z + _; set N := _ * _ * _.
have Q0 : 0 < Q by rewrite /Q ltr_spaddl // mulr_ge0 ?ler0n // ltW.
have Q2 : 0 < 2%:R * Q by rewrite mulr_gt0 ?ltr0n.
rewrite leNgt; apply/negP => lt; pose e' := N / (2%:R * Q).
have ee' : e < e' by rewrite /e' ltr_pdivl_mulr // mulrA [e * _]mulrC.
have := @gap_domination R n (tok m) (fun p z => kern h p x z) (uc h x) (self h x) (us h x)
  (ip x) e' (d0 x) _ z z' (ltnW zz').
rewrite -/(hmass x z) -/(hmass x z') => H; have {}H := H _.
suff : N < N by rewrite ltxx.
have {1}-> : N = n%:R * ((ip x z')%:R - (ip x z)%:R - 2%:R * e') * hmass x z' +
   2%:R * e' * (n%:R * hmass x z') by rewrite /N; ring.
have -> : N = 2%:R * e' * hmass x z + 2%:R * e' * (n%:R * hmass x z').
  rewrite -mulrDr -/Q /e'; field; by rewrite gt_eqF.
rewrite ltr_add2r; apply: H => w t [lo at_].
apply: (@le_lt_trans _ _ e) => //; have := se x w; rewrite outE; last exact: d0.
by rewrite (target_min lo at_).
Qed.
End Solves.

(* Position-independent keys and values (and denominators different from 0): *)
(* outputs on constant and on mixed companions.                              *)
Section Stationary.
Variables (R : realFieldType) (m n r d : nat) (h : head R m n.+1 r d).
(* keys and values do not depend on the position; weights of any sign        *)
Hypothesis stat : forall p q z, phiK h p z = phiK h q z /\ valc h p z = valc h q z.
Hypothesis den_neq0 : forall x w, den h x w != 0.

Let al x z : R := kern h ord0 x z.
Definition sD x z : R := self h x + n.+1%:R * al x z.
Definition sN x z : R := self h x * us h x + n.+1%:R * (al x z * uc h x ord0 z).

Lemma kern_stat p x z : kern h p x z = al x z.
Proof. by rewrite /al /kern (proj1 (stat p ord0 z)). Qed.
Lemma uc_stat p x z : uc h x p z = uc h x ord0 z.
Proof. by rewrite /uc (proj2 (stat p ord0 z)). Qed.

Lemma outS x w : out h x w =
  (self h x * us h x + \sum_p al x (w p) * uc h x ord0 (w p)) / den h x w.
Proof.
have d0 := den_neq0 x w; apply: (mulIf d0); rewrite mulfVK // /out mulrDl.
rewrite /att dotZ mulrAC mulVf // mul1r dotD dotZ dot_sum.
rewrite {1}/den [X in _ + X]mulrDr addrACA; congr (_ + _).
  by rewrite /us [RHS]mulrDr [X in _ + X = _]mulrC.
rewrite [X in _ + X]mulr_sumr -big_split; apply: eq_bigr => p _.
by rewrite /= dotZ -(uc_stat p) -(kern_stat p) /uc [RHS]mulrDr [X in _ + X = _]mulrC.
Qed.

(* z on one position, z' on the n others; and constant sequences            *)
Definition mix (z z' : tok m) := fun p : 'I_n.+1 => if p == ord0 then z else z'.

Lemma mix_sum (F : tok m -> R) z z' : \sum_p F (mix z z' p) = F z + n%:R * F z'.
Proof.
rewrite big_ord_recl /mix eqxx (eq_bigr (fun=> F z')) => [|i _]; last by [].
by rewrite sumr_const card_ord mulr_natl.
Qed.

Lemma den_mix x z z' : n.+1%:R * den h x (mix z z') = sD x z + n%:R * sD x z'.
Proof.
rewrite /den (eq_bigr (fun p => al x (mix z z' p))) => [|p _]; last by rewrite kern_stat.
by rewrite mix_sum /sD mulrS; ring.
Qed.

Lemma mix_id z : mix z z =1 fun=> z. Proof. by move=> p; rewrite /mix; case: eqP. Qed.

Lemma out_mix x z z' : out h x (mix z z') * (sD x z + n%:R * sD x z') = sN x z + n%:R * sN x z'.
Proof.
rewrite -den_mix outS mulrCA mulfVK ?den_neq0 //.
by rewrite (mix_sum (fun y => al x y * uc h x ord0 y)) /sN mulrS; ring.
Qed.

Lemma sD_mixE x z : sD x z + n%:R * sD x z = n.+1%:R * sD x z.
Proof. by rewrite mulrS; ring. Qed.

Lemma sD_neq0 x z : sD x z != 0.
Proof.
have := den_neq0 x (mix z z); apply: contraNneq => z0.
have n1 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
by rewrite -(inj_eq (mulfI n1)) den_mix z0 !mulr0 addr0.
Qed.

Lemma out_const x z : out h x (mix z z) * sD x z = sN x z.
Proof.
apply: (mulfI (_ : n.+1%:R != 0 :> R)); first by rewrite pnatr_eq0.
by rewrite mulrCA -sD_mixE out_mix mulrS mulrDl mul1r.
Qed.

Lemma target_mix x z z' : (ip x z <= ip x z')%N -> target x (mix z z') = ip x z.
Proof.
move=> zz'; apply: target_min => [p|]; first by rewrite /mix; case: eqP.
by exists ord0; rewrite /mix eqxx.
Qed.

End Stationary.

(* ---- the exact minimax error of a kernel (3.3) ---- *)
Section Kernel.
Variables (R : realFieldType) (m n r : nat) (fQ fK : tok m -> 'rV[R]_r).
Definition kalpha x z : R := dot (fQ x) (fK z).
(* the position-independent head with this kernel; the query's own slot is   *)
(* weighted by the same kernel and carries the same value map                *)
Definition uhead d (v a : tok m -> 'rV[R]_d) (b : tok m -> R) : head R m n.+1 r d :=
  Head fQ (fun=> fK) (fun x => kalpha x x) (fun=> v) v a b.
Definition solvable e := exists d v a b, solves (@uhead d v a b) e.

Hypothesis kalpha_ge0 : forall x z, 0 <= kalpha x z.
Hypothesis kalpha_xx : forall x, 0 < kalpha x x.
Definition DD x z : R := kalpha x x + n.+1%:R * kalpha x z.
(* the overlap that counts: |x| where the kernel vanishes                    *)
Definition tau x z : R := if kalpha x z == 0 then (wt x)%:R else (ip x z)%:R.

Lemma DD_gt0 x z : 0 < DD x z.
Proof. by rewrite /DD ltr_paddr // mulr_ge0 ?ler0n. Qed.
Lemma tau_xx x : tau x x = (wt x)%:R.
Proof. by rewrite /tau ip_xx if_same. Qed.
Lemma tau_ge x z : (ip x z)%:R <= tau x z.
Proof. by rewrite /tau; case: ifP => // _; rewrite ler_nat ip_wt. Qed.

Lemma uvalid d v a b : valid (@uhead d v a b).
Proof.
split=> [p x z|x|x w]; [exact: kalpha_ge0|exact: kalpha_ge0|].
by rewrite /den ltr_paddr ?kalpha_xx //; apply: sumr_ge0 => p _; apply: kalpha_ge0.
Qed.

Definition pair_dominated e := forall x z z', (ip x z <= ip x z')%N ->
  (tau x z - (ip x z)%:R) * DD x z + n%:R * ((tau x z' - (ip x z)%:R) * DD x z') <=
  2%:R * e * (DD x z + n%:R * DD x z').

Theorem solvable_pair e : solvable e -> pair_dominated e.
Proof.
move=> [d [v [a [b se]]]] x z z' zz'; set h := uhead v a b in se.
have st p q y : phiK h p y = phiK h q y /\ valc h p y = valc h q y by [].
have dn y w : den h y w != 0 by have [_ _ d0] := uvalid v a b; rewrite gt_eqF ?d0.
have DE y : sD h x y = DD x y by [].
have low y : (tau x y - e) * DD x y <= sN h x y.
  rewrite /tau; case: eqP => [a0|_].
    have -> : DD x y = kalpha x x by rewrite /DD a0 mulr0 addr0.
    have -> : sN h x y = kalpha x x * us h x.
      by rewrite /sN -[kern h ord0 x y]/(kalpha x y) a0 mul0r mulr0 addr0.
    rewrite mulrC ler_pmul2l //; have := se x (mix x x).
    have -> : out h x (mix x x) = us h x.
      have D0 : DD x x != 0 by rewrite gt_eqF ?DD_gt0.
      apply: (mulIf D0); rewrite -DE (out_const st dn) DE /sN /DD -[kern h ord0 x x]/(kalpha x x).
      rewrite -[uc h x ord0 x]/(us h x) -[self h x]/(kalpha x x); ring.
    by rewrite target_mix // ip_xx ler_distl => /andP[].
  have := se x (mix y y); rewrite target_mix // ler_distl => /andP[lo _].
  by rewrite -(out_const st dn) DE ler_pmul2r ?DD_gt0.
have := se x (mix z z'); rewrite target_mix // ler_distl => /andP[_ up].
have Q0 : 0 < DD x z + n%:R * DD x z'.
  by rewrite ltr_spaddl ?DD_gt0 // mulr_ge0 ?ler0n // ltW ?DD_gt0.
have {}up : sN h x z + n%:R * sN h x z' <= ((ip x z)%:R + e) * (DD x z + n%:R * DD x z').
  by rewrite -(out_mix st dn) !DE ler_pmul2r.
have := ler_add (low z) (ler_wpmul2l (ler0n R n) (low z')) => l2.
have := le_trans l2 up; rewrite -subr_ge0 => H; rewrite -subr_ge0; congr (0 <= _): H; ring.
Qed.

Definition uval (e : R) x z : R :=
  (tau x z - e) * DD x z - kalpha x x * ((wt x)%:R - e).
Definition uu e x z : R := if kalpha x z == 0 then 0 else uval e x z / (n.+1%:R * kalpha x z).

Lemma uuE e x z : n.+1%:R * (kalpha x z * uu e x z) = uval e x z.
Proof.
rewrite /uu; case: eqP => [a0|/eqP a0]; last by rewrite mulrA mulrC mulfVK // mulf_neq0 ?pnatr_eq0.
by rewrite /uval /tau /DD a0 eqxx !mulr0 addr0 mulrC subrr.
Qed.

Definition hopt e := @uhead #|{: tok m}| (fun z => \row_l uu e (enum_val l) z)
  (fun x => delta_mx 0 (enum_rank x)) (fun=> 0).

Lemma hopt_val e x z : dot (delta_mx 0 (enum_rank x)) (\row_l uu e (enum_val l) z) + 0 = uu e x z.
Proof.
rewrite addr0 /dot (bigD1 (enum_rank x)) //= big1 ?addr0 => [|l /negPf nl]; last first.
  by rewrite !mxE eqxx nl mul0r.
by rewrite !mxE !eqxx mul1r enum_rankK.
Qed.

Lemma hopt_out e x w : out (hopt e) x w =
  (\sum_p (tau x (w p) - e) * DD x (w p)) / \sum_p DD x (w p).
Proof.
have [_ _ d0] := uvalid (fun z => \row_l uu e (enum_val l) z)
  (fun x => delta_mx 0 (enum_rank x)) (fun=> 0).
have n1 : n.+1%:R != 0 :> R by rewrite pnatr_eq0.
have sD : \sum_p DD x (w p) = n.+1%:R * den (hopt e) x w.
  rewrite /den /DD big_split /= sumr_const card_ord mulrDr mulr_natl mulr_sumr.
  by congr (_ + _); apply: eq_bigr.
rewrite outE; last exact: d0.
apply: (mulIf (lt0r_neq0 (d0 x w))); rewrite mulfVK ?lt0r_neq0 ?d0 //.
rewrite sD invfM mulrA mulfVK ?lt0r_neq0 ?d0 // -[LHS](mulKf n1) mulrC; congr (_ * _).
rewrite /us /uc /= hopt_val mulrDr mulr_sumr uuE.
transitivity (uval e x x + \sum_p uval e x (w p)).
  by congr (_ + _); apply: eq_bigr => p _; rewrite hopt_val -uuE.
rewrite /uval sumrB sumr_const card_ord -[_ *+ n.+1]mulr_natl tau_xx /DD.
move: (\sum_p _) => s; rewrite mulrS; ring.
Qed.

Theorem pair_solves e : pair_dominated e -> solves (hopt e) e.
Proof.
move=> gd x w; set t := target x w; rewrite hopt_out.
have sD0 : 0 < \sum_p DD x (w p).
  by rewrite big_ord_recl ltr_spaddl ?DD_gt0 // sumr_ge0 // => p _; rewrite ltW ?DD_gt0.
rewrite ler_distl ler_pdivl_mulr // ler_pdivr_mulr // !mulr_sumr; apply/andP; split.
  apply: ler_sum => p _; apply: ler_wpmul2r; first exact/ltW/DD_gt0.
  by rewrite ler_add2r (le_trans _ (tau_ge _ _)) // ler_nat target_le.
have [p0 p0t] : exists p0, ip x (w p0) = t.
  case: (target_attained x w) => [tw|[p tp]]; last by exists p.
  exists ord0; apply/eqP; rewrite eqn_leq target_le andbT -/t.
  by rewrite /t tw ip_wt.
pose a p := (tau x (w p) - t%:R - 2%:R * e) * DD x (w p).
have key p : a p0 + n%:R * a p <= 0.
  have := gd x (w p0) (w p); rewrite p0t /t target_le => /(_ isT).
  by rewrite -subr_ge0 => H; rewrite -oppr_ge0; congr (0 <= _): H; rewrite /a /t; ring.
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

Theorem minimax e : solvable e <-> pair_dominated e.
Proof. by split=> [|gd]; [exact: solvable_pair | do 4!eexists; apply: (pair_solves gd)]. Qed.
End Kernel.
