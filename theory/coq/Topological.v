(* Chapter 9, the topological bound r >= m - 2k + 2, from the Borsuk-Ulam     *)
(* theorem for maps that are affine on the simplices of one triangulation of  *)
(* the sphere; that theorem is a premise here, stated in full.                *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra ring zify.
From Verifier Require Import Head Model Bridge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* faces of the cross-polytope in R^m: disjoint sets A (plus) and B (minus),  *)
(* not both empty; a chain of faces is a simplex of the barycentric           *)
(* subdivision of its boundary, a sphere of dimension m - 1.                  *)
Definition face m (A B : token m) : Prop := overlap A B = 0%N /\ (0 < weight A + weight B)%N.
Definition face_below m (A B A' B' : token m) : Prop :=
  [/\ forall l, A l -> A' l, forall l, B l -> B' l &
     (weight A + weight B < weight A' + weight B')%N].

Definition borsuk_ulam (R : realFieldType) (m N : nat) : Prop :=
  forall f : token m -> token m -> 'I_N -> R,
  (forall A B c, f B A c = - f A B c) -> (N < m)%N ->
  exists (t : nat) (A B : 'I_t -> token m) (lam : 'I_t -> R),
  [/\ forall p, face (A p) (B p),
     forall p q : 'I_t, (p < q)%N -> face_below (A p) (B p) (A q) (B q),
     forall p, 0 <= lam p, exists p, 0 < lam p &
     forall c, \sum_p lam p * f (A p) (B p) c = 0].

Section Sets.
Variable m : nat.
Lemma overlap0 (A B : token m) : overlap A B = 0%N -> forall l, A l -> ~~ B l.
Proof.
move=> /eqP; rewrite /overlap sum_nat_eq0 => /forallP H l Al.
by have := H l; rewrite Al /=; case: (B l).
Qed.
Lemma overlapC (A B : token m) : overlap A B = overlap B A.
Proof. by apply: eq_bigr => l _; rewrite andbC. Qed.
Lemma overlap_disjoint (P A : token m) : (forall l, P l -> ~~ A l) -> overlap P A = 0%N.
Proof. by move=> H; apply: big1 => l _; have := H l; case: (P l) => // /(_ isT)/negPf->. Qed.
Lemma overlap_sub (P B : token m) : (forall l, P l -> B l) -> overlap P B = weight P.
Proof. by move=> H; apply: eq_bigr => l _; have := H l; case: (P l) => //= /(_ isT)->. Qed.
Lemma subset_weight (B : token m) k : (k <= weight B)%N ->
  exists2 P : token m, weight P = k & forall l, P l -> B l.
Proof.
rewrite weightE => /ip_onto[z zE]; exists [ffun l => B l && z l]; last first.
  by move=> l; rewrite ffunE => /andP[].
by rewrite -zE -overlapE; apply: eq_bigr => l _; rewrite ffunE.
Qed.

(* the sign of the first coordinate where A and B differ                      *)
Definition first_sign (R : ringType) (A B : token m) : R :=
  if [pick l | A l != B l] is Some l then (if A l then 1 else -1) else 0.
Lemma first_sign_swap R A B : first_sign R B A = - first_sign R A B.
Proof.
rewrite /first_sign; have -> : [pick l | B l != A l] = [pick l | A l != B l].
  by apply: eq_pick => l /=; rewrite eq_sym.
case: pickP => [l|_]; last by rewrite oppr0.
by case: (A l); case: (B l) => // _; rewrite ?opprK.
Qed.
Lemma first_sign_face (R : realFieldType) A B : face A B -> first_sign R A B != 0.
Proof.
move=> [dis pos]; rewrite /first_sign; case: pickP => [l _|same].
  by case: (A l); rewrite ?oppr_eq0 oner_neq0.
move: pos; rewrite /weight !big1 // => l _; have := same l; have := overlap0 dis (l := l);
  by case: (A l); case: (B l) => // /(_ isT).
Qed.
End Sets.

