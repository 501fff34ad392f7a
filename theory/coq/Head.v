(* Chapter 1, the model: tokens, overlaps, the Min-IP target, and one        *)
(* normalised kernel-attention head with a final query.                      *)
(*   tok m       bit strings of length m                                     *)
(*   ip, wt      overlap <x,z> and weight |x|;  cmpl  bitwise complement     *)
(*   target x w  min of |x| = <x,x> and of <x, w p> over the companions      *)
(*   head        features, own weight, values and affine readout; keys and   *)
(*               values may depend on the position, the readout on the query *)
(* k companions: the sequence has length k + 1 and the query is its last     *)
(* token.  Statements.v says all this again in elementary terms.             *)
From mathcomp Require Import all_ssreflect all_algebra ring.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Section Tokens.
Variable m : nat.
Definition tok := {ffun 'I_m -> bool}.
Definition ip (x z : tok) : nat := #|[pred i | x i && z i]|.
Definition wt (x : tok) : nat := #|[pred i | x i]|.
Definition cmpl (x : tok) : tok := [ffun i => ~~ x i].

Lemma ip_wt x z : (ip x z <= wt x)%N.
Proof. by apply: subset_leq_card; apply/subsetP => i; rewrite !inE => /andP[]. Qed.

Lemma ip_xx x : ip x x = wt x.
Proof. by apply: eq_card => i; rewrite !inE andbb. Qed.

Lemma ip_onto x k : (k <= wt x)%N -> exists z, ip x z = k.
Proof.
move=> kw; pose s := take k (enum [pred i | x i]).
have us : uniq s by rewrite take_uniq ?enum_uniq.
exists [ffun i => i \in s]; rewrite -[RHS](_ : size s = k); last first.
  by rewrite size_takel // -cardE.
rewrite -(card_uniqP us); apply: eq_card => i; rewrite !inE ffunE.
by apply/andb_idl => /mem_take; rewrite mem_enum inE.
Qed.

Lemma ip_cmpl x y : (ip x y + ip x (cmpl y) = wt x)%N.
Proof.
rewrite /ip /wt -(cardID [pred i | y i] [pred i | x i]); congr (_ + _)%N.
by apply: eq_card => i; rewrite !inE /cmpl ffunE andbC.
Qed.
End Tokens.

Section Target.
Variables (m k : nat).
(* k candidate positions: the sequence has length k.+1, the query is last. *)
Definition target (x : tok m) (w : 'I_k -> tok m) : nat :=
  \big[minn/wt x]_p ip x (w p).


Lemma target_attained x w : target x w = wt x \/ exists p, target x w = ip x (w p).
Proof.
rewrite /target; elim/big_ind: _ => [|a b ha hb|p _]; first by left.
  by case: (leqP a b) => _.
by right; exists p.
Qed.

Lemma target_le_wt x w : (target x w <= wt x)%N.
Proof. by case: (target_attained x w) => [->//|[p ->]]; apply: ip_wt. Qed.

Lemma target_le x w p : (target x w <= ip x (w p))%N.
Proof.
rewrite /target; have : p \in index_enum (ordinal_finType k) by apply: mem_index_enum.
elim: (index_enum _) => //= q s IH; rewrite inE big_cons.
by case/predU1P => [<-|/IH h]; rewrite geq_min ?leqnn // h orbT.
Qed.

Lemma target_min x w t : (forall p, t <= ip x (w p))%N -> (exists p, ip x (w p) = t) ->
  target x w = t.
Proof.
move=> lo [p pt]; apply/eqP; rewrite eqn_leq -{1}pt target_le /=.
by case: (target_attained x w) => [->|[q ->]] //; rewrite -pt ip_wt.
Qed.
End Target.

Section Dot.
Variables (R : realFieldType) (d : nat).
Implicit Types (u v : 'rV[R]_d).
Definition dot u v : R := \sum_l u 0 l * v 0 l.
Lemma dotD u v v' : dot u (v + v') = dot u v + dot u v'.
Proof. by rewrite /dot -big_split; apply: eq_bigr => l _; rewrite mxE mulrDr. Qed.
Lemma dotZ u c v : dot u (c *: v) = c * dot u v.
Proof. by rewrite /dot mulr_sumr; apply: eq_bigr => l _; rewrite mxE mulrCA. Qed.
Lemma dot_sum u I (s : seq I) (F : I -> 'rV[R]_d) :
  dot u (\sum_(i <- s) F i) = \sum_(i <- s) dot u (F i).
Proof.
elim/big_rec2: _ => [|i y v _ <-]; last by rewrite dotD.
by apply: big1 => l _; rewrite mxE mulr0.
Qed.
End Dot.

Section Head.
Variables (R : realFieldType) (m k r d : nat).

Record head := Head {
  phiQ : tok m -> 'rV[R]_r;              (* query features                 *)
  phiK : 'I_k -> tok m -> 'rV[R]_r;      (* key features, per position     *)
  self : tok m -> R;                     (* weight of the query's own slot *)
  valc : 'I_k -> tok m -> 'rV[R]_d;      (* values, per position           *)
  vals : tok m -> 'rV[R]_d;              (* value of the query's own slot  *)
  rdw  : tok m -> 'rV[R]_d;              (* affine readout, per query      *)
  rdb  : tok m -> R }.

Variable h : head.
Definition kern p x z : R := dot (phiQ h x) (phiK h p z).
Definition den x (w : 'I_k -> tok m) : R := self h x + \sum_p kern p x (w p).
Definition att x (w : 'I_k -> tok m) : 'rV[R]_d :=
  (den x w)^-1 *: (self h x *: vals h x + \sum_p kern p x (w p) *: valc h p (w p)).
Definition out x w : R := dot (rdw h x) (att x w) + rdb h x.

Definition valid : Prop :=
  [/\ forall p x z, 0 <= kern p x z, forall x, 0 <= self h x & forall x w, 0 < den x w].
Definition accurate (e : R) : Prop := forall x w, `|out x w - (target x w)%:R| < e.

(* effective scalar values *)
Definition uc x p z : R := dot (rdw h x) (valc h p z) + rdb h x.
Definition us x : R := dot (rdw h x) (vals h x) + rdb h x.

Lemma outE x w : 0 < den x w ->
  out x w = (self h x * us x + \sum_p kern p x (w p) * uc x p (w p)) / den x w.
Proof.
move=> d0; apply: (mulIf (lt0r_neq0 d0)); rewrite mulfVK ?lt0r_neq0 // /out mulrDl.
rewrite /att dotZ mulrAC mulVf ?lt0r_neq0 // mul1r dotD dotZ dot_sum.
rewrite {1}/den mulrDr addrACA; congr (_ + _).
  by rewrite /us mulrDr [rdb h x * _]mulrC.
rewrite [X in _ + X]mulr_sumr -big_split; apply: eq_bigr => p _ /=.
by rewrite dotZ /uc mulrDr [rdb h x * _]mulrC.
Qed.
End Head.

