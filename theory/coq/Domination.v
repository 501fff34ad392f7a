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

Section Kernel.
Variables (R : realFieldType) (m n r : nat) (phiQ phiK : tok m -> 'rV[R]_r).
Definition kalpha x z : R := dot (phiQ x) (phiK z).
(* the position-independent head with this kernel; the query's own slot is   *)
(* weighted by the same kernel and carries the same value map                *)
Definition uhead d (v a : tok m -> 'rV[R]_d) (b : tok m -> R) : head R m n.+1 r d :=
  Head phiQ (fun=> phiK) (fun x => kalpha x x) (fun=> v) v a b.
Definition solvable e := exists d v a b, solves (@uhead d v a b) e.

Hypothesis kalpha_ge0 : forall x z, 0 <= kalpha x z.
Hypothesis kalpha_xx : forall x, 0 < kalpha x x.
Definition DD x z : R := kalpha x x + n.+1%:R * kalpha x z.

Lemma DD_gt0 x z : 0 < DD x z.
Proof. by rewrite /DD ltr_paddr // mulr_ge0 ?ler0n. Qed.

Lemma uvalid d v a b : valid (@uhead d v a b).
Proof.
split=> [p x z|x|x w]; [exact: kalpha_ge0|exact: kalpha_ge0|].
by rewrite /den ltr_paddr ?kalpha_xx //; apply: sumr_ge0 => p _; apply: kalpha_ge0.
Qed.

Lemma umass d v a b x z : hmass (@uhead d v a b) x z = DD x z.
Proof.
by rewrite /hmass /DD (eq_bigr (fun=> kalpha x z)) // sumr_const card_ord mulr_natl.
Qed.

Definition gap_dominated e := forall x z z', (ip x z < ip x z')%N ->
  n%:R * ((ip x z')%:R - (ip x z)%:R) * DD x z' <= 2%:R * e * (DD x z + n%:R * DD x z').

Theorem solvable_gap e : solvable e -> gap_dominated e.
Proof.
move=> [d [v [a [b se]]]] x z z' zz'.
by have := gap_necessary (uvalid v a b) se zz'; rewrite !umass.
Qed.

(* a vanishing weight on a smaller overlap costs half the gap *)
Theorem solvable_zero e x z : solvable e -> kalpha x z = 0 ->
  (wt x)%:R - (ip x z)%:R <= 2%:R * e.
Proof.
move=> [d [v [a [b se]]]] az; set h := uhead v a b in se.
have vh : valid h := uvalid v a b; have [_ _ d0] := vh.
have ux y : y = x \/ kalpha x y = 0 -> out h x (fun=> y) = us h x.
  move=> yx; rewrite outE; last exact: d0.
  apply: (mulIf (lt0r_neq0 (d0 x (fun=> y)))); rewrite mulfVK ?lt0r_neq0 // /den.
  rewrite [RHS]mulrDr; congr (_ + _); first exact: mulrC.
  rewrite mulr_sumr; apply: eq_bigr => p _.
  case: yx => [->|ay]; first exact: mulrC.
  by rewrite (_ : kern h p x y = 0) // mul0r mulr0.
have := se x (fun=> x); have := se x (fun=> z).
rewrite !ux; [|by left|by right].
have tx y : target x (fun _ : 'I_n.+1 => y) = ip x y by apply: target_min => //; exists ord0.
rewrite !tx ip_xx !ler_distl => /andP[_ h1] /andP[h2 _].
have := le_trans h2 h1; rewrite -subr_ge0 => h3.
by rewrite -subr_ge0; congr (0 <= _): h3; ring.
Qed.

Hypothesis kalpha_gt0 : forall x z, (ip x z < wt x)%N -> 0 < kalpha x z.

Definition uval (e : R) x z : R :=
  ((ip x z)%:R - e) * DD x z - kalpha x x * ((wt x)%:R - e).
Definition uu e x z : R := if kalpha x z == 0 then 0 else uval e x z / (n.+1%:R * kalpha x z).

Lemma uuE e x z : n.+1%:R * (kalpha x z * uu e x z) = uval e x z.
Proof.
rewrite /uu; case: eqP => [a0|/eqP a0]; last by rewrite mulrA mulrC mulfVK // mulf_neq0 ?pnatr_eq0.
have -> : uval e x z = 0.
  have iw : ip x z = wt x.
    apply/eqP; rewrite eqn_leq ip_wt leqNgt; apply/negP => /kalpha_gt0.
    by rewrite a0 ltxx.
  by rewrite /uval /DD iw a0 mulr0 addr0 mulrC subrr.
by rewrite !mulr0.
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
  (\sum_p ((ip x (w p))%:R - e) * DD x (w p)) / \sum_p DD x (w p).
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
rewrite /uval sumrB sumr_const card_ord -[_ *+ n.+1]mulr_natl ip_xx /DD.
move: (\sum_p _) => s; rewrite mulrS; ring.
Qed.

Theorem gap_solves e : 0 <= e -> gap_dominated e -> solves (hopt e) e.
Proof.
move=> e0 gd x w; set t := target x w; rewrite hopt_out.
have sD0 : 0 < \sum_p DD x (w p).
  by rewrite big_ord_recl ltr_spaddl ?DD_gt0 // sumr_ge0 // => p _; rewrite ltW ?DD_gt0.
rewrite ler_distl ler_pdivl_mulr // ler_pdivr_mulr // !mulr_sumr; apply/andP; split.
  apply: ler_sum => p _; apply: ler_wpmul2r; first exact/ltW/DD_gt0.
  by rewrite ler_add2r ler_nat target_le.
have [p0 p0t] : exists p0, ip x (w p0) = t.
  case: (target_attained x w) => [tw|[p tp]]; last by exists p.
  exists ord0; apply/eqP; rewrite eqn_leq target_le andbT -/t.
  by rewrite /t tw ip_wt.
rewrite -subr_ge0 -sumrB (bigD1 p0) //= p0t.
rewrite (eq_bigr (fun p => - (((ip x (w p))%:R - t%:R - 2%:R * e) * DD x (w p)))) => [|p _]; last by ring.
rewrite sumrN subr_ge0; set X := \sum_(p | _) _; set Y := (X in _ <= X).
have YE : Y = 2%:R * e * DD x (w p0) by rewrite /Y; ring.
have Y0 : 0 <= Y by rewrite YE !mulr_ge0 ?ler0n // ltW ?DD_gt0.
have XY : n%:R * X <= n%:R * Y.
  have -> : n%:R * Y = \sum_(p | p != p0) Y by rewrite sumr_const cardC1 card_ord mulr_natl.
  rewrite /X mulr_sumr; apply: ler_sum => p _.
  have : (t <= ip x (w p))%N by apply: target_le.
  rewrite leq_eqVlt => /predU1P[tE|lt].
    apply: le_trans Y0; rewrite -tE subrr sub0r mulNr mulrN oppr_le0.
    by rewrite !mulr_ge0 ?ler0n // ltW ?DD_gt0.
  have := gd x (w p0) (w p); rewrite p0t => /(_ lt).
  rewrite YE -subr_ge0 => gd'; rewrite -subr_ge0; congr (0 <= _): gd'; ring.
case: (posnP n) => [n0|n0]; last by move: XY; rewrite ler_pmul2l // ltr0n.
rewrite /X big_pred0 // => p; apply/negbTE; rewrite negbK; apply/eqP/val_inj.
have z (q : 'I_n.+1) : q = 0%N :> nat by case: q => i /=; rewrite n0; case: i.
by rewrite -[LHS]/(nat_of_ord p) -[RHS]/(nat_of_ord p0) !z.
Qed.

Theorem minimax e : 0 <= e -> (solvable e <-> gap_dominated e).
Proof.
move=> e0; split; first exact: solvable_gap.
by move=> gd; do 4!eexists; apply: (gap_solves e0 gd).
Qed.

(* the same, as a closed formula for the error                              *)
Definition pair_error x z z' : R :=
  n%:R * ((ip x z')%:R - (ip x z)%:R) * DD x z' / (2%:R * (DD x z + n%:R * DD x z')).

Theorem minimax_formula e : 0 <= e ->
  (solvable e <-> forall x z z', (ip x z < ip x z')%N -> pair_error x z z' <= e).
Proof.
move=> e0; apply: (iff_trans (minimax e0)).
have pe x z z' : (pair_error x z z' <= e) =
   (n%:R * ((ip x z')%:R - (ip x z)%:R) * DD x z' <= 2%:R * e * (DD x z + n%:R * DD x z')).
  rewrite /pair_error ler_pdivr_mulr ?mulr_gt0 ?ltr0n //.
    by rewrite mulrA [e * _]mulrC.
  by rewrite ltr_spaddl ?DD_gt0 // mulr_ge0 ?ler0n // ltW ?DD_gt0.
by split=> H x z z' /H; rewrite pe.
Qed.
End Kernel.

(* the complete answer for one kernel, error below 1/2                       *)
Theorem solvable_iff (R : realFieldType) m n r (phiQ phiK : tok m -> 'rV[R]_r) e :
  (forall x z, 0 <= kalpha phiQ phiK x z) -> (forall x, 0 < kalpha phiQ phiK x x) ->
  0 <= e -> 2%:R * e < 1 ->
  solvable n phiQ phiK e <->
  (forall x z, (ip x z < wt x)%N -> 0 < kalpha phiQ phiK x z) /\ gap_dominated n phiQ phiK e.
Proof.
move=> a0 axx e0 e1; split=> [se|[ap gd]]; last exact/minimax.
split=> [x z lt|]; last exact: solvable_gap.
rewrite lt_neqAle eq_sym a0 andbT; apply/eqP => az.
have := le_lt_trans (solvable_zero a0 axx se az) e1.
by rewrite ltr_subl_addr -[1]/(1%:R) -natrD ltr_nat add1n ltnS leqNgt lt.
Qed.
