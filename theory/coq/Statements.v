(* Every headline theorem, in the elementary terms of Model.v; the proofs are *)
(* in the chapters.  R is any ordered field, m the number of bits, L the      *)
(* length (n in the prose), r the number of features, d the value dimension.  *)
(* thm_3_1 is Theorem 3.1 of the prose in theory/, and so on; names without a *)
(* number are theorems that the prose does not state in this form.  The lower  *)
(* bounds ask for accuracy at one query position i only (the last one for a   *)
(* causal head); the constructions serve every position, those of thm_4_4 the  *)
(* position i.                                                                *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra ring.
From Verifier Require Import Head ShortLengths Domination Amplification Rank Checker Counting.
From Verifier Require Topological.
From Verifier Require Import Model Bridge Constructions Heads Optimal EckartYoung.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

(* ---- Chapter 1 ---- *)
Theorem thm_1_8_one_feature (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) :
  nonnegative h i -> (1 <= r)%N.
Proof. exact: features_pos. Qed.

(* ---- Chapter 2: one feature is exact at lengths 1 and 2 ---- *)
Definition exact_head (R : realFieldType) m L r d (h : attention R m L r d) : Prop :=
  position_independent h /\
  forall i, nonnegative h i /\ forall s, answer h s i = (min_ip s i)%:R.

Theorem thm_2_1_length_1 (R : realFieldType) m : exists h : attention R m 1 1 m, exact_head h.
Proof. exact: short_exact1. Qed.
Theorem thm_2_2_length_2 (R : realFieldType) m : exists h : attention R m 2 1 m, exact_head h.
Proof. exact: short_exact2. Qed.

(* ---- Chapter 3: gap domination, and its converse ---- *)
Theorem thm_3_1_gap_domination (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) :
  (2 <= L)%N -> nonnegative h i -> error_at_most h i e -> (overlap x z < overlap x z')%N ->
  (L%:R - 2%:R) * ((overlap x z')%:R - (overlap x z)%:R - 2%:R * e) * mass h i x z' <=
    2%:R * e * mass h i x z.
Proof. exact: gap_domination_weak. Qed.

Theorem thm_3_2_strict (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e -> (overlap x z <= overlap x z')%N ->
  gap_factor L e (overlap x z' - overlap x z) * mass h i x z' < mass h i x z.
Proof. by move=> *; apply: gap_step_elementary. Qed.

(* A kernel al given by its features; D and tau as in the prose.  The         *)
(* right-hand side says that the E of the prose is at least every G(x;z,z'):  *)
(* so values and readouts of error <= e exist if and only if e >= eps*.       *)
Theorem thm_3_3_minimax_error (R : realFieldType) m L r (fq fk : token m -> 'I_r -> R) (e : R)
    (al := fun x z => \sum_(l < r) fq x l * fk z l)
    (D := fun x z => al x x + (L%:R - 1) * al x z)
    (tau := fun x z => if al x z == 0 then (weight x)%:R else (overlap x z)%:R) :
  (2 <= L)%N -> (forall x z, 0 <= al x z) -> (forall x, 0 < al x x) ->
  (exists d (v : token m -> 'I_d -> R) (a : token m -> 'I_d -> R) (b : token m -> R),
     forall (s : 'I_L -> token m) i,
     `|answer (Attention fq (fun=> fk) (fun=> v) a b) s i - (min_ip s i)%:R| <= e) <->
  (forall x z z', (overlap x z <= overlap x z')%N ->
     (tau x z - (overlap x z)%:R) * D x z + (L%:R - 2%:R) * ((tau x z' - (overlap x z)%:R) * D x z')
       <= 2%:R * e * (D x z + (L%:R - 2%:R) * D x z')).
Proof. exact: minimax_elementary. Qed.

(* ---- Chapter 4: amplification ---- *)
Theorem thm_4_1_chain (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x : token m) (z : nat -> token m) (k : nat) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e -> (0 < k)%N ->
  (forall p, (p < k)%N -> (overlap x (z p) <= overlap x (z p.+1))%N /\
     0 < gap_factor L e (overlap x (z p.+1) - overlap x (z p))) ->
  \prod_(p < k) gap_factor L e (overlap x (z p.+1) - overlap x (z p)) * mass h i x (z k) <
    mass h i x (z 0%N).
Proof. by move=> *; apply: chain_elementary. Qed.

(* gs is a composition of at most the gap; no factor is negative              *)
Theorem thm_4_2_composition (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) (gs : seq nat) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e ->
  gs != [::] -> all (fun g : nat => 2%:R * e <= g%:R) gs ->
  (overlap x z + sumn gs <= overlap x z')%N ->
  gap_product L e gs * mass h i x z' < mass h i x z.
Proof. by move=> *; apply: amplification_elementary. Qed.

(* No larger ratio holds in general: let c exceed every product over a        *)
(* composition of the gap into parts g > 2e, and 0 (so c > R(d)).  Then some  *)
(* head, with a positive kernel on the companions, has a ratio below c.  (So  *)
(* the infimum of the ratios is R(d), by thm_4_2_composition.)                *)
Theorem thm_4_4_a_optimal (R : realFieldType) m L (e c : R) (i : 'I_L) (x z0 z1 : token m) :
  (2 <= L)%N -> 0 < e -> 0 < c -> (overlap x z0 <= overlap x z1)%N ->
  (forall gs, all (fun g : nat => 2%:R * e < g%:R) gs ->
     sumn gs = (overlap x z1 - overlap x z0)%N -> gap_product L e gs < c) ->
  exists h : attention R m L (2 ^ m) (2 ^ m),
  [/\ nonnegative h i, error_below h i e, forall x' j z, j != i -> 0 < alpha h x' j z &
      mass h i x z0 < c * mass h i x z1].
Proof. exact: optimal_elementary. Qed.

(* the same among the position-independent heads, unless z1 is the query       *)
Theorem thm_4_4_b_position_independent (R : realFieldType) m L (e c : R) (i : 'I_L)
    (x z0 z1 : token m) :
  (2 <= L)%N -> 0 < e -> 0 < c -> (overlap x z0 < overlap x z1)%N -> z1 != x ->
  (forall gs, all (fun g : nat => 2%:R * e < g%:R) gs ->
     sumn gs = (overlap x z1 - overlap x z0)%N -> gap_product L e gs < c) ->
  exists h : attention R m L (2 ^ m) (2 ^ m),
  [/\ position_independent h, nonnegative h i, error_below h i e & mass h i x z0 < c * mass h i x z1].
Proof. exact: optimal_stationary_elementary. Qed.

(* the own weight of the query costs nothing once the product is at least 1   *)
Theorem thm_4_5_without_self (R : realFieldType) m L r d (h : attention R m L r d)
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

(* The three bounds for heads: a code X of K >= 2 words in which every ordered *)
(* pair has a composition gs of at most |X p \ X q| with product at least 1.   *)
Definition certified_code (R : realFieldType) m L (e : R) K (X : 'I_K -> token m)
    (gs : 'I_K -> 'I_K -> seq nat) : Prop :=
  (1 < K)%N /\ forall p q, p != q ->
  [/\ gs p q != [::], all (fun g : nat => 2%:R * e <= g%:R) (gs p q),
     (sumn (gs p q) <= overlap (X p) (complement (X q)))%N & 1 <= gap_product L e (gs p q)].

Theorem thm_5_5_trace (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R)
    K (X : 'I_K -> token m) gs (r0 : nat) (H := fun p q => (gap_product L e (gs p q))^-1) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e -> certified_code L e X gs ->
  r0%:R * (K%:R + \sum_p \sum_(q | q != p) H p q ^+ 2) <= K%:R ^+ 2 -> (r0 + 1 <= r)%N.
Proof. by rewrite addn1 => L2 nh e0 ok [K2 code]; apply: (head_trace L2 nh e0 ok K2 code). Qed.

Theorem thm_5_5_projection (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R)
    K (X : 'I_K -> token m) gs (lam : R) (r0 : nat)
    (H := fun p q => (gap_product L e (gs p q))^-1) (k : R := K%:R) (q : R := r0%:R)
    (E := \sum_p \sum_(s | s != p) H p s * Num.max 0 (H p s - lam)) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e -> certified_code L e X gs ->
  (2%:R * (k - 1 - q) + q * lam * k) ^+ 2 < 4%:R * (1 + q) * ((k - 1) * (k - 1 - q) - q * E) ->
  (r0 + 2 <= r)%N.
Proof. by move=> L2 nh e0 ok [K2 code]; apply: (head_projection L2 nh e0 ok K2 code). Qed.

Theorem thm_5_5_dominance (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R)
    K (X : 'I_K -> token m) gs (H := fun p q => (gap_product L e (gs p q))^-1) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e -> certified_code L e X gs ->
  (forall p, \sum_(q | q != p) H p q <= 1) -> (K <= r)%N.
Proof. by move=> L2 nh e0 ok [K2 code]; apply: (head_dominance L2 nh e0 ok K2 code). Qed.

(* Eckart-Young: the sum of the squares of the entries, and positive          *)
(* semidefinite matrices                                                      *)
Definition frobenius (R : realFieldType) K (A : 'M[R]_K) : R := \sum_p \sum_q A p q ^+ 2.
Definition semidefinite (R : realFieldType) K (A : 'M[R]_K) : Prop :=
  forall v : 'I_K -> R, 0 <= \sum_p \sum_q v p * A p q * v q.

Theorem thm_5_8_a_eckart_young (R : realFieldType) K (N W B : 'M[R]_K) (rho : nat) (mu : R) :
  W^T = W -> B^T = B -> (\rank N <= rho)%N -> 0 <= mu ->
  semidefinite (mu%:M + B *m B - W *m W) ->
  frobenius W - frobenius B - rho%:R * mu <= frobenius (N - W).
Proof. exact: eckart_young. Qed.

(* T meets every orbit of the permutations that preserve W, B and V           *)
Theorem thm_5_8_b_dominance (R : realFieldType) K (W B V : 'M[R]_K) (mu : R) (T : pred 'I_K)
    (D : 'M[R]_K := mu%:M + B *m B - W *m W - V *m V) :
  W^T = W -> B^T = B -> V^T = V ->
  (forall q, exists2 p, T p & exists2 g : {perm 'I_K}, g p = q &
     forall i j, [/\ W (g i) (g j) = W i j, B (g i) (g j) = B i j & V (g i) (g j) = V i j]) ->
  (forall p, T p -> \sum_(q | q != p) `|D p q| <= D p p) ->
  semidefinite (mu%:M + B *m B - W *m W).
Proof. exact: orbit_psd. Qed.

(* h is the bound on the off-diagonal entries, as in thm_5_5; W and B are any *)
(* symmetric matrices, so thm_5_8_d covers those that depend on |x \ y| only. *)
Theorem thm_5_8_d_heads (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R)
    K (X : 'I_K -> token m) gs (W B : 'M[R]_K) (mu : R) (rho : nat)
    (H := fun p q => (gap_product L e (gs p q))^-1) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e -> certified_code L e X gs ->
  W^T = W -> B^T = B -> 0 <= mu -> semidefinite (mu%:M + B *m B - W *m W) ->
  \sum_p (1 - W p p) ^+ 2 +
    \sum_p \sum_(q | q != p) Num.max (W p q ^+ 2) ((H p q - W p q) ^+ 2)
    - frobenius W + frobenius B + rho%:R * mu < 0 -> (rho + 1 <= r)%N.
Proof.
move=> L2 nh e0 ok [K2 code]; exact: (head_eckart_young_linear L2 nh e0 ok K2 code).
Qed.

Theorem thm_5_9_a_polynomial_rank (R : realFieldType) K (M : 'M[R]_K) (c0 c1 c2 : R) (rho : nat)
    (pM : 'M[R]_K := \matrix_(p, q) (c0 + c1 * M p q + c2 * M p q ^+ 2)) :
  (\rank M <= rho)%N ->
  (\rank pM <= (c0 != 0%R) + (c1 != 0%R) * rho + (c2 != 0%R) * 'C(rho + 1, 2))%N.
Proof. by move=> rk; rewrite addn1; apply: rank_poly2. Qed.

Theorem thm_5_9_b_heads (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R)
    K (X : 'I_K -> token m) gs (W B : 'M[R]_K) (mu : R) (rho : nat) (c0 c1 c2 : R)
    (lo up : 'I_K -> 'I_K -> R) (H := fun p q => (gap_product L e (gs p q))^-1)
    (s := ((c0 != 0%R) + (c1 != 0%R) * rho + (c2 != 0%R) * 'C(rho + 1, 2))%N) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e -> certified_code L e X gs ->
  W^T = W -> B^T = B -> 0 <= mu -> semidefinite (mu%:M + B *m B - W *m W) ->
  (forall p q t, p != q -> 0 <= t -> t <= H p q -> lo p q <= c0 + c1 * t + c2 * t ^+ 2 <= up p q) ->
  \sum_p (c0 + c1 + c2 - W p p) ^+ 2 +
    \sum_p \sum_(q | q != p) Num.max ((lo p q - W p q) ^+ 2) ((up p q - W p q) ^+ 2)
    - frobenius W + frobenius B + s%:R * mu < 0 -> (rho + 1 <= r)%N.
Proof.
move=> L2 nh e0 ok [K2 code] WT BT mu0 pX range.
have -> : s = poly2_rank c0 c1 c2 rho by rewrite /s addn1.
exact: (head_eckart_young L2 nh e0 ok K2 code WT BT mu0 pX range).
Qed.

(* ---- Exponential growth at every length >= 3, error < 1/2 ---- *)
(* any gap g and any q in ]0,1] with q^g (L-2)(g-1) >= 1, ideally q = 1/rho   *)
Theorem thm_growth_weight (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L)
    (g : nat) (q : R) (w : nat) :
  (3 <= L)%N -> nonnegative h i -> error_below h i 2%:R^-1 -> (2 <= g)%N -> 0 < q -> q <= 1 ->
  1 <= q ^+ g * ((L - 2) * (g - 1))%N%:R -> (2 <= w)%N ->
  'C(m, w)%:R * q ^+ (2 * (g - 1)) <= (m * r)%:R * (1 + q) ^+ m.
Proof. by move=> L3 nh ok; apply: (growth_w_elementary L3 nh ok). Qed.

Theorem thm_growth (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L)
    (g : nat) (q : R) :
  (3 <= L)%N -> nonnegative h i -> error_below h i 2%:R^-1 -> (2 <= g)%N -> 0 < q -> q <= 1 ->
  1 <= q ^+ g * ((L - 2) * (g - 1))%N%:R -> (3 <= m)%N ->
  2%:R ^+ m * q ^+ (2 * (g - 1)) <= ((m + 1) * m * r)%:R * (1 + q) ^+ m.
Proof. by move=> L3 nh ok; apply: (growth_elementary L3 nh ok). Qed.

(* so at every length >= 3 the rank grows at least like (190/167)^m / m^2     *)
Theorem thm_growth_number (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) :
  (3 <= L)%N -> nonnegative h i -> error_below h i 2%:R^-1 -> (3 <= m)%N ->
  (190 ^ m * 72 ^ 8 <= (m + 1) * m * r * (167 ^ m * 95 ^ 8))%N.
Proof. by move=> L3 nh ok; apply: (growth3_elementary L3 nh ok). Qed.

(* ---- Counting: C(m,w) words of weight w, any rational error ---- *)
(* for every |x \ y| = j from 2 to w a composition gs j with product >= 1;     *)
(* r >= C(m,w) / (m (1 + sum_j C(w,j) C(m-w,j-1)/j / product^2))               *)
Theorem thm_counting (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R)
    (w : nat) (gs : nat -> seq nat) :
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e -> (2 <= w)%N ->
  (forall j, (2 <= j <= w)%N -> [/\ gs j != [::], all (fun g : nat => 2%:R * e <= g%:R) (gs j),
     (sumn (gs j) <= j)%N & 1 <= gap_product L e (gs j)]) ->
  'C(m, w)%:R <= (m * r)%:R *
    (1 + \sum_(2 <= j < w.+1) ('C(w, j) * 'C(m - w, j.-1))%N%:R / j%:R * (gap_product L e (gs j))^-1 ^+ 2).
Proof. by move=> L2 nh e0 ok; apply: (counting_elementary L2 nh e0 ok). Qed.

(* the projection bound solved for the rank: linear in E, convex in K          *)
Theorem thm_6_2_solved (R : realFieldType) K (M : 'M[R]_K) (h : 'I_K -> 'I_K -> R)
    (lam : R) (rho : nat) (k : R := K%:R) (q : R := rho%:R)
    (E : R := \sum_i \sum_(j | j != i) h i j * Num.max 0 (h i j - lam)) :
  (forall i, 0 < M i i) -> (forall i j, i != j -> 0 <= M i j) ->
  (forall i j, i != j -> M i j <= h i j * M i i) -> (forall i j, i != j -> h i j <= 1) ->
  (1 <= rho)%N -> (\rank M <= rho + 1)%N ->
  k ^+ 2 * (1 - lam - q * lam ^+ 2 / 4%:R) <= (1 + q) * ((1 - lam) * k + E).
Proof. exact: projection_solved. Qed.

(* the same, decided by computation                                           *)
Theorem thm_counting_checker_sound (c : counting_cert) (R : realFieldType) L r d
    (h : attention R (k_m c) L r d) (i : 'I_L) :
  counting_check c = true -> N.of_nat L = k_n c -> nonnegative h i ->
  error_below h i ((N.to_nat (k_a c))%:R / (N.to_nat (k_b c))%:R) -> (N.to_nat (k_r c) <= r)%N.
Proof. exact: counting_check_elementary. Qed.

(* ---- What solves length 3 and more ---- *)
(* dense softmax with weights b^-<x,z>, values z and readout <x,.>: 2^m        *)
(* nonnegative features, error at most E for every m                          *)
Theorem thm_softmax (R : realFieldType) m L (b E : R) :
  (1 <= L)%N -> 1 <= b -> 0 <= E ->
  (forall a, (L%:R - 1) * (a%:R - E) <= E * b ^+ a) ->
  exists h : attention R m L (2 ^ m) m,
  [/\ position_independent h, forall x j z, alpha h x j z = b ^- overlap x z,
     forall i, nonnegative h i & forall i, error_at_most h i E].
Proof. exact: softmax_elementary. Qed.

(* base 2(L-1), which is 4 at length 3: error at most 1/3 at every length >= 3 *)
Theorem thm_softmax_third (R : realFieldType) m L : (3 <= L)%N ->
  exists h : attention R m L (2 ^ m) m,
  [/\ position_independent h, forall x j z, alpha h x j z = (2 * (L - 1))%:R ^- overlap x z,
     forall i, nonnegative h i & forall i, error_at_most h i (3%:R^-1)].
Proof. exact: softmax_third_elementary. Qed.

(* 2^m features suffice, at every length and for every error                  *)
Theorem thm_3_5_all_features (R : realFieldType) m L (e : R) : (1 <= L)%N -> 0 < e ->
  exists h : attention R m L (2 ^ m) m,
  [/\ position_independent h, forall x l, 0 <= phi_q h x l, forall j z l, 0 <= phi_k h j z l,
     forall i, nonnegative h i & forall i, error_below h i e].
Proof. exact: all_features_elementary. Qed.

(* m + 1 heads with m + 1 features each, added up, are exact at length 3      *)
Theorem thm_heads_exact (R : realFieldType) m :
  exists (d : nat) (hs : 'I_(m + 1) -> attention R m 3 (m + 1) d),
  (forall k, position_independent (hs k) /\ forall i, nonnegative (hs k) i) /\
  forall (s : 'I_3 -> token m) i, \sum_k answer (hs k) s i = (min_ip s i)%:R.
Proof. exact: heads_elementary. Qed.

(* ---- Transcripts ---- *)
(* Any deterministic computation in which the answers at the first q tokens   *)
(* depend on the last token only through one of #|Tr| transcripts.            *)
Theorem thm_transcript (s q : nat) (R : realFieldType) (Tr : finType) (m := (q.+1 * s)%N)
    (tau : ('I_q.+1 -> token m) -> Tr) (f : 'I_q -> {ffun 'I_q -> token m} -> Tr -> R)
    (early := widen_ord (leqnSn q)) :
  (forall (x : 'I_q.+1 -> token m) (i : 'I_q),
     `|f i [ffun j => x (early j)] (tau x) - (min_ip x (early i))%:R| < 2%:R^-1) ->
  ((s + 1) ^ q <= #|Tr|)%N.
Proof. exact: transcript_elementary. Qed.

(* ---- Chapter 8: kernels of any sign, keys and values independent of the position ---- *)
Theorem thm_8_2_signed_gap_domination (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) :
  (2 <= L)%N -> position_independent h -> (forall s, denominator h s i != 0) -> 0 < e ->
  error_below h i e -> (overlap x z <= overlap x z')%N ->
  2%:R * e <= (overlap x z')%:R - (overlap x z)%:R ->
  (L%:R - 2%:R) * ((overlap x z')%:R - (overlap x z)%:R - 2%:R * e) * `|mass h i x z'| <
    2%:R * e * `|mass h i x z|.
Proof. by move=> *; apply: signed_elementary. Qed.

Theorem thm_8_2_signed_amplification (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) (gs : seq nat) :
  (2 <= L)%N -> position_independent h -> (forall s, denominator h s i != 0) -> 0 < e ->
  error_below h i e -> gs != [::] -> all (fun g : nat => 2%:R * e <= g%:R) gs ->
  (overlap x z + sumn gs <= overlap x z')%N ->
  gap_product L e gs * `|mass h i x z'| < `|mass h i x z|.
Proof. by move=> *; apply: signed_amplification_elementary. Qed.

(* the rank of D is at most r + 1                                             *)
Theorem thm_8_3_signed_rank (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L)
    K (X Y : 'I_K -> token m) : (2 <= L)%N -> position_independent h ->
  (\rank (\matrix_(p, q) mass h i (X p) (Y q)) <= r + 1)%N.
Proof. by move=> *; apply: signed_rank_elementary. Qed.

Theorem thm_8_3_a_signed_trace (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L)
    (e : R) K (X : 'I_K -> token m) gs (r0 : nat) (H := fun p q => (gap_product L e (gs p q))^-1) :
  (2 <= L)%N -> position_independent h -> (forall s, denominator h s i != 0) -> 0 < e ->
  error_below h i e -> certified_code L e X gs ->
  r0%:R * (K%:R + \sum_p \sum_(q | q != p) H p q ^+ 2) <= K%:R ^+ 2 -> (r0 <= r)%N.
Proof.
by move=> L2 st dn e0 ok [K2 code]; apply: (signed_trace_elementary L2 st dn e0 ok K2 code).
Qed.

(* ---- Chapter 9: the topological bound ---- *)
(* The one premise from outside, the Borsuk-Ulam theorem for one               *)
(* triangulation.  A face of the cross-polytope in R^m is a pair of disjoint  *)
(* sets (A,B), not both empty: the convex hull of the points e_i, i in A, and *)
(* -e_i, i in B.  A chain of faces is a simplex of the barycentric            *)
(* subdivision of the boundary, which is a sphere of dimension m - 1; f gives *)
(* a vector of R^N to every vertex, and is extended affinely to the simplices. *)
(* If f is antipodal and N < m, then f has a zero: on some chain some          *)
(* combination with nonnegative coefficients, not all 0, is the zero vector.   *)
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

(* r >= m - 2k + 2 if a composition of at most k has product at least 1        *)
Theorem thm_9_1_topological (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L)
    (e : R) (k : nat) (gs : seq nat) :
  borsuk_ulam R m (2 * k - 2 + r) ->
  (2 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e ->
  gs != [::] -> all (fun g : nat => 2%:R * e <= g%:R) gs -> (sumn gs <= k)%N ->
  1 <= gap_product L e gs -> (m + 2 <= r + 2 * k)%N.
Proof. exact: Topological.topological_elementary. Qed.

Theorem thm_9_1_error_half (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) :
  borsuk_ulam R m (2 + r) -> (3 <= L)%N -> nonnegative h i -> error_below h i 2%:R^-1 ->
  (m <= r + 2)%N.
Proof. exact: Topological.topological_half. Qed.

Theorem thm_9_1_small_error (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R) :
  borsuk_ulam R m r -> (3 <= L)%N -> nonnegative h i -> 0 < e -> error_below h i e ->
  2%:R * (L%:R - 1) * e <= L%:R - 2%:R -> (m <= r)%N.
Proof. exact: Topological.topological_small. Qed.

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

Print Assumptions thm_1_8_one_feature.
Print Assumptions thm_2_1_length_1.
Print Assumptions thm_2_2_length_2.
Print Assumptions thm_3_1_gap_domination.
Print Assumptions thm_3_2_strict.
Print Assumptions thm_3_3_minimax_error.
Print Assumptions thm_4_1_chain.
Print Assumptions thm_4_2_composition.
Print Assumptions thm_4_4_a_optimal.
Print Assumptions thm_4_4_b_position_independent.
Print Assumptions thm_4_5_without_self.
Print Assumptions thm_5_1_code_matrix.
Print Assumptions thm_5_2_trace.
Print Assumptions thm_5_2_trace_rank.
Print Assumptions thm_5_3_projection.
Print Assumptions thm_5_4_dominance.
Print Assumptions thm_5_5_trace.
Print Assumptions thm_5_5_projection.
Print Assumptions thm_5_5_dominance.
Print Assumptions thm_5_8_a_eckart_young.
Print Assumptions thm_5_8_b_dominance.
Print Assumptions thm_5_8_d_heads.
Print Assumptions thm_5_9_a_polynomial_rank.
Print Assumptions thm_5_9_b_heads.
Print Assumptions thm_growth_weight.
Print Assumptions thm_growth.
Print Assumptions thm_growth_number.
Print Assumptions thm_6_2_solved.
Print Assumptions thm_counting.
Print Assumptions thm_counting_checker_sound.
Print Assumptions thm_softmax.
Print Assumptions thm_softmax_third.
Print Assumptions thm_3_5_all_features.
Print Assumptions thm_heads_exact.
Print Assumptions thm_transcript.
Print Assumptions thm_8_2_signed_gap_domination.
Print Assumptions thm_8_2_signed_amplification.
Print Assumptions thm_8_3_signed_rank.
Print Assumptions thm_8_3_a_signed_trace.
Print Assumptions thm_9_1_topological.
Print Assumptions thm_9_1_error_half.
Print Assumptions thm_9_1_small_error.
Print Assumptions thm_checker_sound.
Print Assumptions thm_checker_sound_signed.
