(* Large m by counting instead of listing: the words of weight w split into m *)
(* Graham-Sloane classes (sum of positions mod m) with |x \ y| >= 2 inside    *)
(* each, and in one class at most C(w,i) C(m-w,i-1)/i words y have            *)
(* |x \ y| = i.  Any rational error; and a checker for a table of gaps.       *)
From Coq Require Import NArith Lia.
From mathcomp Require Import all_ssreflect all_algebra zify ring.
From Verifier Require Import Head Domination Amplification Rank Checker Growth.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.

Section Count.
Variables (m w s i : nat) (x : tok m).
Hypotheses (wx : wt x = w) (i0 : 0 < i).
Let S (y : tok m) := [set p | y p].
Let Y := [set y : tok m | [&& wt y == w, syn y == s & ip x (cmpl y) == i]].

Lemma ip_S y z : ip y (cmpl z) = #|S y :\: S z|.
Proof. by rewrite ip_cmplE; apply: eq_card => p; rewrite !inE andbC. Qed.
Lemma wt_S y : wt y = #|S y|.
Proof. by apply: eq_card => p; rewrite !inE. Qed.

Let D := [set p : tok m * 'I_m | (p.1 \in Y) && (p.2 \in S p.1 :\: S x)].
Let f (p : tok m * 'I_m) := (S x :\: S p.1, (S p.1 :\: S x) :\ p.2).

Lemma gained y : y \in Y -> #|S y :\: S x| = i.
Proof.
rewrite inE => /and3P[/eqP wy _ /eqP <-].
by rewrite -ip_S; apply/esym/ip_cmpl_sym; rewrite wx wy.
Qed.

Lemma card_D : #|D| = (i * #|Y|)%N.
Proof.
rewrite -sum1_card (eq_bigl (fun p => (p.1 \in Y) && (p.2 \in S p.1 :\: S x))) => [|p]; last by rewrite inE.
rewrite -(pair_big_dep (mem Y) (fun y b => b \in S y :\: S x) (fun _ _ => 1)) /=.
rewrite (eq_bigr (fun=> i)) => [|y /gained <-]; last by rewrite sum1_card.
by rewrite sum_nat_const mulnC.
Qed.

Lemma sum_move (y : tok m) : \sum_(p < m) p * y p + \sum_(p in S x :\: S y) p =
  \sum_(p < m) p * x p + \sum_(p in S y :\: S x) p.
Proof.
rewrite [X in _ + X = _]big_mkcond [X in _ = _ + X]big_mkcond -!big_split /=.
by apply: eq_bigr => p _; rewrite !inE; case: (x p) (y p) => [] []; rewrite /= ?muln1 ?muln0 ?addn0.
Qed.

Lemma f_inj : {in D &, injective f}.
Proof.
move=> [y b] [y' b']; rewrite !inE /= => /andP[/and3P[_ /eqP sy _] /andP[bx by_]].
move=> /andP[/and3P[_ /eqP sy' _] /andP[bx' by_']] [eA eB].
have inb : b \in S y :\: S x by rewrite !inE bx.
have inb' : b' \in S y' :\: S x by rewrite !inE bx'.
have E1 : \sum_(p in S y :\: S x) p = b + \sum_(p in S y :\: S x :\ b) p by rewrite (big_setD1 b inb).
have E2 : \sum_(p in S y' :\: S x) p = b' + \sum_(p in S y' :\: S x :\ b') p.
  by rewrite (big_setD1 b' inb').
have M := sum_move y; have M' := sum_move y'; rewrite E1 eB eA in M; rewrite E2 in M'.
have {M M'}E : \sum_(p < m) p * y' p + b = \sum_(p < m) p * y p + b'.
  move: M M'; move: (\sum_(p in S x :\: S y') p) (\sum_(p in S y' :\: S x :\ b') p) => u v.
  by move: (\sum_(p < m) p * x p) (\sum_(p < m) p * y p) (\sum_(p < m) p * y' p) => a1 a2 a3; lia.
have bb : b = b'.
  apply/val_inj; rewrite /= -(modn_small (ltn_ord b)) -(modn_small (ltn_ord b')).
  apply/eqP; rewrite -(eqn_modDl (\sum_(p < m) p * y' p)).
  rewrite E.
  by rewrite -modnDml -/(syn y) sy -sy' /syn modnDml.
rewrite -bb in eB *; congr (_, _); apply/ffunP => p.
move/setP/(_ p): eA; move/setP/(_ p): eB; rewrite !inE.
case: eqVneq => [->|_] /=; last by case: (x p) (y p) (y' p) => [] [] [].
by move=> _ _; move: by_ inb'; rewrite -bb !inE => -> /andP[_ ->].
Qed.

Lemma class_count : i * #|Y| <= 'C(w, i) * 'C(m - w, i.-1).
Proof.
rewrite -card_D -(card_in_imset f_inj).
pose A := [set A : {set 'I_m} | A \subset S x & #|A| == i].
pose B := [set B : {set 'I_m} | B \subset ~: S x & #|B| == i.-1].
have -> : 'C(w, i) * 'C(m - w, i.-1) = #|setX A B|.
  rewrite cardsX !cards_draws -wt_S wx; congr ('C(w, i) * 'C(_, _)).
  by rewrite cardsCs setCK -wt_S wx card_ord.
apply/subset_leq_card/subsetP => _ /imsetP[[y b] yb ->].
move: yb; rewrite inE /= => /andP[yY bB]; rewrite in_setX !inE subsetDl /=.
have gy := gained yY.
move: yY; rewrite inE => /and3P[_ _ /eqP iy]; rewrite -ip_S iy eqxx /=.
apply/andP; split.
  apply/subsetP => p; rewrite !inE => /and3P[_ px _]; exact: px.
by have := cardsD1 b (S y :\: S x); rewrite bB gy => ->.
Qed.
End Count.

Section Bound.
Variables (R : realFieldType) (m n r d : nat) (h : head R m n.+1 r d) (e : R).
Hypotheses (vh : valid h) (ah : accurate h e) (e0 : (0 < e)%R).
Variables (w : nat) (hh : nat -> R).
Hypothesis w2 : 2 <= w.
(* for 2 <= i <= w: a composition of at most i, product >= 1, hh its inverse  *)
Hypothesis comp : forall i, 2 <= i -> i <= w -> exists g gs,
  [/\ okgaps e (g :: gs), sumn (g :: gs) <= i, (1 <= gains n e (g :: gs))%R &
      (1 <= hh i * gains n e (g :: gs))%R].
Local Open Scope ring_scope.
Let A (x y : tok m) : R := \sum_p kern h p x (cmpl y).
Let B : R := 1 + \sum_(2 <= i < w.+1) ('C(w, i) * 'C(m - w, i.-1))%N%:R / i%:R * hh i ^+ 2.

Lemma cA0 x y : 0 <= A x y. Proof. by case: vh => k0 _ _; apply: sumr_ge0. Qed.

Lemma hh_gt0 i : (2 <= i)%N -> (i <= w)%N -> 0 < hh i.
Proof.
move=> i2 iw; have [g [gs [_ _ c1 h1]]] := comp i2 iw.
by rewrite -(pmulr_lgt0 _ (lt_le_trans ltr01 c1)) (lt_le_trans ltr01 h1).
Qed.

Lemma pass x z i : (2 <= i)%N -> (i <= w)%N -> (i <= ip x z)%N ->
  \sum_p kern h p x z <= hh i * A x x.
Proof.
move=> i2 iw le; have [g [gs [ok sm c1 h1]]] := comp i2 iw.
have := mass_gap vh ah e0 ok c1 (_ : (ip x (cmpl x) + sumn (g :: gs) <= ip x z)%N).
have ipxc : ip x (cmpl x) = 0%N by apply/eqP; rewrite -(eqn_add2l (ip x x)) ip_cmpl addn0 ip_xx.
rewrite ipxc add0n => /(_ (leq_trans sm le)) /ltW H.
have k0 : 0 <= \sum_p kern h p x z by case: vh => k0 _ _; apply: sumr_ge0.
have c0 := lt_le_trans ltr01 c1; have h0 := hh_gt0 i2 iw.
apply: le_trans (ler_wpmul2l (ltW h0) H); rewrite mulrA.
by rewrite ler_pemull.
Qed.

Let cls s := [pred x : tok m | (wt x == w) && (syn x == s)].

Lemma cdiag x : wt x = w -> 0 < A x x.
Proof.
move=> wx; have [g [gs [ok sm c1 _]]] := comp w2 (leqnn w).
have := mass_gap vh ah e0 ok c1 (_ : (ip x (cmpl x) + sumn (g :: gs) <= ip x x)%N).
have -> : ip x (cmpl x) = 0%N by apply/eqP; rewrite -(eqn_add2l (ip x x)) ip_cmpl addn0 ip_xx.
rewrite add0n ip_xx wx => /(_ sm); apply: le_lt_trans.
by rewrite mulr_ge0 ?(le_trans ler01 c1) //; case: vh => k0 _ _; apply: sumr_ge0.
Qed.

Let rho (x y : tok m) : R := if x == y then 1 else hh (ip x (cmpl y)).

Lemma class_entry s x y : x \in cls s -> y \in cls s -> x != y ->
  (2 <= ip x (cmpl y) <= w)%N.
Proof.
rewrite !inE => /andP[/eqP wx /eqP sx] /andP[/eqP wy /eqP sy] xy.
apply/andP; split; first by apply: syn_gap; rewrite ?wx ?wy ?sx ?sy.
by rewrite -wx; apply: ip_wt.
Qed.

Lemma rho_bound s x y : x \in cls s -> y \in cls s -> A x y <= rho x y * A x x.
Proof.
move=> xs ys; rewrite /rho; case: eqVneq => [->|xy]; first by rewrite mul1r.
by have /andP[i2 iw] := class_entry xs ys xy; apply: pass.
Qed.

Lemma row_sum s x : x \in cls s -> \sum_(y in cls s) rho x y ^+ 2 <= B.
Proof.
move=> xs; have wx : wt x = w by move: xs; rewrite inE => /andP[/eqP].
rewrite (bigD1 x) //= {1}/rho eqxx expr1n ler_add2l.
rewrite (eq_bigr (fun y => \sum_(2 <= i < w.+1) (ip x (cmpl y) == i)%:R * hh i ^+ 2)); last first.
  move=> y /andP[ys yx]; rewrite /rho eq_sym (negPf yx).
  have xy : x != y by rewrite eq_sym.
  have /andP[i2 iw] := class_entry xs ys xy.
  rewrite (bigD1_seq (ip x (cmpl y))) ?iota_uniq ?mem_index_iota ?i2 //=.
  rewrite eqxx mul1r big1 ?addr0 // => i; rewrite eq_sym => /negPf->; by rewrite mul0r.
rewrite exchange_big /= big_nat [X in _ <= X]big_nat; apply: ler_sum => i /andP[i2 iw].
rewrite -mulr_suml; apply: ler_wpmul2r; first by rewrite exprn_ge0 // ltW ?hh_gt0.
have ip0 : (0 < i)%N by apply: ltn_trans i2.
rewrite ler_pdivl_mulr ?ltr0n // mulrC.
have := class_count s wx ip0; set Y := [set y | _] => cc.
apply: (@le_trans _ _ (i%:R * #|Y|%:R)); last by rewrite -natrM ler_nat.
rewrite ler_wpmul2l ?ler0n // -natr_sum ler_nat.
have -> : #|Y| = (\sum_(y : tok m) (y \in Y))%N.
  by rewrite -sum1_card big_mkcond; apply: eq_bigr => y _; case: (y \in Y).
rewrite [X in (X <= _)%N]big_mkcond; apply: leq_sum => y _.
case: ifP => // /andP[]; rewrite !inE => /andP[-> ->] _ /=.
by case: eqP.
Qed.

Lemma class_size s : #|cls s|%:R <= r%:R * B.
Proof.
have B0 : 0 <= B.
  rewrite addr_ge0 ?ler01 // big_nat sumr_ge0 // => i /andP[i2 iw].
  by rewrite mulr_ge0 ?sqr_ge0 // divr_ge0 ?ler0n.
case: (posnP #|cls s|) => [->|K0]; first by rewrite mulr_ge0 ?ler0n.
pose X (i : 'I_#|cls s|) : tok m := @enum_val _ (cls s) i.
have P i : X i \in cls s by apply: enum_valP.
have := @head_profile R m n r d h vh #|cls s| X (fun j => cmpl (X j)) (fun i j => rho (X i) (X j)).
move=> /(_ (fun i => cdiag _)) H.
have W i : wt (X i) = w by have := P i; rewrite inE => /andP[/eqP].
have {}H := H W (fun i j => rho_bound (P i) (P j)).
have row i : \sum_j rho (X i) (X j) ^+ 2 <= B.
  rewrite -(@big_enum_val _ _ _ _ (cls s) (fun y => rho (X i) y ^+ 2)) /=; exact: row_sum.
have {}H : #|cls s|%:R ^+ 2 <= r%:R * (#|cls s|%:R * B).
  apply: (le_trans H); rewrite ler_wpmul2l ?ler0n // mulr_natl -[X in _ *+ X]card_ord -sumr_const.
  by apply: ler_sum => i _; apply: row.
by move: H; rewrite mulrCA expr2 ler_pmul2l ?ltr0n.
Qed.

Theorem counting : 'C(m, w)%:R <= (m * r)%:R * B.
Proof.
case: (posnP m) => [m0|m0]; first by rewrite m0 bin_small ?mul0n ?mul0r // (leq_trans _ w2).
have -> : 'C(m, w)%:R = \sum_(s < m) #|cls s|%:R :> R.
  rewrite -card_wt -natr_sum; congr _%:R.
  pose sy (x : tok m) : 'I_m := Ordinal (ltn_pmod (\sum_(i < m) i * x i) m0).
  rewrite -sum1_card (partition_big sy predT) //=; apply: eq_bigr => s _.
  by rewrite -sum1_card; apply: eq_bigl => x; rewrite !inE -val_eqE.
rewrite natrM -mulrA mulr_natl -[X in _ *+ X]card_ord -sumr_const.
by apply: ler_sum => s _; apply: class_size.
Qed.
End Bound.

(* ---- a checker: gaps for every i = 2..w, and one inequality ---- *)
Record counting_cert := CountingCert {
  k_m : nat; k_n : N; k_a : N; k_b : N; k_r : N;     (* error < k_a/k_b          *)
  k_w : nat;                                         (* the weight               *)
  k_gaps : seq (seq nat);                            (* entry i: gaps for i      *)
  k_scale : N }.                                     (* ratios in units of 1/S   *)

Fixpoint binN (n k : nat) : N :=
  match k with
  | O => 1%num
  | k'.+1 => N.div (N.mul (binN n k') (N.of_nat (n - k'))) (N.of_nat k)
  end.

Section CountingCheck.
Variable c : counting_cert.
Let n2 := N.sub (k_n c) 2.
Definition cterm (i : nat) : N :=
  let s := hval n2 (k_a c) (k_b c) (k_scale c) (nth [::] (k_gaps c) i) in
  let q := N.mul (N.mul (binN (k_w c) i) (binN (k_m c - k_w c) i.-1)) (N.mul s s) in
  N.div (N.pred (N.add q (N.of_nat i))) (N.of_nat i).
Definition counting_check : bool :=
  let range := iota 2 (k_w c).-1 in
  let S2 := N.mul (k_scale c) (k_scale c) in
  let E := foldr (fun i acc => N.add (cterm i) acc) 0%num range in
  [&& N.leb 3 (k_n c), nle 2 (k_w c), N.ltb 0 (k_a c), N.ltb 0 (k_b c), N.ltb 0 (k_scale c),
      all (fun i => gap_ok n2 (k_a c) (k_b c) i (nth [::] (k_gaps c) i)) range &
      N.ltb (N.mul (N.mul (N.pred (k_r c)) (N.of_nat (k_m c))) (N.add S2 E))
            (N.mul (binN (k_m c) (k_w c)) S2)].
End CountingCheck.

Lemma binNE n k : N.to_nat (binN n k) = 'C(n, k).
Proof.
elim: k => [|k IH]; first by rewrite bin0.
have := mul_bin_left n k; rewrite -IH /= => e.
have k0 : N.of_nat k.+1 <> 0%num by lia.
suff : N.mul (binN n k) (N.of_nat (n - k)) = N.mul (N.of_nat 'C(n, k.+1)) (N.of_nat k.+1).
  move=> ->; rewrite -[Pos.of_succ_nat k]/(Pos.of_succ_nat k) -[N.pos _]/(N.of_nat k.+1).
  by rewrite N.div_mul // Nat2N.id.
apply: N2Nat.inj; rewrite !N2Nat.inj_mul !Nat2N.id.
by rewrite !multE mulnC -e mulnC.
Qed.

Section CountingSound.
Variables (c : counting_cert) (R : realFieldType) (k r d : nat) (h : head R (k_m c) k.+1 r d).
Local Open Scope ring_scope.
Theorem counting_check_sound : counting_check c -> N.of_nat k.+2 = k_n c -> valid h ->
  accurate h (err R (k_a c) (k_b c)) -> (N.to_nat (k_r c) <= r)%N.
Proof.
rewrite /counting_check; case/and5P => n3; rewrite nleE => w2 a0 b0 /and3P[S0 gok fin] kn vh ah.
have kE : N.to_nat (N.sub (k_n c) 2) = k by lia.
have S0R : 0 < nR R (k_scale c) by rewrite /nR ltr0n; move: S0 => /N.ltb_lt; lia.
set n2 := N.sub (k_n c) 2 in gok kE; set S := k_scale c in S0 S0R fin.
pose hv i := hval n2 (k_a c) (k_b c) S (nth [::] (k_gaps c) i).
pose hh i : R := nR R (hv i) / nR R S.
have rng i : (2 <= i)%N -> (i <= k_w c)%N -> gap_ok n2 (k_a c) (k_b c) i (nth [::] (k_gaps c) i).
  by move=> i2 iw; apply: (allP gok); rewrite mem_iota i2 /=; lia.
have comp i : (2 <= i)%N -> (i <= k_w c)%N -> exists g gs,
  [/\ okgaps (err R (k_a c) (k_b c)) (g :: gs), (sumn (g :: gs) <= i)%N,
      1 <= gains k (err R (k_a c) (k_b c)) (g :: gs) &
      1 <= hh i * gains k (err R (k_a c) (k_b c)) (g :: gs)].
  move=> i2 iw; have gk := rng i i2 iw.
  have [g [gs [gE og sg c1]]] := gap_okP R a0 b0 gk; exists g, gs.
  have [h1 _] := hvalP a0 b0 gk S0R; rewrite -/(hv i) -/(hh i) gE kE in h1 c1 sg og *.
  by split.
have := counting vh ah (err_gt0 R a0 b0) w2 comp; set B := (X in _ <= _ * X) => H.
rewrite leqNgt; apply/negP => rlt.
pose E := foldr (fun i acc => N.add (cterm c i) acc) 0%num (iota 2 (k_w c).-1).
have BE : B * (nR R S) ^+ 2 <= nR R (N.mul S S) + nR R E.
  rewrite /B mulrDl mul1r nRM -expr2 ler_add2l mulr_suml.
  have -> : nR R E = \sum_(2 <= i < (k_w c).+1) nR R (cterm c i).
    have -> : index_iota 2 (k_w c).+1 = iota 2 (k_w c).-1 by rewrite /index_iota; congr iota; lia.
    rewrite /E.
    elim: (iota _ _) => [|i s IH]; first by rewrite big_nil.
    by rewrite big_cons -IH /= nRD.
  rewrite big_nat [X in _ <= X]big_nat; apply: ler_sum => i /andP[i2 iw].
  rewrite /hh expr_div_n -[X in X <= _]mulrA divfK ?gt_eqF ?exprn_gt0 //.
  have i0 : 0 < i%:R :> R by rewrite ltr0n; apply: leq_trans i2.
  rewrite mulrAC ler_pdivr_mulr //.
  rewrite /cterm -/n2 -/S -/(hv i) /nR -!natrX -!natrM ler_nat -!binNE.
  have := N.div_mod (N.pred (N.add (N.mul (N.mul (binN (k_w c) i) (binN (k_m c - k_w c) i.-1))
     (N.mul (hv i) (hv i))) (N.of_nat i))) (N.of_nat i).
  have := N.mod_lt (N.pred (N.add (N.mul (N.mul (binN (k_w c) i) (binN (k_m c - k_w c) i.-1))
     (N.mul (hv i) (hv i))) (N.of_nat i))) (N.of_nat i).
  move: (N.div _ _) (N.modulo _ _) => q1 q2.
  have iN : N.of_nat i <> 0%num by lia.
  move=> /(_ iN) q2i /(_ iN) q1e.
  have e1 : (N.to_nat (binN (k_w c) i) * N.to_nat (binN (k_m c - k_w c) i.-1) * N.to_nat (hv i) ^ 2 =
    N.to_nat (N.mul (N.mul (binN (k_w c) i) (binN (k_m c - k_w c) i.-1)) (N.mul (hv i) (hv i))))%N.
    by rewrite !N2Nat.inj_mul expnS expn1.
  have e2 : (N.to_nat q1 * i = N.to_nat (N.mul (N.of_nat i) q1))%N.
    by rewrite N2Nat.inj_mul Nat2N.id mulnC.
  rewrite e1 e2; move: q1e q2i; move: (N.mul (N.of_nat i) q1) (N.mul (N.mul _ _) _) => u v; lia.
have S2 : 0 < (nR R S) ^+ 2 by rewrite exprn_gt0.
have : 'C(k_m c, k_w c)%:R * (nR R S) ^+ 2 <= (k_m c * r)%:R * (nR R (N.mul S S) + nR R E).
  apply: (@le_trans _ _ ((k_m c * r)%:R * (B * (nR R S) ^+ 2))).
    by rewrite mulrA ler_pmul2r.
  by rewrite ler_wpmul2l ?ler0n.
rewrite -nRD /nR -natrX -!natrM ler_nat leqNgt => /negP; apply.
move: fin => /N.ltb_lt; rewrite -/E => fin.
apply: (@leq_ltn_trans ((k_m c) * (N.to_nat (k_r c)).-1 * N.to_nat (N.add (N.mul S S) E))%N).
  by rewrite leq_mul2r leq_mul2l; apply/orP; right; apply/orP; right; lia.
have e3 : ('C(k_m c, k_w c) * N.to_nat S ^ 2 = N.to_nat (N.mul (binN (k_m c) (k_w c)) (N.mul S S)))%N.
  by rewrite !N2Nat.inj_mul binNE expnS expn1.
have e4 : (k_m c * (N.to_nat (k_r c)).-1 * N.to_nat (N.add (N.mul S S) E) =
   N.to_nat (N.mul (N.mul (N.pred (k_r c)) (N.of_nat (k_m c))) (N.add (N.mul S S) E)))%N.
  by rewrite !N2Nat.inj_mul N2Nat.inj_pred Nat2N.id [(k_m c * _)%N]mulnC.
by rewrite e3 e4; move: fin; move: (N.mul (N.mul (N.pred _) _) _) (N.mul (binN _ _) _) => u v; lia.
Qed.
End CountingSound.
