(* The model, in elementary terms: all that has to be read, besides the       *)
(* statements in Statements.v, to know what is proved.  Real numbers are any  *)
(* ordered field (realFieldType): rationals, algebraic reals, reals.          *)
From mathcomp Require Import all_ssreflect all_algebra.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* ---- the task: Min-IP ---- *)
Section Task.
Variables (m L : nat).
(* a token is a string of m bits *)
Definition token := {ffun 'I_m -> bool}.
(* <x,z> and |x| *)
Definition overlap (x z : token) : nat := (\sum_(i < m) (x i && z i))%N.
Definition weight (x : token) : nat := (\sum_(i < m) x i)%N.
Definition complement (x : token) : token := [ffun i => ~~ x i].
(* a sequence of L tokens, and the target at position i: min_j <s_i, s_j>.    *)
(* (m is neutral: no overlap is larger.)                                      *)
Definition min_ip (s : 'I_L -> token) (i : 'I_L) : nat :=
  (\big[minn/m]_(j < L) overlap (s i) (s j))%N.
End Task.

(* ---- one head of normalised kernel attention ---- *)
Section Attention.
Variables (R : realFieldType) (m L r d : nat).

(* r features, d value coordinates.  Keys and values may depend on the        *)
(* position; the affine readout may depend on the query.                      *)
Record attention := Attention {
  phi_q : token m -> 'I_r -> R;
  phi_k : 'I_L -> token m -> 'I_r -> R;
  value : 'I_L -> token m -> 'I_d -> R;
  readout : token m -> 'I_d -> R;
  bias : token m -> R }.
Variable h : attention.

(* the kernel alpha(x,z), here at position j *)
Definition alpha (x : token m) (j : 'I_L) (z : token m) : R :=
  \sum_(l < r) phi_q h x l * phi_k h j z l.
Definition denominator (s : 'I_L -> token m) (i : 'I_L) : R :=
  \sum_(j < L) alpha (s i) j (s j).
Definition attended (s : 'I_L -> token m) (i : 'I_L) (c : 'I_d) : R :=
  (\sum_(j < L) alpha (s i) j (s j) * value h j (s j) c) / denominator s i.
Definition answer (s : 'I_L -> token m) (i : 'I_L) : R :=
  \sum_(c < d) readout h (s i) c * attended s i c + bias h (s i).

(* for the query at position i: a nonnegative kernel at the positions of the  *)
(* companions, a nonnegative own weight, positive denominators.  A causal     *)
(* head is the case i = last position.                                        *)
Definition nonnegative (i : 'I_L) : Prop :=
  (forall x j z, j != i \/ z = x -> 0 <= alpha x j z) /\ (forall s, 0 < denominator s i).
(* error < e on all inputs, for the query at position i *)
Definition error_below (i : 'I_L) (e : R) : Prop :=
  forall s, `|answer s i - (min_ip s i)%:R| < e.
Definition error_at_most (i : 'I_L) (e : R) : Prop :=
  forall s, `|answer s i - (min_ip s i)%:R| <= e.
(* neither keys nor values depend on the position *)
Definition position_independent : Prop :=
  forall j j' z, phi_k h j z =1 phi_k h j' z /\ value h j z =1 value h j' z.

(* D(x,z): the denominator for query x at position i when every companion is  *)
(* z.                                                                         *)
Definition mass (i : 'I_L) (x z : token m) : R :=
  alpha x i x + \sum_(j < L | j != i) alpha x j z.
End Attention.

(* the factor of a gap g at length L and error e, and the product over a      *)
(* composition                                                                *)
Definition gap_factor (R : realFieldType) (L : nat) (e : R) (g : nat) : R :=
  (L%:R - 2%:R) * (g%:R - 2%:R * e) / (2%:R * e).
Definition gap_product (R : realFieldType) (L : nat) (e : R) (gs : seq nat) : R :=
  \prod_(g <- gs) gap_factor L e g.