Section Bound.
Variables (R : realFieldType) (m L r d : nat) (h : attention R m L r d) (i : 'I_L) (k : nat).
Let abar x z := \sum_(j < L | j != i) alpha h x j z.
(* the order, for queries of weight k                                         *)
Hypothesis order : forall P z z' : token m, weight P = k -> overlap P z = 0%N ->
  overlap P z' = k -> abar P z' < abar P z.
Hypothesis k0 : (0 < k)%N.

Let low (A B : token m) := (maxn (weight A) (weight B) < k)%N.
Let psi (z : token m) (b : 'I_r) : R := \sum_(j < L | j != i) phi_k h j z b.
Let lowC A B : low B A = low A B. Proof. by rewrite /low maxnC. Qed.

Definition test_map (A B : token m) (c : 'I_((2 * k - 2) + r)) : R :=
  match split c with
  | inl a => if low A B then first_sign R A B * ((weight A + weight B)%N == a.+1)%:R else 0
  | inr b => if low A B then 0 else psi A b - psi B b
  end.
Lemma test_map_swap A B c : test_map B A c = - test_map A B c.
Proof.
rewrite /test_map lowC; case: (split c) => a; case: (low A B); rewrite ?oppr0 ?opprB //.
by rewrite first_sign_swap mulNr addnC.
Qed.
Lemma test_mapl A B a : test_map A B (lshift r a) =
  if low A B then first_sign R A B * ((weight A + weight B)%N == a.+1)%:R else 0.
Proof. by rewrite /test_map (unsplitK (inl _ a)). Qed.
Lemma test_mapr A B b : test_map A B (rshift (2 * k - 2) b) =
  if low A B then 0 else psi A b - psi B b.
Proof. by rewrite /test_map (unsplitK (inr _ b)). Qed.

Lemma psi_abar P z : \sum_b phi_q h P b * psi z b = abar P z.
Proof.
rewrite /abar /alpha exchange_big; apply: eq_bigr => b _ /=.
by rewrite /psi mulr_sumr.
Qed.

Section Zero.
Variables (t : nat) (A B : 'I_t -> token m) (lam : 'I_t -> R).
Hypothesis fc : forall p, face (A p) (B p).
Hypothesis ch : forall p q : 'I_t, (p < q)%N -> face_below (A p) (B p) (A q) (B q).
Hypothesis lam0 : forall p, 0 <= lam p.
Hypothesis zero : forall c, \sum_p lam p * test_map (A p) (B p) c = 0.

Lemma chain_le (p q : 'I_t) : (p <= q)%N -> (forall l, A p l -> A q l) /\ (forall l, B p l -> B q l).
Proof.
rewrite leq_eqVlt => /predU1P[/val_inj->//|/ch[a b _]]; by split.
Qed.

Lemma upper_zero (p0 p1 : 'I_t) : (k <= weight (B p0))%N -> 0 < lam p1 -> ~~ low (A p1) (B p1) ->
  (forall p, ~~ low (A p) (B p) -> (p0 <= p)%N) -> False.
Proof.
move=> kB l1 y1 least; have [P Pk PB] := subset_weight kB.
have pos p : ~~ low (A p) (B p) -> 0 < abar P (A p) - abar P (B p).
  move=> /least/chain_le[_ sub]; have PBp l : P l -> B p l by move=> /PB/sub.
  rewrite subr_gt0; apply: order => //; last by rewrite overlap_sub.
  apply: overlap_disjoint => l /PBp Bl; apply/negP => Al.
  by have [/overlap0/(_ l Al)] := fc p; rewrite Bl.
pose F p := lam p * (if low (A p) (B p) then 0 else abar P (A p) - abar P (B p)).
have F0 p : 0 <= F p.
  by rewrite mulr_ge0 //; case: ifP => // /negbT/pos/ltW.
have : \sum_p F p = 0.
  transitivity (\sum_b phi_q h P b * \sum_p lam p * test_map (A p) (B p) (rshift (2 * k - 2) b)).
    under [RHS]eq_bigr => b _ do rewrite mulr_sumr.
    rewrite exchange_big; apply: eq_bigr => p _ /=.
    under eq_bigr => b _ do rewrite test_mapr mulrCA.
    rewrite -mulr_sumr /F; congr (_ * _); case: (low _ _).
      by rewrite big1 // => b _; rewrite mulr0.
    by rewrite -!psi_abar -sumrB; apply: eq_bigr => b _; rewrite mulrBr.
  by apply: big1 => b _; rewrite zero mulr0.
move/eqP; rewrite psumr_eq0 // => /allP/(_ p1 (mem_index_enum _))/=.
by rewrite /F (negPf y1) gt_eqF // mulr_gt0 // pos.
Qed.

Lemma lower_zero (p1 : 'I_t) : 0 < lam p1 -> low (A p1) (B p1) -> False.
Proof.
move=> l1 w1; have [_ pos] := fc p1.
have wlt : ((weight (A p1) + weight (B p1)).-1 < 2 * k - 2)%N.
  by move: w1 pos; rewrite /low gtn_max => /andP[]; lia.
have := zero (lshift r (Ordinal wlt)); rewrite (bigD1 p1) //= big1 ?addr0 => [|p pp].
  rewrite test_mapl w1 /= prednK // eqxx mulr1 => /eqP.
  by rewrite mulf_eq0 gt_eqF //= (negPf (first_sign_face R (fc p1))).
rewrite test_mapl; case: ifP => _; last by rewrite mulr0.
rewrite /= prednK //; suff -> : (weight (A p) + weight (B p) == weight (A p1) + weight (B p1))%N = false.
  by rewrite !mulr0.
apply/negbTE; rewrite neq_ltn; move: pp; rewrite -val_eqE neq_ltn.
by case/orP => /ch[_ _ ->]; rewrite ?orbT.
Qed.
End Zero.

Theorem topological : borsuk_ulam R m (2 * k - 2 + r) -> (m + 2 <= r + 2 * k)%N.
Proof.
move=> bu; rewrite leqNgt; apply/negP => lt.
have Nm : (2 * k - 2 + r < m)%N by lia.
have [t [A [B [lam [fc ch lam0 [p l1] zero]]]]] := bu test_map test_map_swap Nm.
have [w1|y1] := boolP (low (A p) (B p)); first exact: (lower_zero fc ch zero l1 w1).
have [p0 y0 least] := @arg_minnP _ p (fun q => ~~ low (A q) (B q)) (fun q => val q) y1.
move: (y0); rewrite /low -leqNgt leq_max => /orP[kA|kB]; last first.
  exact: (upper_zero fc ch lam0 zero kB l1 y1 least).
apply: (@upper_zero t B A lam _ _ lam0 _ p0 p kA l1).
- by move=> q; have [dis w] := fc q; split; [rewrite overlapC | rewrite addnC].
- by move=> q q' /ch[a b w]; split=> //; rewrite addnC [X in (_ < X)%N]addnC.
- move=> c; transitivity (- \sum_q lam q * test_map (A q) (B q) c); last by rewrite zero oppr0.
  by rewrite -sumrN; apply: eq_bigr => q _; rewrite test_map_swap mulrN.
- by rewrite lowC.
by move=> q; rewrite lowC; apply: least.
Qed.
End Bound.

Lemma topological_elementary (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L)
    (e : R) (k : nat) (gs : seq nat) :
  borsuk_ulam R m (2 * k - 2 + r) ->
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e ->
  gs != [::] -> all (fun g : nat => 2%:R * e <= g%:R) gs -> (sumn gs <= k)%N ->
  1 <= gap_product L e gs -> (m + 2 <= r + 2 * k)%N.
Proof.
move=> bu L2 nh e0 ok gn og sm c1; apply: (topological (h := h) (i := i)) bu => [P z z' Pk z0 zk|].
  apply: le_lt_trans (without_self_elementary L2 nh ok e0 (x := P) (z := z) (z' := z') gn og c1 _).
    have [a0 _] := nh; rewrite ler_pemull // sumr_ge0 // => j ji; apply: a0; by left.
  by rewrite z0 zk.
move: gn og sm; case: gs {c1} => // g gs _ /= /andP[g0 _]; case: k => // le.
move: le g0; rewrite leqn0 addn_eq0 => /andP[/eqP-> _].
by rewrite leNgt mulr_gt0 ?ltr0n.
Qed.

Lemma topological_half (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) :
  borsuk_ulam R m (2 + r) -> (3 <= L)%N -> nonnegative h i -> error_below h i 2%:R^-1 ->
  (m <= r + 2)%N.
Proof.
move=> bu L3 nh ok; have e0 : 0 < 2%:R^-1 :> R by rewrite invr_gt0 ltr0n.
have e1 : 2%:R * 2%:R^-1 = 1 :> R by rewrite mulfV ?pnatr_eq0.
suff : (m + 2 <= r + 2 * 2)%N by lia.
apply: (@topological_elementary R m L r d h i 2%:R^-1 2 [:: 2%N] bu (ltnW L3) nh e0 ok) => //=.
  by rewrite e1 andbT ler1n.
rewrite /gap_product big_seq1 /gap_factor e1 divr1.
have -> : 2%:R - 1 = 1 :> R by rewrite -[2%N]/(1 + 1)%N natrD addrK.
by rewrite mulr1 -natrB ?(ltnW L3) // ler1n subn_gt0.
Qed.

Lemma topological_small (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R) :
  borsuk_ulam R m r -> (3 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e ->
  2%:R * (L%:R - 1) * e <= L%:R - 2%:R -> (m <= r)%N.
Proof.
move=> bu L3 nh e0 ok small; have e2 : 0 < 2%:R * e by rewrite mulr_gt0 ?ltr0n.
suff : (m + 2 <= r + 2 * 1)%N by lia.
have L2 : 0 < L%:R - 2%:R :> R by rewrite subr_gt0 ltr_nat.
have small' : 2%:R * e * (L%:R - 2%:R) + 2%:R * e <= L%:R - 2%:R.
  by apply: le_trans small; rewrite le_eqVlt; apply/orP; left; apply/eqP; ring.
have e1 : 2%:R * e <= 1.
  rewrite -(ler_pmul2r L2) mul1r; apply: le_trans small'.
  by rewrite ler_addl ltW.
apply: (@topological_elementary R m L r d h i e 1 [:: 1%N] bu (ltnW L3) nh e0 ok) => //=.
  by rewrite e1.
rewrite /gap_product big_seq1 /gap_factor ler_pdivl_mulr // mul1r mulrBr mulr1.
by rewrite ler_subr_addl [_ * (2%:R * e)]mulrC.
Qed.
