(* What solves every length: dense softmax.  The kernel b^-<x,z> has 2^m      *)
(* nonnegative features; with values v(z) = z and readout <x,.> its error is  *)
(* at most E for every m as soon as (n-1)(a - E) <= E b^a for all a >= 1.     *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Verifier Require Import Head Model Bridge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* ---- effective values: a head with any table u_x(z) ---- *)
Section Table.
Variables (R : realFieldType) (m L r : nat) (fq fk : token m -> 'I_r -> R).
Variable u : token m -> token m -> R.
Definition table_head : attention R m L r #|{: token m}| :=
  Attention fq (fun _ => fk) (fun _ z c => (z == enum_val c)%:R) (fun x c => u x (enum_val c))
            (fun=> 0).
Definition feature_kernel x z := \sum_(l < r) fq x l * fk z l.

Lemma table_answer s i : answer table_head s i =
  (\sum_j feature_kernel (s i) (s j) * u (s i) (s j)) / \sum_j feature_kernel (s i) (s j).
Proof.
rewrite /answer addr0 /= /attended; set D := denominator _ _ _.
rewrite -[X in _ = _ / X]/D mulr_suml.
transitivity (\sum_(c < #|{: token m}|) \sum_j
    u (s i) (enum_val c) * (feature_kernel (s i) (s j) * (s j == enum_val c)%:R / D)).
  by apply: eq_bigr => c _; rewrite mulr_suml mulr_sumr.
rewrite exchange_big; apply: eq_bigr => j _ /=.
rewrite (bigD1 (enum_rank (s j))) //= enum_rankK eqxx mulr1 big1 ?addr0 => [|c cj].
  by rewrite mulrCA mulrA.
case: eqP => [e|_]; last by rewrite !(mulr0, mul0r).
by rewrite e enum_valK eqxx in cj.
Qed.
End Table.

Section Attained.
Variables (m k : nat).
Lemma min_ip_le (s : 'I_k.+1 -> token m) i j : (min_ip s i <= overlap (s i) (s j))%N.
Proof.
rewrite min_ipE overlapE; case: (unliftP i j) => [p ->|->]; last by rewrite ip_xx target_le_wt.
exact: (@target_le m k (s i) (fun q => s (lift i q))).
Qed.
Lemma min_ip_attained (s : 'I_k.+1 -> token m) i : exists j, min_ip s i = overlap (s i) (s j).
Proof.
rewrite min_ipE; case: (target_attained (s i) (fun p => s (lift i p))) => [->|[p ->]].
  by exists i; rewrite overlapE ip_xx.
by exists (lift i p); rewrite overlapE.
Qed.
End Attained.

Section Softmax.
Variables (R : realFieldType) (m k : nat) (b E : R).
Hypotheses (b1 : 1 <= b) (E0 : 0 <= E).
Hypothesis bE : forall a, k%:R * (a%:R - E) <= E * b ^+ a.
Let N := #|{: token m}|.
Let b0 : 0 < b. Proof. exact: lt_le_trans ltr01 b1. Qed.

(* features: a unit vector for the query, a column of the kernel for the key *)
Definition softmax_head : attention R m k.+1 N m :=
  Attention (fun x l => (x == enum_val l)%:R) (fun _ z l => b ^- overlap (enum_val l) z)
            (fun _ z c => (z c)%:R) (fun x c => (x c)%:R) (fun=> 0).

Lemma softmax_alpha x j z : alpha softmax_head x j z = b ^- overlap x z.
Proof.
rewrite /alpha (bigD1 (enum_rank x)) //= enum_rankK eqxx mul1r big1 ?addr0 // => l lx.
case: eqP => [e|_]; last by rewrite mul0r.
by rewrite e enum_valK eqxx in lx.
Qed.

Lemma softmax_answer s i : answer softmax_head s i =
  (\sum_j b ^- overlap (s i) (s j) * (overlap (s i) (s j))%:R) / \sum_j b ^- overlap (s i) (s j).
Proof.
rewrite /answer addr0 /= /attended; set D := denominator _ _ _.
have -> : \sum_j b ^- overlap (s i) (s j) = D by apply: eq_bigr => j _; rewrite softmax_alpha.
rewrite mulr_suml.
transitivity (\sum_(c < m) \sum_j (b ^- overlap (s i) (s j) * ((s i c)%:R * (s j c)%:R) / D)).
  apply: eq_bigr => c _; rewrite mulrA mulr_sumr mulr_suml; apply: eq_bigr => j _.
  by rewrite softmax_alpha mulrCA.
rewrite exchange_big; apply: eq_bigr => j _ /=.
rewrite -mulr_suml -mulr_sumr /overlap natr_sum; congr (_ * _ / _).
by apply: eq_bigr => c _; rewrite -natrM mulnb.
Qed.

Lemma bpow0 a : 0 < b ^- a. Proof. by rewrite invr_gt0 exprn_gt0. Qed.

Lemma softmax_nonneg i : nonnegative softmax_head i.
Proof.
split=> [x j z _|s]; first by rewrite softmax_alpha ltW ?bpow0.
rewrite /denominator big_ord_recl ltr_spaddl ?softmax_alpha ?bpow0 //.
by apply: sumr_ge0 => j _; rewrite softmax_alpha ltW ?bpow0.
Qed.

Theorem softmax_error s i : 0 <= answer softmax_head s i - (min_ip s i)%:R <= E.
Proof.
rewrite softmax_answer; set D := \sum_j b ^- _; set t := min_ip s i.
have D0 : 0 < D.
  have [_ d] := softmax_nonneg i; have := d s.
  by rewrite /denominator (eq_bigr (fun j => b ^- overlap (s i) (s j))) // => j _; rewrite softmax_alpha.
rewrite subr_ge0 ler_subl_addr ler_pdivl_mulr // ler_pdivr_mulr // !mulr_sumr; apply/andP; split.
  by apply: ler_sum => j _; rewrite mulrC ler_pmul2l ?bpow0 // ler_nat min_ip_le.
have [j0 tE] := min_ip_attained s i; rewrite -/t in tE.
rewrite -subr_ge0 -sumrB (bigD1 j0) //= -tE.
have rest : \sum_(j < k.+1 | j != j0) b ^- t * E <= k%:R * (b ^- t * E).
  by rewrite sumr_const cardC1 card_ord mulr_natl.
have kk : \sum_(j < k.+1 | j != j0)
    k%:R * (b ^- overlap (s i) (s j) * ((overlap (s i) (s j))%:R - t%:R - E)) <= k%:R * (b ^- t * E).
  apply: le_trans rest; apply: ler_sum => j _.
  have := min_ip_le s i j; rewrite -/t => /subnKC <-; set a := (_ - t)%N.
  have key : k%:R * (b ^- a * (a%:R - E)) <= E.
    by rewrite mulrCA mulrC ler_pdivr_mulr ?exprn_gt0.
  have -> : k%:R * (b ^- (t + a) * ((t + a)%:R - t%:R - E)) = b ^- t * (k%:R * (b ^- a * (a%:R - E))).
    by rewrite natrD [t%:R + _]addrC addrK exprD invfM -mulrA mulrCA.
  by rewrite ler_pmul2l ?bpow0.
rewrite -mulr_sumr in kk.
case: (posnP k) => [k0|k0].
  rewrite big1 ?addr0; last first.
    move=> j /eqP jj; case: jj; apply/val_inj.
    have z (q : 'I_k.+1) : q = 0%N :> nat by apply/eqP; rewrite -leqn0 -[X in (_ <= X)%N]k0 -ltnS.
    by rewrite -[LHS]/(nat_of_ord j) -[RHS]/(nat_of_ord j0) !z.
  have := bpow0 t; move: (b ^- t) => c c0; have -> : (E + t%:R) * c - c * t%:R = c * E by ring.
  by rewrite mulr_ge0 // ltW.
move: kk; rewrite ler_pmul2l ?ltr0n // -subr_ge0 => kk; apply: le_trans kk _.
rewrite le_eqVlt; apply/orP; left; apply/eqP; rewrite -sumrN; congr (_ + _); first by ring.
by apply: eq_bigr => j _; ring.
Qed.
End Softmax.

(* any error, any length: base 1 + (n-1)/E                                   *)
Lemma bernoulli (R : realFieldType) (x : R) a : 0 <= x -> 1 + a%:R * x <= (1 + x) ^+ a.
Proof.
move=> x0; elim: a => [|a IH]; first by rewrite mul0r addr0 expr0.
rewrite exprS; apply: (@le_trans _ _ ((1 + x) * (1 + a%:R * x))).
  rewrite -subr_ge0; have -> : (1 + x) * (1 + a%:R * x) - (1 + a.+1%:R * x) = a%:R * x ^+ 2.
    by rewrite -[a.+1]addn1 natrD; ring.
  by rewrite mulr_ge0 ?ler0n ?sqr_ge0.
by rewrite ler_wpmul2l // addr_ge0 ?ler01.
Qed.

Lemma base_any (R : realFieldType) k (E : R) a : 0 < E ->
  k%:R * (a%:R - E) <= E * (1 + k%:R / E) ^+ a.
Proof.
move=> E0; have x0 : 0 <= k%:R / E by rewrite divr_ge0 ?ler0n ?ltW.
apply: le_trans (ler_wpmul2l (ltW E0) (bernoulli a x0)).
have -> : E * (1 + a%:R * (k%:R / E)) = E + a%:R * k%:R by field; rewrite gt_eqF.
rewrite -subr_ge0; have -> : E + a%:R * k%:R - k%:R * (a%:R - E) = E + k%:R * E by ring.
by rewrite addr_ge0 ?mulr_ge0 ?ler0n // ltW.
Qed.

(* error 1/3 at every length n = k + 1 >= 3: base 2(n-1), which is 4 at n = 3 *)
Lemma base_third (R : realFieldType) k a : (2 <= k)%N ->
  k%:R * (a%:R - 3%:R^-1) <= 3%:R^-1 * (2 * k)%:R ^+ a :> R.
Proof.
move=> k2; have t0 : 0 < 3%:R :> R by rewrite ltr0n.
rewrite [3%:R^-1 * _]mulrC ler_pdivl_mulr //.
have -> : k%:R * (a%:R - 3%:R^-1) * 3%:R = 3%:R * k%:R * a%:R - k%:R :> R.
  by field; rewrite ?gt_eqF ?ltr0n.
rewrite ler_subl_addr -natrX -!natrM -natrD ler_nat.
elim: a => [|[|a] IH]; [by rewrite muln0 | by rewrite expn1; lia |].
have kp : (k <= (2 * k) ^ a.+1)%N by rewrite -{1}[k]mul1n expnS -mulnA leq_mul // leq_pmulr // expn_gt0 muln_gt0 /=; lia.
rewrite expnS; move: IH kp; move: ((2 * k) ^ a.+1)%N => P IH kp.
apply: (@leq_trans (P + k + 3 * k)); first by lia.
apply: (@leq_trans (4 * P + k)); first by lia.
by rewrite leq_add2r leq_mul2r; apply/orP; right; lia.
Qed.

(* ---- the headline theorems ---- *)
Lemma card_token m : #|{: token m}| = (2 ^ m)%N.
Proof. by rewrite card_ffun card_bool card_ord. Qed.

Lemma softmax_elementary (R : realFieldType) m L (b E : R) :
  (1 <= L)%N -> 1 <= b -> 0 <= E -> (forall a, (L%:R - 1) * (a%:R - E) <= E * b ^+ a) ->
  exists h : attention R m L (2 ^ m) m,
  [/\ position_independent h, forall x j z, alpha h x j z = b ^- overlap x z,
     forall i, nonnegative h i & forall i, error_at_most h i E].
Proof.
case: L => [|k] // _ b1 E0 bE; rewrite -card_token; exists (softmax_head m k b); split=> //.
- by move=> x j z; apply: softmax_alpha.
- by move=> i; apply: softmax_nonneg.
move=> i s; have /andP[lo hi] : 0 <= answer (softmax_head m k b) s i - (min_ip s i)%:R <= E.
  by apply: softmax_error => // a; have := bE a; rewrite -[k.+1]addn1 natrD addrK.
by rewrite ger0_norm.
Qed.

Lemma softmax_third_elementary (R : realFieldType) m L : (3 <= L)%N ->
  exists h : attention R m L (2 ^ m) m,
  [/\ position_independent h, forall x j z, alpha h x j z = (2 * (L - 1))%:R ^- overlap x z,
     forall i, nonnegative h i & forall i, error_at_most h i (3%:R^-1)].
Proof.
case: L => [|k] // k2; apply: softmax_elementary => //; rewrite ?invr_ge0 ?ler0n //.
  by rewrite ler1n muln_gt0 /= subn1; case: k k2 => [|k].
by move=> a; rewrite -[k.+1 in X in X * _]addn1 natrD addrK subn1; apply: base_third.
Qed.

Lemma all_features_elementary (R : realFieldType) m L (e : R) : (1 <= L)%N -> 0 < e ->
  exists h : attention R m L (2 ^ m) m,
  [/\ position_independent h, forall x l, 0 <= phi_q h x l, forall j z l, 0 <= phi_k h j z l,
     forall i, nonnegative h i & forall i, error_below h i e].
Proof.
case: L => [|k] // _ e0; pose E := e / 2%:R; have E0 : 0 < E by rewrite divr_gt0 ?ltr0n.
pose b := 1 + k%:R / E; have b1 : 1 <= b by rewrite ler_addl divr_ge0 ?ler0n ?ltW.
have bp a : 0 <= b ^- a by rewrite invr_ge0 exprn_ge0 // (le_trans ler01).
rewrite -card_token; exists (softmax_head m k b); split=> //.
- by move=> x l; rewrite ler0n.
- by move=> j z l; apply: bp.
- by move=> i; apply: (@softmax_nonneg R m k b b1).
move=> i s; have /andP[lo hi] : 0 <= answer (softmax_head m k b) s i - (min_ip s i)%:R <= E.
  by apply: softmax_error => // [|a]; [exact: ltW | exact: base_any].
by rewrite ger0_norm // (le_lt_trans hi) // ltr_pdivr_mulr ?ltr0n // mulr_natr mulr2n ltr_addl.
Qed.
