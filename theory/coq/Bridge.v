(* Between the elementary model (Model.v) and the one used in proofs          *)
(* (Head.v): nothing to read here, only proofs.                               *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra ring.
From Verifier Require Import Head ShortLengths Domination Amplification Rank Signed Growth Channel Checker Counting.
From Verifier Require Import Model.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.
Local Open Scope ring_scope.

Lemma overlapE m (x z : token m) : overlap x z = ip x z.
Proof.
rewrite /overlap /ip -sum1_card [RHS]big_mkcond; apply: eq_bigr => i _.
by rewrite inE; case: (_ && _).
Qed.
Lemma weightE m (x : token m) : weight x = wt x.
Proof. by rewrite /weight /wt -sum1_card [RHS]big_mkcond; apply: eq_bigr => i _; rewrite inE; case: (x i). Qed.

Lemma wt_le m (x : tok m) : (wt x <= m)%N.
Proof. by rewrite -[X in (_ <= X)%N]card_ord max_card. Qed.

Section Sequence.
Variables (m k : nat) (i : 'I_k.+1).
(* query x at position i, companions w elsewhere *)
Definition insert (x : token m) (w : 'I_k -> token m) (j : 'I_k.+1) : token m :=
  if unlift i j is Some p then w p else x.
Lemma insert_i x w : insert x w i = x. Proof. by rewrite /insert unlift_none. Qed.
Lemma insert_lift x w p : insert x w (lift i p) = w p. Proof. by rewrite /insert liftK. Qed.

Lemma sum_lift (R : ringType) (F : 'I_k.+1 -> R) : \sum_j F j = F i + \sum_p F (lift i p).
Proof. by rewrite (bigD1_ord i). Qed.

Lemma min_ipE (s : 'I_k.+1 -> token m) : min_ip s i = target (s i) (fun p => s (lift i p)).
Proof.
rewrite /min_ip; set t := target (s i) _; apply/eqP; rewrite eqn_leq; apply/andP; split; last first.
  elim/big_ind: _ => [|a b ha hb|j _].
  - by apply: leq_trans (target_le_wt _ _) (wt_le _).
  - by rewrite leq_min ha.
  rewrite overlapE; case: (unliftP i j) => [p ->|->]; last by rewrite ip_xx target_le_wt.
  exact: (@target_le m k (s i) (fun q => s (lift i q))).
have le j : (\big[minn/m]_(l < k.+1) overlap (s i) (s l) <= overlap (s i) (s j))%N.
  have : j \in index_enum [finType of 'I_k.+1] by apply: mem_index_enum.
  elim: (index_enum _) => //= q l IH; rewrite inE big_cons.
  by case/predU1P => [<-|/IH h]; rewrite geq_min ?leqnn // h orbT.
case: (target_attained (s i) (fun p => s (lift i p))) => [tE|[p tE]].
  by have := le i; rewrite overlapE ip_xx -tE.
by have := le (lift i p); rewrite overlapE -tE.
Qed.
End Sequence.

Section ToHead.
Variables (R : realFieldType) (m k r d : nat).
Definition to_head (h : attention R m k.+1 r d) (i : 'I_k.+1) : head R m k r d :=
  Head (fun x => \row_l phi_q h x l) (fun p z => \row_l phi_k h (lift i p) z l)
       (fun x => alpha h x i x) (fun p z => \row_c value h (lift i p) z c)
       (fun x => \row_c value h i x c) (fun x => \row_c readout h x c) (bias h).
Variables (h : attention R m k.+1 r d) (i : 'I_k.+1).
Let H := to_head h i.

Lemma kern_to p x z : kern H p x z = alpha h x (lift i p) z.
Proof. by rewrite /kern /dot; apply: eq_bigr => l _; rewrite !mxE. Qed.

Lemma den_to x w : den H x w = denominator h (insert i x w) i.
Proof.
rewrite /denominator (sum_lift i) insert_i; congr (_ + _).
by apply: eq_bigr => p _; rewrite kern_to insert_lift.
Qed.

Lemma out_to x w : out H x w = answer h (insert i x w) i.
Proof.
rewrite /out /answer insert_i; congr (_ + _); rewrite /dot; apply: eq_bigr => c _.
rewrite !mxE; congr (_ * _); rewrite /attended -den_to mulrC; congr (_ / _).
rewrite (sum_lift i) insert_i ?mxE; congr (_ + _).
by rewrite summxE; apply: eq_bigr => p _; rewrite !mxE kern_to insert_lift.
Qed.

Lemma answerE (s : 'I_k.+1 -> token m) : answer h s i = out H (s i) (fun p => s (lift i p)).
Proof.
have e j : insert i (s i) (fun p => s (lift i p)) j = s j.
  by rewrite /insert; case: (unliftP i j) => [p ->|->].
rewrite out_to /answer insert_i; congr (_ + _); apply: eq_bigr => c _; congr (_ * _).
rewrite /attended /denominator insert_i.
by congr (_ / _); apply: eq_bigr => j _; rewrite e.
Qed.

Lemma valid_to : nonnegative h i -> valid H.
Proof.
move=> [a0 d0]; split=> [p x z|x|x w].
- by rewrite kern_to a0 //; left; rewrite eq_sym neq_lift.
- by apply: a0; right.
by rewrite den_to.
Qed.

Lemma accurate_to e : error_below h i e -> accurate H e.
Proof.
move=> ok x w; have := ok (insert i x w); rewrite out_to.
rewrite min_ipE insert_i; congr (`|_ - _%:R| < _); rewrite /target.
by apply: eq_bigr => p _; rewrite insert_lift.
Qed.

Lemma accurate_from e : accurate H e -> error_below h i e.
Proof. by move=> ok s; rewrite answerE min_ipE; apply: ok. Qed.

Lemma mass_to x z : mass h i x z = self H x + \sum_p kern H p x z.
Proof.
rewrite /mass; congr (_ + _).
apply: (@addrI _ (alpha h x i z)); rewrite -[LHS](bigD1 i (P := xpredT)) //= (sum_lift i).
by congr (_ + _); apply: eq_bigr => p _; rewrite kern_to.
Qed.
End ToHead.

Lemma solves_to (R : realFieldType) m n r d (h : attention R m n.+2 r d) i e :
  error_at_most h i e -> solves (to_head h i) e.
Proof.
move=> ok x w; have := ok (insert i x w); rewrite out_to.
rewrite min_ipE insert_i; congr (`|_ - _%:R| <= _); rewrite /target.
by apply: eq_bigr => p _; rewrite insert_lift.
Qed.

(* a position-independent head, and the corresponding head of Head.v          *)
Section FromFeatures.
Variables (R : realFieldType) (m L r d : nat).
Definition from_features (fq fk : token m -> 'rV[R]_r) (v a : token m -> 'rV[R]_d)
    (b : token m -> R) : attention R m L r d :=
  Attention (fun x l => fq x 0 l) (fun _ z l => fk z 0 l) (fun _ z c => v z 0 c)
            (fun x c => a x 0 c) b.
Lemma from_alpha fq fk v a b x j z : alpha (from_features fq fk v a b) x j z = dot (fq x) (fk z).
Proof. by []. Qed.
End FromFeatures.

Lemma out_ext (R : realFieldType) m k r r' d (h : head R m k r d) (h' : head R m k r' d) :
  (forall p x z, kern h p x z = kern h' p x z) -> self h =1 self h' ->
  (forall p, valc h p =1 valc h' p) -> vals h =1 vals h' -> rdw h =1 rdw h' -> rdb h =1 rdb h' ->
  forall x w, out h x w = out h' x w.
Proof.
move=> hk hs hc hv hr hb x w; rewrite /out hr hb; congr (dot _ _ + _); rewrite /att.
have -> : den h x w = den h' x w.
  by rewrite /den hs; congr (_ + _); apply: eq_bigr => p _; rewrite hk.
by rewrite hs hv; congr (_ *: (_ + _)); apply: eq_bigr => p _; rewrite hk hc.
Qed.

(* ---- the headline theorems, carried over ---- *)
Section Short.
Variables (R : realFieldType) (m : nat).
Let short k : attention R m k.+1 1 m :=
  from_features k.+1 (fun=> const_mx 1) (fun=> const_mx 1) (@bits R m)
    (fun x => 2%:R *: bits R x) (fun x => - (wt x)%:R).

Lemma short_out k i x w : out (to_head (short k) i) x w = out (headA R m k) x w.
Proof.
have one : dot (const_mx 1 : 'rV[R]_1) (const_mx 1) = 1.
  by rewrite /dot big_ord_recl big_ord0 !mxE mulr1 addr0.
have row (u : 'rV[R]_m) : \row_l u 0 l = u by apply/rowP => l; rewrite mxE.
apply: out_ext => /=.
- by move=> p y z; rewrite kern_to kernA from_alpha one.
- by move=> y; rewrite from_alpha one.
- by move=> p y; rewrite row.
- by move=> y; rewrite row.
- by move=> y; rewrite row.
- by [].
Qed.

Lemma short_exact k : (forall x w, out (headA R m k) x w = (target x w)%:R) ->
  exists h : attention R m k.+1 1 m, position_independent h /\
  forall i, nonnegative h i /\ forall s, answer h s i = (min_ip s i)%:R.
Proof.
move=> ex; exists (short k); split=> // i; split; last first.
  by move=> s; rewrite answerE min_ipE short_out ex.
have one x j z : alpha (short k) x j z = 1.
  by rewrite from_alpha /dot big_ord_recl big_ord0 !mxE mulr1 addr0.
split=> [x j z _|s]; first by rewrite one ler01.
by rewrite /denominator (eq_bigr (fun=> 1)) ?sumr_const ?card_ord ?ltr0n.
Qed.

Lemma short_exact1 : exists h : attention R m 1 1 m, position_independent h /\
  forall i, nonnegative h i /\ forall s, answer h s i = (min_ip s i)%:R.
Proof. by apply: short_exact => x w; apply: length1_exact. Qed.
Lemma short_exact2 : exists h : attention R m 2 1 m, position_independent h /\
  forall i, nonnegative h i /\ forall s, answer h s i = (min_ip s i)%:R.
Proof. by apply: short_exact => x w; apply: length2_exact. Qed.
End Short.

Lemma gap_factorE (R : realFieldType) n (e : R) g : gap_factor n.+2 e g = gain n e g.
Proof. by rewrite /gap_factor /gain -[n.+2]addn2 natrD addrK. Qed.
Lemma gap_productE (R : realFieldType) n (e : R) gs : gap_product n.+2 e gs = gains n e gs.
Proof. by apply: eq_bigr => g _; rewrite gap_factorE. Qed.
Lemma lengthE (R : realFieldType) n : n.+2%:R - 2%:R = n%:R :> R.
Proof. by rewrite -[n.+2]addn2 natrD addrK. Qed.

Lemma gap_domination_weak (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R)
    x z z' : (2 <= L)%N -> nonnegative h i -> error_at_most h i e ->
  (overlap x z < overlap x z')%N ->
  (L%:R - 2%:R) * ((overlap x z')%:R - (overlap x z)%:R - 2%:R * e) * mass h i x z' <=
    2%:R * e * mass h i x z.
Proof.
case: L h i => [|[|n]] // h i _ vh ah; rewrite lengthE !overlapE !mass_to => zz'.
have := gap_necessary (valid_to vh) (solves_to ah) zz'.
rewrite -/(hmass (to_head h i) x z) -/(hmass (to_head h i) x z').
move: (hmass _ _ _) (hmass _ _ _) => D D'.
by rewrite -subr_ge0 => H; rewrite -subr_ge0; congr (0 <= _): H; ring.
Qed.

Lemma features_pos (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) :
  nonnegative h i -> (0 < r)%N.
Proof.
case=> _ d0; have := d0 (fun=> [ffun=> false]); rewrite lt0n; apply: contraTneq => r0.
rewrite -leNgt /denominator big1 // => j _; rewrite /alpha.
by move: h d0; rewrite r0 => h _; rewrite big_ord0.
Qed.

Section Lower.
Variables (R : realFieldType) (m L r d : nat) (h : attention R m L r d) (i : 'I_L) (e : R).
Hypotheses (L2 : (2 <= L)%N) (nh : nonnegative h i) (ok : error_below h i e).

Lemma gap_domination_elementary x z z' : (overlap x z <= overlap x z')%N ->
  (L%:R - 2%:R) * ((overlap x z')%:R - (overlap x z)%:R - 2%:R * e) * mass h i x z' <
    2%:R * e * mass h i x z.
Proof.
case: L L2 h i nh ok => [|[|n]] // _ h' i' vh ah zz'; rewrite lengthE !overlapE !mass_to.
have vH := valid_to vh; have aH := accurate_to ah; have [k0 s0 d0] := vH.
rewrite !overlapE in zz'.
apply: (@gap_domination R n (tok m) (fun p z => kern (to_head h' i') p x z) (uc (to_head h' i') x)
   (self (to_head h' i') x) (us (to_head h' i') x) (ip x) e _ _ z z' zz').
- by move=> w; apply: d0.
- move=> w t [lo at_]; have := aH x w; rewrite outE; last exact: d0.
  by rewrite (target_min lo at_).
Qed.

Lemma gap_step_elementary x z z' : 0 < e -> (overlap x z <= overlap x z')%N ->
  gap_factor L e (overlap x z' - overlap x z) * mass h i x z' < mass h i x z.
Proof.
move=> e0 zz'; have e2 : 0 < 2%:R * e by rewrite mulr_gt0 ?ltr0n.
rewrite /gap_factor mulrAC ltr_pdivr_mulr // [X in _ < X]mulrC natrB //.
exact: gap_domination_elementary.
Qed.

Lemma chain_elementary x (z : nat -> token m) k : 0 < e -> (0 < k)%N ->
  (forall p, (p < k)%N -> (overlap x (z p) <= overlap x (z p.+1))%N /\
     0 < gap_factor L e (overlap x (z p.+1) - overlap x (z p))) ->
  \prod_(p < k) gap_factor L e (overlap x (z p.+1) - overlap x (z p)) * mass h i x (z k) <
    mass h i x (z 0%N).
Proof.
move=> e0; case: k => // k _; elim: k => [|k IH] st.
  by rewrite big_ord_recl big_ord0 mulr1; apply: gap_step_elementary => //; case: (st 0%N).
rewrite big_ord_recr /= -mulrA.
have [le f0] := st k.+1 (ltnSn _).
apply: lt_trans (IH (fun p pk => st p (ltnW pk))).
rewrite ltr_pmul2l ?gap_step_elementary //; apply: prodr_gt0 => p _.
by case: (st p (ltnW (ltn_ord p))).
Qed.

Hypothesis e0 : 0 < e.
Lemma amplification_elementary x z z' gs : gs != [::] ->
  all (fun g : nat => 2%:R * e <= g%:R) gs -> (overlap x z + sumn gs <= overlap x z')%N ->
  gap_product L e gs * mass h i x z' < mass h i x z.
Proof.
case: gs => [|g gs] // _; case: L L2 h i nh ok => [|[|n]] // _ h' i' vh ah og le.
rewrite gap_productE !mass_to; rewrite !overlapE in le.
exact: (mass_chain (valid_to vh) (accurate_to ah) e0 og le).
Qed.

Lemma without_self_elementary x z z' gs : gs != [::] ->
  all (fun g : nat => 2%:R * e <= g%:R) gs -> 1 <= gap_product L e gs ->
  (overlap x z + sumn gs <= overlap x z')%N ->
  gap_product L e gs * (\sum_(j < L | j != i) alpha h x j z') <
    \sum_(j < L | j != i) alpha h x j z.
Proof.
move=> gn og c1 le; have [a0 _] := nh.
have := amplification_elementary gn og le; rewrite /mass; apply: drop_self => //.
by apply: a0; right.
Qed.

Lemma code_matrix_elementary K (X : 'I_K -> token m)
    (M : 'M[R]_K := \matrix_(p, q) \sum_(j < L | j != i) alpha h (X p) j (complement (X q))) :
  [/\ (\rank M <= r)%N, forall p q, 0 <= M p q &
    forall p q gs, gs != [::] -> all (fun g : nat => 2%:R * e <= g%:R) gs ->
      1 <= gap_product L e gs -> (sumn gs <= overlap (X p) (complement (X q)))%N ->
      gap_product L e gs * M p q < M p p].
Proof.
have [a0 _] := nh; split=> [|p q|p q gs gn og c1 le].
- pose Q : 'M[R]_(K, r) := \matrix_(p, l) phi_q h (X p) l.
  pose B : 'M[R]_(r, K) := \matrix_(l, q) \sum_(j < L | j != i) phi_k h j (complement (X q)) l.
  have -> : M = Q *m B.
    apply/matrixP => p q; rewrite !mxE; under [RHS]eq_bigr do rewrite !mxE mulr_sumr.
    by rewrite exchange_big.
  exact: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
- by rewrite mxE; apply: sumr_ge0 => j ji; apply: a0; left.
rewrite !mxE; apply: without_self_elementary => //.
have -> : overlap (X p) (complement (X p)) = 0%N.
  by rewrite /overlap big1 // => l _; rewrite ffunE andbN.
by rewrite add0n.
Qed.
End Lower.

Lemma projection_elementary (R : realFieldType) K (M : 'M[R]_K) (h : 'I_K -> 'I_K -> R)
    (lam : R) (r0 : nat) (k : R := K%:R) (q : R := r0%:R)
    (E : R := \sum_i \sum_(j | j != i) h i j * Num.max 0 (h i j - lam)) :
  (forall i, 0 < M i i) -> (forall i j, i != j -> 0 <= M i j) ->
  (forall i j, i != j -> M i j <= h i j * M i i) -> (forall i j, i != j -> h i j <= 1) ->
  (2%:R * (k - 1 - q) + q * lam * k) ^+ 2 < 4%:R * (1 + q) * ((k - 1) * (k - 1 - q) - q * E) ->
  (r0 + 2 <= \rank M)%N.
Proof.
move=> d0 M0 Mh h1 lt.
have : 1 + q < (\rank M)%:R by apply: (@projection_profile R K M h lam); rewrite ?ler0n.
by rewrite /q -[1]/(1%:R) -natrD ltr_nat addn2 add1n.
Qed.

(* the three bounds for heads: words X, compositions gs i j                   *)
Section Bounds.
Variables (R : realFieldType) (m L r d : nat) (h : attention R m L r d) (i : 'I_L) (e : R).
Hypotheses (L2 : (2 <= L)%N) (nh : nonnegative h i) (e0 : 0 < e) (ok : error_below h i e).
Variables (K : nat) (X : 'I_K -> token m) (gs : 'I_K -> 'I_K -> seq nat).
Hypothesis K2 : (1 < K)%N.
Hypothesis code : forall p q, p != q ->
  [/\ gs p q != [::], all (fun g : nat => 2%:R * e <= g%:R) (gs p q),
     (sumn (gs p q) <= overlap (X p) (complement (X q)))%N & 1 <= gap_product L e (gs p q)].
Let H p q : R := (gap_product L e (gs p q))^-1.
Let M : 'M[R]_K := \matrix_(p, q) \sum_(j < L | j != i) alpha h (X p) j (complement (X q)).

Lemma code_lt p q : p != q -> `|M p q| < H p q * M p p.
Proof.
move=> pq; have [gn og sm c1] := code pq; have [_ M0 /(_ p q _ gn og c1 sm) lt] := code_matrix_elementary L2 nh ok e0 X.
have c0 : 0 < gap_product L e (gs p q) := lt_le_trans ltr01 c1.
by rewrite ger0_norm ?M0 // /H mulrC ltr_pdivl_mulr // mulrC.
Qed.
Lemma code_diag p : 0 < M p p.
Proof.
have [q pq] : exists q : 'I_K, p != q.
  have h1 : ((p == 0 :> nat) < K)%N by case: (_ == _) => //; apply: ltnW.
  by exists (Ordinal h1); rewrite -val_eqE /=; case: (p : nat) => [|k].
have [gn og sm c1] := code pq; have [_ M0 /(_ p q _ gn og c1 sm)] := code_matrix_elementary L2 nh ok e0 X.
by apply: le_lt_trans; rewrite mulr_ge0 ?M0 // (le_trans ler01).
Qed.
Lemma code_rank_le : (\rank M <= r)%N.
Proof. by have [] := code_matrix_elementary L2 nh ok e0 X. Qed.

Lemma head_trace r0 : r0%:R * (K%:R + \sum_p \sum_(q | q != p) H p q ^+ 2) <= K%:R ^+ 2 ->
  (r0 < r)%N.
Proof.
by move=> le; apply: leq_trans code_rank_le; apply: (trace_profile K2 code_lt code_diag le).
Qed.
Lemma head_dominance : (forall p, \sum_(q | q != p) H p q <= 1) -> (K <= r)%N.
Proof. by move=> row; rewrite -(dominance_profile code_lt code_diag row) code_rank_le. Qed.
Lemma head_projection lam r0 (k : R := K%:R) (q : R := r0%:R)
    (E : R := \sum_p \sum_(s | s != p) H p s * Num.max 0 (H p s - lam)) :
  (2%:R * (k - 1 - q) + q * lam * k) ^+ 2 < 4%:R * (1 + q) * ((k - 1) * (k - 1 - q) - q * E) ->
  (r0 + 2 <= r)%N.
Proof.
move=> lt; apply: leq_trans code_rank_le; apply: (projection_elementary code_diag _ _ _ lt).
- by move=> p s ps; have [_ M0 _] := code_matrix_elementary L2 nh ok e0 X.
- by move=> p s ps; apply: le_trans (ler_norm _) (ltW (code_lt ps)).
- by move=> p s ps; have [_ _ _ c1] := code ps; rewrite /H invf_le1 // (lt_le_trans ltr01).
Qed.
End Bounds.

Lemma check_elementary (c : cert) (R : realFieldType) L r d
    (h : attention R (c_m c) L r d) (i : 'I_L) :
  check c = true -> c_signed c = false -> N.of_nat L = c_n c -> nonnegative h i ->
  error_below h i ((N.to_nat (c_a c))%:R / (N.to_nat (c_b c))%:R) -> (N.to_nat (c_r c) <= r)%N.
Proof.
case: L h i => [|k] h i; first by case: i.
move=> ok sg kn nh ah; exact: (check_sound ok sg kn (valid_to nh) (accurate_to ah) (features_pos nh)).
Qed.

Section SignedHead.
Variables (R : realFieldType) (m k r d : nat) (h : attention R m k.+2 r d) (i : 'I_k.+2).
Hypothesis st : position_independent h.
Hypothesis dn : forall s, denominator h s i != 0.
Lemma stat_to p q z : phiK (to_head h i) p z = phiK (to_head h i) q z /\
  valc (to_head h i) p z = valc (to_head h i) q z.
Proof.
by have [e1 e2] := st (lift i p) (lift i q) z; split; apply/rowP => l; rewrite !mxE ?e1 ?e2.
Qed.
Lemma den_to_neq0 x w : den (to_head h i) x w != 0. Proof. by rewrite den_to. Qed.
Lemma mass_sD x z : mass h i x z = sD (to_head h i) x z.
Proof.
rewrite mass_to /sD; congr (_ + _); rewrite (eq_bigr (fun=> kern (to_head h i) ord0 x z)).
  by rewrite sumr_const card_ord mulr_natl.
by move=> p _; rewrite /kern (proj1 (stat_to p ord0 z)).
Qed.
End SignedHead.

Lemma signed_elementary (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R)
    (x z z' : token m) : (2 <= L)%N -> position_independent h ->
  (forall s, denominator h s i != 0) -> 0 < e -> error_below h i e ->
  (overlap x z <= overlap x z')%N -> 2%:R * e <= (overlap x z')%:R - (overlap x z)%:R ->
  (L%:R - 2%:R) * ((overlap x z')%:R - (overlap x z)%:R - 2%:R * e) * `|mass h i x z'| <
    2%:R * e * `|mass h i x z|.
Proof.
case: L h i => [|[|n]] // h i _ st dn e0 ok; rewrite lengthE !(mass_sD i st) !overlapE.
exact: (signed_gap (stat_to i st) (den_to_neq0 dn) (accurate_to ok) e0).
Qed.

Lemma signed_amplification_elementary (R : realFieldType) m L r d (h : attention R m L r d)
    (i : 'I_L) (e : R) (x z z' : token m) (gs : seq nat) :
  (2 <= L)%N -> position_independent h -> (forall s, denominator h s i != 0) -> 0 < e ->
  error_below h i e -> gs != [::] -> all (fun g : nat => 2%:R * e <= g%:R) gs ->
  (overlap x z + sumn gs <= overlap x z')%N ->
  gap_product L e gs * `|mass h i x z'| < `|mass h i x z|.
Proof.
case: L h i => [|[|n]] // h i _ st dn e0 ok; case: gs => [|g gs] // _.
rewrite gap_productE !(mass_sD i st) !overlapE.
exact: (signed_chain (stat_to i st) (den_to_neq0 dn) (accurate_to ok) e0).
Qed.

Lemma signed_rank_elementary (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L)
    K (X Y : 'I_K -> token m) : (2 <= L)%N -> position_independent h ->
  (\rank (\matrix_(p, q) mass h i (X p) (Y q)) <= r + 1)%N.
Proof.
case: L h i => [|[|n]] // h i _ st; rewrite addn1.
have -> : \matrix_(p, q) mass h i (X p) (Y q) = \matrix_(p, q) sD (to_head h i) (X p) (Y q).
  by apply/matrixP => p q; rewrite !mxE (mass_sD i st).
exact: sD_rank.
Qed.

Lemma signed_trace_elementary (R : realFieldType) m L r d (h : attention R m L r d) (i : 'I_L) (e : R)
    K (X : 'I_K -> token m) (gs : 'I_K -> 'I_K -> seq nat) (r0 : nat)
    (H := fun p q => (gap_product L e (gs p q))^-1) :
  (2 <= L)%N -> position_independent h -> (forall s, denominator h s i != 0) -> 0 < e ->
  error_below h i e -> (1 < K)%N -> (forall p q, p != q ->
    [/\ gs p q != [::], all (fun g : nat => 2%:R * e <= g%:R) (gs p q),
       (sumn (gs p q) <= overlap (X p) (complement (X q)))%N & 1 <= gap_product L e (gs p q)]) ->
  r0%:R * (K%:R + \sum_p \sum_(q | q != p) H p q ^+ 2) <= K%:R ^+ 2 -> (r0 <= r)%N.
Proof.
move=> L2 st dn e0 ok K2 code le; pose M : 'M[R]_K := \matrix_(p, q) mass h i (X p) (complement (X q)).
have lt p q : p != q -> gap_product L e (gs p q) * `|M p q| < `|M p p|.
  move=> pq; have [gn og sm _] := code p q pq; rewrite !mxE.
  apply: (signed_amplification_elementary L2 st dn e0 ok gn og).
  have -> : overlap (X p) (complement (X p)) = 0%N.
    by rewrite /overlap big1 // => l _; rewrite ffunE andbN.
  by rewrite add0n.
have c0 p q : p != q -> 0 < gap_product L e (gs p q).
  by move=> pq; have [_ _ _ c1] := code p q pq; apply: lt_le_trans ltr01 c1.
have d0 p : 0 < `|M p p|.
  have [q pq] : exists q : 'I_K, p != q.
    have h1 : ((p == 0 :> nat) < K)%N by case: (_ == _) => //; apply: ltnW.
    by exists (Ordinal h1); rewrite -val_eqE /=; case: (p : nat) => [|k].
  by apply: le_lt_trans (lt p q pq); rewrite mulr_ge0 // ltW // c0.
pose N := diag_mx (\row_p (M p p)^-1) *m M.
have NE p q : N p q = (M p p)^-1 * M p q by rewrite /N mul_diag_mx !mxE.
have N1 p : N p p = 1 by rewrite NE mulVf // -normr_gt0.
have : (r0 < \rank N)%N.
  apply: (@trace_profile R K N H r0 K2) => // [p q pq|p]; last by rewrite N1 ltr01.
  rewrite N1 mulr1 NE normrM normfV /H [X in X < _]mulrC ltr_pdivr_mulr // mulrC.
  by rewrite ltr_pdivl_mulr ?c0 // mulrC lt.
move=> lt2; rewrite -ltnS -[r.+1]addn1; apply: leq_trans lt2 _.
by apply: leq_trans (mxrankM_maxr _ _) (signed_rank_elementary i X (fun q => complement (X q)) L2 st).
Qed.

Lemma check_elementary_signed (c : cert) (R : realFieldType) L r d
    (h : attention R (c_m c) L r d) (i : 'I_L) :
  check c = true -> c_signed c = true -> N.of_nat L = c_n c -> position_independent h ->
  (forall s, denominator h s i != 0) ->
  error_below h i ((N.to_nat (c_a c))%:R / (N.to_nat (c_b c))%:R) -> (N.to_nat (c_r c) <= r)%N.
Proof.
move=> ok sg kn st dn ah.
have n3 : (2 <= L)%N.
  by move: ok; rewrite /check sg /= /check_code -kn => /andP[/N.leb_le]; case: L {kn h i st dn ah} => [|[|L]].
case: L h i n3 kn st dn ah => [|[|k]] h i // _ kn st dn ah.
exact: (check_sound_signed ok sg kn (stat_to i st) (den_to_neq0 dn) (accurate_to ah)).
Qed.

Section Minimax.
Variables (R : realFieldType) (m n r : nat) (fq fk : token m -> 'I_r -> R) (e : R).
Let q x : 'rV[R]_r := \row_l fq x l.
Let k x : 'rV[R]_r := \row_l fk x l.
Let al x z := \sum_(l < r) fq x l * fk z l.
Lemma kalE x z : kalpha q k x z = al x z.
Proof. by rewrite /kalpha /dot; apply: eq_bigr => l _; rewrite !mxE. Qed.

Lemma uhead_answer d (v a : token m -> 'I_d -> R) b (s : 'I_n.+2 -> token m) i :
  answer (Attention fq (fun=> fk) (fun=> v) a b) s i =
  out (@uhead R m n r q k d (fun z => \row_c v z c) (fun x => \row_c a x c) b)
      (s i) (fun p => s (lift i p)).
Proof.
rewrite answerE; apply: out_ext => //= x; rewrite kalE //.
Qed.

Lemma solvable_elementary :
  (exists d (v : token m -> 'I_d -> R) (a : token m -> 'I_d -> R) (b : token m -> R),
     forall (s : 'I_n.+2 -> token m) i,
     `|answer (Attention fq (fun=> fk) (fun=> v) a b) s i - (min_ip s i)%:R| <= e) <->
  solvable n q k e.
Proof.
split=> [[d [v [a [b H]]]]|[d [v [a [b H]]]]].
  exists d, (fun z => \row_c v z c), (fun x => \row_c a x c), b => x w.
  have := H (insert ord0 x w) ord0; rewrite uhead_answer min_ipE insert_i.
  have E (F : ('I_n.+1 -> tok m) -> R) : (forall w w', w =1 w' -> F w = F w') ->
    F (fun p => insert ord0 x w (lift ord0 p)) = F w by apply => p; rewrite insert_lift.
  rewrite (E (fun w => out _ x w)) ?(E (fun w => (target x w)%:R)) // => w1 w2 ww.
    by congr _%:R; apply: eq_bigr => p _; rewrite ww.
  have dE : forall h0 : head R m n.+1 r d, den h0 x w1 = den h0 x w2.
    by move=> h0; rewrite /den; congr (_ + _); apply: eq_bigr => p _; rewrite ww.
  rewrite /out /att dE; congr (dot _ (_ *: (_ + _)) + _).
  by apply: eq_bigr => p _; rewrite ww.
exists d, (fun z c => v z 0 c), (fun x c => a x 0 c), b => s i.
rewrite uhead_answer min_ipE.
have row (u : 'rV[R]_d) : \row_c u 0 c = u by apply/rowP => c; rewrite mxE.
set h1 := uhead _ _ _ _ _ _; suff -> : out h1 (s i) (fun p => s (lift i p)) =
    out (uhead n q k v a b) (s i) (fun p => s (lift i p)) by apply: H.
by apply: out_ext => //=; intros; intro; apply: row.
Qed.
End Minimax.

Lemma minimax_elementary (R : realFieldType) m L r (fq fk : token m -> 'I_r -> R) (e : R)
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
Proof.
rewrite /D /tau {D tau}; case: L => [|[|n]] // _ a0 ax.
apply: (iff_trans (solvable_elementary n fq fk e)); set q := fun x => _; set k := fun x => _.
apply: (iff_trans (@minimax R m n r q k _ _ e)) => [x z|x|].
- by rewrite (kalE fq fk); apply: a0.
- by rewrite (kalE fq fk); apply: ax.
have DE x z : DD n q k x z = al x x + (n.+2%:R - 1) * al x z.
  by rewrite /DD !(kalE fq fk) -[n.+2]addn1 natrD addrK.
have tE x z : Domination.tau q k x z = if al x z == 0 then (weight x)%:R else (overlap x z)%:R.
  by rewrite /Domination.tau (kalE fq fk) weightE overlapE.
by split=> H x z z'; have := H x z z'; rewrite !tE !overlapE lengthE !DE.
Qed.

Section GrowthHead.
Variables (R : realFieldType) (m L r d : nat) (h : attention R m L r d) (i : 'I_L).
Hypotheses (L3 : (3 <= L)%N) (nh : nonnegative h i) (ok : error_below h i 2%:R^-1).

Lemma growth_w_elementary g (q : R) w : (2 <= g)%N -> 0 < q -> q <= 1 ->
  1 <= q ^+ g * ((L - 2) * (g - 1))%N%:R -> (2 <= w)%N ->
  'C(m, w)%:R * q ^+ (2 * (g - 1)) <= (m * r)%:R * (1 + q) ^+ m.
Proof.
case: L L3 h i nh ok => [|[|[|n]]] // _ h' i' nh' ok' g2 q0 q1; rewrite subn1 !subSS subn0 => qg w2.
exact: (growth_w (valid_to nh') (accurate_to ok') g2 q0 q1 qg w2).
Qed.

Lemma growth_elementary g (q : R) : (2 <= g)%N -> 0 < q -> q <= 1 ->
  1 <= q ^+ g * ((L - 2) * (g - 1))%N%:R -> (3 <= m)%N ->
  2%:R ^+ m * q ^+ (2 * (g - 1)) <= ((m + 1) * m * r)%:R * (1 + q) ^+ m.
Proof.
case: L L3 h i nh ok => [|[|[|n]]] // _ h' i' nh' ok' g2 q0 q1; rewrite subn1 addn1 !subSS subn0 => qg m3.
exact: (growth (valid_to nh') (accurate_to ok') g2 q0 q1 qg m3).
Qed.

Lemma growth3_elementary : (3 <= m)%N ->
  (190 ^ m * 72 ^ 8 <= (m + 1) * m * r * (167 ^ m * 95 ^ 8))%N.
Proof.
move=> m3; have := nh; have := ok; have [n nE] : exists n, L = n.+3 by exists (L - 3)%N; rewrite -addn3 subnK.
move: h i; rewrite nE => h' i' ok' nh'; have := growth3 (valid_to nh') (accurate_to ok') m3.
by rewrite -[m.+1]addn1.
Qed.
End GrowthHead.

Section Transcript.
Variables (s q : nat) (R : realFieldType) (Tr : finType).
Let m := (q.+1 * s)%N.
Variable tau : ('I_q.+1 -> token m) -> Tr.
Variable f : 'I_q -> {ffun 'I_q -> token m} -> Tr -> R.
Let last := @ord_max q.
Let early (i : 'I_q) : 'I_q.+1 := widen_ord (leqnSn q) i.
Lemma transcript_elementary :
  (forall (x : 'I_q.+1 -> token m) (i : 'I_q),
     `|f i [ffun j => x (early j)] (tau x) - (min_ip x (early i))%:R| < 2%:R^-1) ->
  ((s + 1) ^ q <= #|Tr|)%N.
Proof.
move=> ok; rewrite addn1.
apply: (@transcript_bound s q R Tr tau (fun i _ t => f i [ffun j => @xt s q j] t)) => c i.
have := ok (sq c) i.
have e j : sq c (early j) = @xt s q j.
  by rewrite /sq insubT //= => jq; congr xt; apply/val_inj.
have -> : [ffun j => sq c (early j)] = [ffun j => @xt s q j].
  by apply/ffunP => j; rewrite !ffunE e.
congr (`|_ - _%:R| < _); rewrite min_ipE e.
rewrite target_key; apply: target_min => [p|].
  by apply: leq_trans (@target_le _ _ (@xt s q i) (sq c) (lift (early i) p)); rewrite target_key.
have [l lE] : exists l, lift (early i) l = last.
  have := unliftP (early i) last; case=> [l ->|/(congr1 val) /= E]; first by exists l.
  by have := ltn_ord i; rewrite -E ltnn.
by exists l; rewrite lE /sq insubF ?ip_xz //= ltnn.
Qed.
End Transcript.

Section CountingHead.
Variables (R : realFieldType) (m L r d : nat) (h : attention R m L r d) (i : 'I_L) (e : R).
Hypotheses (L2 : (2 <= L)%N) (nh : nonnegative h i) (e0 : 0 < e) (ok : error_below h i e).
Lemma counting_elementary w (gs : nat -> seq nat) : (2 <= w)%N ->
  (forall j, (2 <= j <= w)%N -> [/\ gs j != [::], all (fun g : nat => 2%:R * e <= g%:R) (gs j),
     (sumn (gs j) <= j)%N & 1 <= gap_product L e (gs j)]) ->
  'C(m, w)%:R <= (m * r)%:R *
    (1 + \sum_(2 <= j < w.+1) ('C(w, j) * 'C(m - w, j.-1))%N%:R / j%:R * (gap_product L e (gs j))^-1 ^+ 2).
Proof.
case: L L2 h i nh ok => [|[|n]] // _ h' i' nh' ok' w2 comp.
apply: (counting (valid_to nh') (accurate_to ok') e0 w2) => j j2 jw.
have /comp[] : (2 <= j <= w)%N by rewrite j2.
case: (gs j) => [|g gs'] // _ og sm; rewrite gap_productE => c1.
by exists g, gs'; split=> //; rewrite mulVf // gt_eqF // (lt_le_trans ltr01).
Qed.
End CountingHead.

Lemma counting_check_elementary (c : counting_cert) (R : realFieldType) L r d
    (h : attention R (k_m c) L r d) (i : 'I_L) :
  counting_check c = true -> N.of_nat L = k_n c -> nonnegative h i ->
  error_below h i ((N.to_nat (k_a c))%:R / (N.to_nat (k_b c))%:R) -> (N.to_nat (k_r c) <= r)%N.
Proof.
move=> ok kn; have n3 : (2 <= L)%N.
  by move: ok; rewrite /counting_check -kn => /andP[/N.leb_le]; case: L {kn h i} => [|[|L]].
case: L h i n3 kn => [|[|k]] h i // _ kn nh ah.
exact: (counting_check_sound ok kn (valid_to nh) (accurate_to ah)).
Qed.
