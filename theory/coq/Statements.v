(* Every headline theorem, in the elementary terms of Model.v; the proofs are *)
(* in the chapters.  R is any ordered field, m the number of bits, L the      *)
(* length, r the number of features, d the value dimension.  "error_below h i *)
(* e" speaks of the query at one position i, so the lower bounds need only    *)
(* one query position (the last one for a causal head) and the constructions  *)
(* serve all.                                                                 *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra ring.
From Verifier Require Import Head ShortLengths Domination Amplification Rank Checker.
From Verifier Require Import Model Bridge.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* ---- Chapter 2: one feature is exact at lengths 1 and 2 ---- *)
Definition exact (R : realFieldType) m L r d (h : attention R m L r d) : Prop :=
  position_independent h /\
  forall i, nonnegative h i /\ forall s, answer h s i = (min_ip s i)%:R.

Theorem thm_2_1_length_1 (R : realFieldType) m : exists h : attention R m 1 1 m, exact h.
Proof. exact: short_exact1. Qed.
Theorem thm_2_2_length_2 (R : realFieldType) m : exists h : attention R m 2 1 m, exact h.
Proof. exact: short_exact2. Qed.

(* ---- Chapter 3: gap domination, and its converse ---- *)
Theorem thm_3_1_gap_domination (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) :
  (2 <= L)%N -> nonnegative h i -> error_below h i e -> (overlap x z <= overlap x z')%N ->
  (L%:R - 2%:R) * ((overlap x z')%:R - (overlap x z)%:R - 2%:R * e) * mass h i x z' <
    2%:R * e * mass h i x z.
Proof. by move=> *; apply: gap_domination_elementary. Qed.

(* For a kernel given by its features, positive where <x,z> < |x|: some value *)
(* map and readout reach error <= e at length L if and only if every pair of  *)
(* companions does.  D(x,z) = alpha(x,x) + (L-1) alpha(x,z).                  *)
Theorem thm_3_3_minimax_error (R : realFieldType) m L r (fq fk : token m -> 'I_r -> R) (e : R)
    (al := fun x z => \sum_(l < r) fq x l * fk z l)
    (D := fun x z => al x x + (L%:R - 1) * al x z) :
  (2 <= L)%N -> 0 <= e -> (forall x z, 0 <= al x z) -> (forall x, 0 < al x x) ->
  (forall x z, (overlap x z < weight x)%N -> 0 < al x z) ->
  (exists d (v : token m -> 'I_d -> R) (a : token m -> 'I_d -> R) (b : token m -> R),
     forall (s : 'I_L -> token m) i,
     `|answer (Attention fq (fun=> fk) (fun=> v) a b) s i - (min_ip s i)%:R| <= e) <->
  (forall x z z', (overlap x z < overlap x z')%N ->
     (L%:R - 2%:R) * ((overlap x z')%:R - (overlap x z)%:R) * D x z' <=
       2%:R * e * (D x z + (L%:R - 2%:R) * D x z')).
Proof. exact: minimax_elementary. Qed.

(* ---- Chapter 4: amplification ---- *)
(* gs is a composition of at most the gap; no factor is negative              *)
Theorem thm_4_1_amplification (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) (gs : seq nat) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e ->
  gs != [::] -> all (fun g : nat => 2%:R * e <= g%:R) gs ->
  (overlap x z + sumn gs <= overlap x z')%N ->
  gap_product L e gs * mass h i x z' < mass h i x z.
Proof. by move=> *; apply: amplification_elementary. Qed.

(* the own weight of the query costs nothing once the product is at least 1   *)
Theorem thm_4_2_without_self (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) (gs : seq nat) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e ->
  gs != [::] -> all (fun g : nat => 2%:R * e <= g%:R) gs -> 1 <= gap_product L e gs ->
  (overlap x z + sumn gs <= overlap x z')%N ->
  gap_product L e gs * (\sum_(j < L | j != i) alpha h x j z') <
    \sum_(j < L | j != i) alpha h x j z.
Proof. by move=> *; apply: without_self_elementary. Qed.

(* ---- Chapter 5: from ratios to rank ---- *)
(* The matrix of a list of words X against their complements: rank at most r, *)
(* positive diagonal, off-diagonal entries below 1/product.                   *)
Theorem thm_5_1_code_matrix (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) K (X : 'I_K -> token m)
    (M : 'M[R]_K := \matrix_(p, q) \sum_(j < L | j != i) alpha h (X p) j (complement (X q))) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e ->
  [/\ (\rank M <= r)%N, forall p q, 0 <= M p q &
    forall p q gs, gs != [::] -> all (fun g : nat => 2%:R * e <= g%:R) gs ->
      1 <= gap_product L e gs -> (sumn gs <= overlap (X p) (complement (X q)))%N ->
      gap_product L e gs * M p q < M p p].
Proof. by move=> *; apply: code_matrix_elementary. Qed.

(* Real matrices M with positive diagonal, entries strictly below h times it  *)
Theorem thm_5_2_trace (R : realFieldType) K (M : 'M[R]_K) (h : 'I_K -> 'I_K -> R) (r0 : nat) :
  (1 < K)%N -> (forall i j, i != j -> `|M i j| < h i j * M i i) -> (forall i, 0 < M i i) ->
  r0%:R * (K%:R + \sum_i \sum_(j | j != i) h i j ^+ 2) <= K%:R ^+ 2 -> (r0 < \rank M)%N.
Proof. exact: trace_profile. Qed.

Theorem thm_5_2_trace_rank (R : realFieldType) n (M : 'M[R]_n) :
  (\tr M) ^+ 2 <= (\rank M)%:R * \sum_i \sum_j M i j ^+ 2.
Proof. exact: trace_rank. Qed.

Theorem thm_5_3_projection (R : realFieldType) K (M : 'M[R]_K) (h : 'I_K -> 'I_K -> R)
    (lam : R) (r0 : nat) (k : R := K%:R) (q : R := r0%:R)
    (E : R := \sum_i \sum_(j | j != i) h i j * Num.max 0 (h i j - lam)) :
  (forall i, 0 < M i i) -> (forall i j, i != j -> 0 <= M i j) ->
  (forall i j, i != j -> M i j <= h i j * M i i) -> (forall i j, i != j -> h i j <= 1) ->
  (2%:R * (k - 1 - q) + q * lam * k) ^+ 2 < 4%:R * (1 + q) * ((k - 1) * (k - 1 - q) - q * E) ->
  (r0 + 2 <= \rank M)%N.
Proof. exact: projection_elementary. Qed.

Theorem thm_5_4_dominance (R : realFieldType) K (M : 'M[R]_K) (h : 'I_K -> 'I_K -> R) :
  (forall i j, i != j -> `|M i j| < h i j * M i i) -> (forall i, 0 < M i i) ->
  (forall i, \sum_(j | j != i) h i j <= 1) -> \rank M = K.
Proof. exact: dominance_profile. Qed.

(* ---- Kernels of any sign, keys and values independent of the position ---- *)
Theorem thm_signed_gap_domination (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) :
  (2 <= L)%N -> position_independent h -> (forall s, denominator h s i != 0) -> 0 < e ->
  error_below h i e -> (overlap x z <= overlap x z')%N ->
  2%:R * e <= (overlap x z')%:R - (overlap x z)%:R ->
  (L%:R - 2%:R) * ((overlap x z')%:R - (overlap x z)%:R - 2%:R * e) * `|mass h i x z'| <
    2%:R * e * `|mass h i x z|.
Proof. by move=> *; apply: signed_elementary. Qed.

Theorem thm_signed_amplification (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) (gs : seq nat) :
  (2 <= L)%N -> position_independent h -> (forall s, denominator h s i != 0) -> 0 < e ->
  error_below h i e -> gs != [::] -> all (fun g : nat => 2%:R * e <= g%:R) gs ->
  (overlap x z + sumn gs <= overlap x z')%N ->
  gap_product L e gs * `|mass h i x z'| < `|mass h i x z|.
Proof. by move=> *; apply: signed_amplification_elementary. Qed.

(* with thm_5_2_trace, whose hypotheses are about absolute values, this gives *)
(* the signed rank bound: r >= K^2/(K + sum h^2) - 1                          *)
Theorem thm_signed_rank (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L)
    K (X Y : 'I_K -> token m) : (2 <= L)%N -> position_independent h ->
  (\rank (\matrix_(p, q) mass h i (X p) (Y q)) <= r + 1)%N.
Proof. by move=> *; apply: signed_rank_elementary. Qed.

(* ---- The checker ---- *)
(* When check c computes to true, every nonnegative head on tokens of c_m     *)
(* bits that solves length c_n with error < c_a/c_b at one query position has *)
(* at least c_r features.                                                     *)
Theorem thm_checker_sound (c : cert) (R : realFieldType) L r d
    (h : attention R (c_m c) L r d) (i : 'I_L) :
  check c = true -> c_signed c = false -> N.of_nat L = c_n c -> nonnegative h i ->
  error_below h i ((N.to_nat (c_a c))%:R / (N.to_nat (c_b c))%:R) -> (N.to_nat (c_r c) <= r)%N.
Proof. exact: check_elementary. Qed.

(* The same for kernels of any sign, position-independent.                    *)
Theorem thm_checker_sound_signed (c : cert) (R : realFieldType) L r d
    (h : attention R (c_m c) L r d) (i : 'I_L) :
  check c = true -> c_signed c = true -> N.of_nat L = c_n c -> position_independent h ->
  (forall s, denominator h s i != 0) ->
  error_below h i ((N.to_nat (c_a c))%:R / (N.to_nat (c_b c))%:R) -> (N.to_nat (c_r c) <= r)%N.
Proof. exact: check_elementary_signed. Qed.

Print Assumptions thm_2_1_length_1.
Print Assumptions thm_2_2_length_2.
Print Assumptions thm_3_1_gap_domination.
Print Assumptions thm_3_3_minimax_error.
Print Assumptions thm_4_1_amplification.
Print Assumptions thm_4_2_without_self.
Print Assumptions thm_5_1_code_matrix.
Print Assumptions thm_5_2_trace.
Print Assumptions thm_5_2_trace_rank.
Print Assumptions thm_5_3_projection.
Print Assumptions thm_5_4_dominance.
Print Assumptions thm_signed_gap_domination.
Print Assumptions thm_signed_amplification.
Print Assumptions thm_signed_rank.
Print Assumptions thm_checker_sound.
Print Assumptions thm_checker_sound_signed.
