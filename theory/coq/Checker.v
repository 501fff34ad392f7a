(* The certificate checker: a boolean function on words as bit masks, and the *)
(* proof that it is sound.  The part up to "soundness" is all that runs, by   *)
(* vm_compute here and extracted to OCaml in native/; it uses no library but  *)
(* positive, N, nat and lists.                                                *)
From Coq Require Import NArith PArith Lia.
From mathcomp Require Import all_ssreflect all_algebra zify ring.
From Verifier Require Import Head Domination Amplification Rank Signed.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.

(* ---- certificates ---- *)
Inductive method :=
  | Trace                        (* Theorem 5.2 *)
  | Projection (p q : N)         (* Theorem 5.3, multiplier lambda = p/q *)
  | Dominance.                   (* Theorem 5.4 *)

Record cert := Cert {
  (* the claim: every head on m-bit tokens that solves length n with error    *)
  (* < a/b has at least r features; with c_signed, every position-independent *)
  (* head whose kernel may take any sign                                      *)
  c_m : nat; c_n : N; c_a : N; c_b : N; c_signed : bool; c_r : N;
  (* the evidence                                                             *)
  c_method : method;
  c_len : nat;                   (* coordinates in use                        *)
  c_wgt : option nat;            (* weight of every word, if claimed          *)
  c_words : seq N;               (* the words, as bit masks                   *)
  c_gaps : seq (seq nat) }.      (* entry d: gaps along |x \ y| = d           *)

(* ---- computation ---- *)
(* plain structural comparison, so that extraction needs no Obj.magic *)
Fixpoint nle (a b : nat) : bool :=
  match a, b with O, _ => true | a'.+1, b'.+1 => nle a' b' | _, _ => false end.

Fixpoint pop (x : positive) : nat :=
  match x with xH => 1 | xO x' => pop x' | xI x' => (pop x').+1 end.

(* |x \ y| is counted by bumping a table: bump x y adds one to entry |x \ y| *)
Definition inc (t : seq N) := if t is a :: t' then N.succ a :: t' else [::].
Fixpoint bump0 (x : positive) (t : seq N) : seq N :=
  match x with
  | xH => if t is a :: t' then a :: inc t' else [::]
  | xO x' => bump0 x' t
  | xI x' => if t is a :: t' then a :: bump0 x' t' else [::]
  end.
Fixpoint bump (x y : positive) (t : seq N) : seq N :=
  match x, y with
  | xH, xO _ => if t is a :: t' then a :: inc t' else [::]
  | xH, _ => inc t
  | xO x', xH | xI x', xH => bump0 x' t
  | xI x', xO y' => if t is a :: t' then a :: bump x' y' t' else [::]
  | xO x', xO y' | xO x', xI y' | xI x', xI y' => bump x' y' t
  end.
Definition hist m (C : seq positive) : seq N :=
  foldl (fun t x => foldl (fun t y => bump x y t) t C) (nseq m.+1 0%num) C.


(* The product of the factors (n-2)(g-2e)/(2e), e = a/b, is                   *)
(* num/den = prod (n-2)(gb-2a) / (2a)^length.                                 *)
Section Amp.
Variables (n2 a b : N).          (* n2 = length - 2 *)
Definition twoa := N.mul 2 a.
Definition factor (g : nat) : N := N.mul n2 (N.sub (N.mul (N.of_nat g) b) twoa).
Definition anum (gs : seq nat) : N := foldr (fun g acc => N.mul (factor g) acc) 1%num gs.
Definition aden (gs : seq nat) : N := foldr (fun _ acc => N.mul twoa acc) 1%num gs.
(* no empty list, every factor positive, monotone, product at least 1         *)
Definition gap_ok (d : nat) (gs : seq nat) : bool :=
  [&& nle 1 (size gs), all (fun g => N.ltb twoa (N.mul (N.of_nat g) b)) gs,
      nle (sumn gs) d & N.leb (aden gs) (anum gs)].
(* h(d) = den/num, rounded up to a multiple of 1/S                            *)
Definition hval (S : N) (gs : seq nat) : N :=
  N.div (N.pred (N.add (N.mul S (aden gs)) (anum gs))) (anum gs).

(* a scale at which nothing is rounded: the least common multiple of the      *)
(* numerators in lowest terms (any positive scale would be sound)             *)
Fixpoint scale (H : seq N) (G : seq (seq nat)) (acc : N) : N :=
  match H with
  | [::] => acc
  | c :: H' =>
    scale H' (behead G)
      (if N.eqb c 0 then acc
       else let gs := nth [::] G 0 in N.lcm acc (N.div (anum gs) (N.gcd (anum gs) (aden gs))))
  end.

(* sum of count * cost over the table H, which starts at |x \ y| = d; None    *)
(* when some occurring |x \ y| has no valid list of gaps                      *)
Fixpoint scan (cost : seq nat -> N) (d : nat) (H : seq N) (G : seq (seq nat)) : option N :=
  match H with
  | [::] => Some 0%num
  | c :: H' =>
    match scan cost d.+1 H' (behead G) with
    | None => None
    | Some E =>
      if N.eqb c 0 then Some E
      else let gs := nth [::] G 0 in
           if gap_ok d gs then Some (N.add E (N.mul c (cost gs))) else None
    end
  end.
End Amp.

(* (T)  (r-1) (K + E/S^2) <= K^2                                              *)
Definition trace_final (K r0 S E : N) : bool :=
  N.leb (N.mul r0 (N.add (N.mul K (N.mul S S)) E)) (N.mul (N.mul K K) (N.mul S S)).
(* (P)  r0 = r-2 < K, (2(K-1-r0) + r0 lam K)^2 < 4(1+r0)((K-1)(K-1-r0) - r0 E) *)
Definition projection_final (K r0 S p E : N) : bool :=
  let B := N.add (N.mul (N.mul 2 (N.sub (N.pred K) r0)) S) (N.mul (N.mul r0 p) K) in
  N.ltb r0 K &&
  N.ltb (N.add (N.mul B B) (N.mul (N.mul (N.mul 4 (N.succ r0)) r0) E))
        (N.mul (N.mul (N.mul 4 (N.succ r0)) (N.mul (N.pred K) (N.sub (N.pred K) r0))) (N.mul S S)).

Definition posw (w : N) : positive := if w is Npos p then p else xH.
Definition word_ok (len : nat) (wgt : option nat) (w : N) : bool :=
  match w with
  | Npos p => nle (Pos.size_nat p) len &&
              (if wgt is Some k then nle (pop p) k && nle k (pop p) else true)
  | N0 => false
  end.
(* gaps only where |x \ y| occurs: not needed, but evidence should be tidy     *)
Fixpoint tidy (H : seq N) (G : seq (seq nat)) : bool :=
  match G, H with
  | [::], _ => true
  | _, [::] => false
  | gs :: G', c :: H' => (if N.eqb c 0 then nle (size gs) 0 else true) && tidy H' G'
  end.

(* words pairwise different, gaps for every |x \ y|, the inequality           *)
Definition rank_test (n2 a b : N) (mt : method) (r : N) (len : nat) (C : seq positive)
    (G : seq (seq nat)) : bool :=
  let K := N.of_nat (size C) in
  let H0 := hist len C in
  let H := behead H0 in
  let G1 := behead G in
  let S1 := scale n2 a b H G1 1 in
  [&& N.ltb 0 a, N.ltb 0 b, N.ltb 1 K, N.eqb (nth 0%num H0 0) K &
  tidy H G1 &&
  match mt with
  | Trace =>
    N.ltb 0 S1 &&
    (if scan n2 a b (fun gs => let s := hval n2 a b S1 gs in N.mul s s) 1 H G1 is Some E
     then trace_final K (N.pred r) S1 E else false)
  | Projection p q =>
    let S := N.mul q S1 in
    N.ltb 0 S &&
    (if scan n2 a b (fun gs => let s := hval n2 a b S gs in N.mul s (N.sub s (N.mul p S1))) 1 H G1
       is Some E then N.leb r 1 || projection_final K (N.pred (N.pred r)) S (N.mul p S1) E else false)
  | Dominance =>
    [&& N.ltb 0 S1, N.leb r K,
        (if scan n2 a b (fun _ => 0%num) 1 H G1 is Some _ then true else false) &
        N.leb r 1 || all (fun x =>
          if scan n2 a b (hval n2 a b S1) 1
               (behead (foldl (fun t y => bump x y t) (nseq len.+1 0%num) C)) G1 is Some E
          then N.leb E S1 else false) C]
  end].

(* one word proves one feature (Lemma 1.8: without features no denominator is *)
(* positive)                                                                  *)
Definition single (c : cert) : bool :=
  match c_words c with
  | [:: w] =>
    [&& N.leb 3 (c_n c), nle (c_len c) (c_m c), N.ltb 0 (c_a c), N.ltb 0 (c_b c), N.leb (c_r c) 1,
        (if w is N0 then (if c_wgt c is Some k then nle k 0 else true)
         else word_ok (c_len c) (c_wgt c) w) & all (fun gs => nle (size gs) 0) (c_gaps c)]
  | _ => false
  end.

Definition check_code (c : cert) : bool :=
  [&& N.leb 3 (c_n c), nle (c_len c) (c_m c), all (word_ok (c_len c) (c_wgt c)) (c_words c) &
      (if c_signed c then
         (* rank at most r + 1; projection needs a nonnegative kernel *)
         (if c_method c is Projection _ _ then false else true) &&
         rank_test (N.sub (c_n c) 2) (c_a c) (c_b c) (c_method c) (N.succ (c_r c)) (c_len c)
                   (map posw (c_words c)) (c_gaps c)
       else
         rank_test (N.sub (c_n c) 2) (c_a c) (c_b c) (c_method c) (c_r c) (c_len c)
                   (map posw (c_words c)) (c_gaps c))].

Definition check (c : cert) : bool := (negb (c_signed c) && single c) || check_code c.

(* ---- soundness ---- *)
Definition tok_of m (w : N) : tok m := [ffun i : 'I_m => N.testbit w (N.of_nat i)].

Fixpoint popm (m : nat) (w : N) : nat :=
  if m is m'.+1 then N.odd w + popm m' (N.div2 w) else 0.

Lemma popmE m w : popm m w = count (fun i => N.testbit w (N.of_nat i)) (iota 0 m).
Proof.
elim: m w => //= m IH w; rewrite N.bit0_odd; congr (_ + _).
rewrite IH -[in RHS](addn0 1) iotaDl count_map; apply: eq_count => i /=.
by rewrite -N.testbit_succ_r_div2; [case: i | case: (N.of_nat i)].
Qed.

Lemma count_ord m (P : pred nat) : #|[pred i : 'I_m | P i]| = count P (iota 0 m).
Proof. by rewrite -sum1_card -sum1_count -/(index_iota 0 m) -[m in iota 0 m]subn0 big_mkord. Qed.

Lemma wt_tok m w : wt (tok_of m w) = popm m w.
Proof.
by rewrite popmE -count_ord; apply: eq_card => i; rewrite !inE ffunE.
Qed.

Lemma ip_tok m w v : ip (tok_of m w) (tok_of m v) = popm m (N.land w v).
Proof.
rewrite popmE -count_ord; apply: eq_card => i; rewrite !inE !ffunE.
by rewrite N.land_spec.
Qed.


Lemma nleE a b : nle a b = (a <= b). Proof. by elim: a b => [|a IH] [|b] //=; rewrite IH. Qed.
Lemma gap_okE n2 a b d gs :
  gap_ok n2 a b d gs = [&& gs != [::], all (fun g => N.ltb (twoa a) (N.mul (N.of_nat g) b)) gs,
    sumn gs <= d & N.leb (aden a gs) (anum n2 a b gs)].
Proof. by rewrite /gap_ok !nleE -size_eq0 lt0n. Qed.
Fixpoint dfc (x y : positive) : nat :=
  match x, y with
  | xH, xO _ => 1
  | xH, _ => 0
  | xO x', xH | xI x', xH => pop x'
  | xI x', xO y' => (dfc x' y').+1
  | xO x', xO y' | xO x', xI y' | xI x', xI y' => dfc x' y'
  end.

Lemma popm0 m : popm m 0 = 0. Proof. by elim: m. Qed.
Lemma popm_double m a : popm m.+1 (N.double a) = popm m a.
Proof. by case: a. Qed.
Lemma popm_succ_double m a : popm m.+1 (N.succ_double a) = (popm m a).+1.
Proof. by case: a. Qed.

Lemma popP m x : Pos.size_nat x <= m -> popm m (Npos x) = pop x.
Proof.
elim: x m => [x IH|x IH|] [|m] //= h.
- by rewrite IH.
- by rewrite IH.
- by rewrite popm0.
Qed.

Lemma dfcP m x y : Pos.size_nat x <= m ->
  popm m (N.land (Npos x) (Npos y)) + dfc x y = popm m (Npos x).
Proof.
elim: x y m => [x IH|x IH|] [y|y|] [|m] // h.
- by rewrite [N.land _ _]/= -/(N.succ_double (N.land (Npos x) (Npos y))) popm_succ_double addSn IH.
- by rewrite [N.land _ _]/= -/(N.double (N.land (Npos x) (Npos y))) popm_double /= addnS IH.
- by rewrite /= popm0 popP.
- by rewrite [N.land _ _]/= -/(N.double (N.land (Npos x) (Npos y))) popm_double IH.
- by rewrite [N.land _ _]/= -/(N.double (N.land (Npos x) (Npos y))) popm_double IH.
- by rewrite /= popm0 popP.
- by rewrite /= popm0.
- by rewrite /= popm0.
- by rewrite /= popm0.
Qed.

Lemma ip_dfc m x y : Pos.size_nat x <= m ->
  ip (tok_of m (Npos x)) (cmpl (tok_of m (Npos y))) = dfc x y.
Proof.
move=> /dfcP h; apply/eqP; rewrite -(eqn_add2l (ip (tok_of m (Npos x)) (tok_of m (Npos y)))).
by rewrite ip_cmpl wt_tok ip_tok h.
Qed.

Lemma pop_size x : pop x <= Pos.size_nat x.
Proof. by elim: x => //= x IH; apply: leq_trans IH _. Qed.

Lemma dfc_size x y : dfc x y <= Pos.size_nat x.
Proof.
elim: x y => [x IH|x IH|] [y|y|] //=; rewrite ?ltnS ?(leq_trans (IH y)) //.
- by rewrite (leq_trans (pop_size x)).
- by rewrite (leq_trans (pop_size x)).
Qed.

Lemma dfcxx x : dfc x x = 0. Proof. by elim: x. Qed.

Section Hist.
Variables (R : realFieldType).
Local Open Scope ring_scope.
Definition nR (a : N) : R := (N.to_nat a)%:R.
Fixpoint wsum (f : nat -> R) (t : seq N) : R :=
  if t is a :: t' then nR a * f 0%N + wsum (fun d => f d.+1) t' else 0.

Lemma nRS a : nR (N.succ a) = nR a + 1.
Proof. by rewrite /nR N2Nat.inj_succ mulrSr. Qed.

Lemma nRD a b : nR (N.add a b) = nR a + nR b.
Proof. by rewrite /nR N2Nat.inj_add natrD. Qed.
Lemma nRM a b : nR (N.mul a b) = nR a * nR b.
Proof. by rewrite /nR N2Nat.inj_mul natrM. Qed.

Lemma inc_wsum f t : (0 < size t)%N -> wsum f (inc t) = wsum f t + f 0%N.
Proof. by case: t => //= a t _; rewrite nRS mulrDl mul1r addrAC. Qed.
Lemma size_inc t : size (inc t) = size t. Proof. by case: t. Qed.

Lemma bump0_wsum x f t : (pop x < size t)%N -> wsum f (bump0 x t) = wsum f t + f (pop x).
Proof.
elim: x f t => [x IH|x IH|] f [|a t] //= h.
- by rewrite IH // addrA.
- by rewrite (IH f (a :: t)).
- by rewrite inc_wsum // addrA.
Qed.
Lemma size_bump0 x t : size (bump0 x t) = size t.
Proof. by elim: x t => [x IH|x IH|] [|a t] //=; rewrite ?IH ?size_inc. Qed.

Lemma bump_wsum x y f t : (dfc x y < size t)%N -> wsum f (bump x y t) = wsum f t + f (dfc x y).
Proof.
elim: x y f t => [x IH|x IH|] [y|y|] f t h /=; rewrite ?bump0_wsum ?inc_wsum ?IH //.
- by case: t h => //= a t h; rewrite IH // addrA.
- by case: t h => //= a t h; rewrite inc_wsum // addrA.
Qed.
Lemma size_bump x y t : size (bump x y t) = size t.
Proof.
by elim: x y t => [x IH|x IH|] [y|y|] t //=; rewrite ?size_bump0 ?size_inc ?IH //;
  case: t => //= a t; rewrite ?IH ?size_inc.
Qed.

Lemma wsum0 f k : wsum f (nseq k 0%num) = 0.
Proof. by elim: k f => //= k IH f; rewrite /nR mul0r add0r IH. Qed.

Lemma hist_wsum m C f : all (fun x => Pos.size_nat x <= m)%N C ->
  wsum f (hist m C) = \sum_(x <- C) \sum_(y <- C) f (dfc x y).
Proof.
move=> fit; rewrite /hist.
have row x t D : (Pos.size_nat x <= m)%N -> size t = m.+1 ->
  size (foldl (fun t y => bump x y t) t D) = m.+1 /\
  wsum f (foldl (fun t y => bump x y t) t D) = wsum f t + \sum_(y <- D) f (dfc x y).
  move=> xm; elim: D t => [|y D IH] t st /=; first by rewrite big_nil addr0.
  have [-> ->] := IH (bump x y t) (etrans (size_bump x y t) st).
  split=> //; rewrite bump_wsum ?big_cons ?addrA // st ltnS.
  exact: leq_trans (dfc_size x y) xm.
suff H D t : all (fun x => Pos.size_nat x <= m)%N D -> size t = m.+1 ->
  wsum f (foldl (fun t x => foldl (fun t y => bump x y t) t C) t D) =
  wsum f t + \sum_(x <- D) \sum_(y <- C) f (dfc x y).
  by rewrite H ?size_nseq // wsum0 add0r.
elim: D t => [|x D IH] t /= fd st; first by rewrite big_nil addr0.
case/andP: fd => fx fd; have [st' e] := row x t C fx st.
by rewrite IH // ?e ?big_cons ?addrA.
Qed.

Lemma wsum_null f t : (forall k, f k = 0) -> wsum f t = 0.
Proof. by elim: t f => //= a t IH f hf; rewrite hf mulr0 add0r IH. Qed.

Lemma wsum_ind f t d : (forall k, f k = (k == d)%:R) -> wsum f t = nR (nth 0%num t d).
Proof.
elim: t f d => [|a t IH] f [|d] hf //=; rewrite ?hf /= ?mulr1 ?mulr0 ?add0r.
- by rewrite wsum_null ?addr0 // => k; rewrite hf.
- by apply: IH => k; rewrite hf.
Qed.
End Hist.


Lemma scanP (R : realFieldType) n2 a b cost d H G E (f : nat -> R) :
  scan n2 a b cost d H G = Some E ->
  (forall k, f k = (nR R (cost (nth [::] G k))))%R ->
  nR R E = wsum f H /\
  (forall k, nth 0%num H k <> 0%num -> gap_ok n2 a b (d + k) (nth [::] G k)).
Proof.
elim: H d G E f => [|c H IH] d G E f /=.
  by case=> <- _; split=> // k; rewrite nth_nil.
case e: (scan _ _ _ _ _ _ _) => [E'|] // h hf.
have [k|e1 e2] := IH _ _ _ (fun k => f k.+1) e; first by rewrite hf nth_behead.
have nb k : nth [::] (behead G) k = nth [::] G k.+1 by rewrite nth_behead.
case: N.eqb_spec h => [c0 [<-]|c0].
  split; first by rewrite c0 (_ : nR R 0 = 0)%R ?mul0r ?add0r ?e1.
  by case=> [|k] //= /e2; rewrite nb addSnnS.
case: ifP => // ok [<-]; split.
  by rewrite nRD nRM e1 hf addrC.
case=> [|k] /=; first by rewrite addn0.
by move/e2; rewrite nb addSnnS.
Qed.

Section AmpReal.
Variables (R : realFieldType) (n2 a b : N).
Hypotheses (a0 : N.ltb 0 a) (b0 : N.ltb 0 b).
Definition err : R := (nR R a / nR R b)%R.
Local Open Scope ring_scope.

Lemma a_gt0 : 0 < nR R a. Proof. by rewrite /nR ltr0n; move: a0 => /N.ltb_lt; lia. Qed.
Lemma b_gt0 : 0 < nR R b. Proof. by rewrite /nR ltr0n; move: b0 => /N.ltb_lt; lia. Qed.
Lemma err_gt0 : 0 < err. Proof. by rewrite divr_gt0 ?a_gt0 ?b_gt0. Qed.

Lemma factor_ok g : N.ltb (twoa a) (N.mul (N.of_nat g) b) -> 2%:R * err < g%:R.
Proof.
move=> /N.ltb_lt lt; rewrite /err mulrA ltr_pdivr_mulr ?b_gt0 // /nR -!natrM ltr_nat.
by move: lt; rewrite /twoa; lia.
Qed.

Lemma gain_factor g : N.ltb (twoa a) (N.mul (N.of_nat g) b) ->
  gain (N.to_nat n2) err g * nR R (twoa a) = nR R (factor n2 a b g).
Proof.
move=> /N.ltb_lt lt; rewrite /factor nRM.
have -> : nR R (N.sub (N.mul (N.of_nat g) b) (twoa a)) = g%:R * nR R b - nR R (twoa a).
  rewrite /nR N2Nat.inj_sub natrB; last by lia.
  by rewrite N2Nat.inj_mul Nat2N.id natrM.
have -> : nR R (twoa a) = 2%:R * nR R a by rewrite /twoa nRM.
have := a_gt0; have := b_gt0; rewrite /gain /err -/(nR R n2).
move: (nR R a) (nR R b) (nR R n2) => x y z y0 x0.
by field; rewrite !gt_eqF ?ltr0n.
Qed.

Lemma gains_num gs : all (fun g => N.ltb (twoa a) (N.mul (N.of_nat g) b)) gs ->
  gains (N.to_nat n2) err gs * nR R (aden a gs) = nR R (anum n2 a b gs).
Proof.
elim: gs => [_|g gs IH]; first by rewrite /gains big_nil mul1r.
move=> /= /andP[ok /IH e]; rewrite /gains big_cons.
have -> : nR R (N.mul (factor n2 a b g) (anum n2 a b gs)) =
   nR R (factor n2 a b g) * nR R (anum n2 a b gs) by rewrite -nRM.
have -> : nR R (N.mul (twoa a) (aden a gs)) = nR R (twoa a) * nR R (aden a gs) by rewrite -nRM.
by rewrite -e -(gain_factor ok) /gains mulrACA.
Qed.

Lemma aden_gt0 gs : 0 < nR R (aden a gs).
Proof.
elim: gs => [|g gs IH] /=; first by rewrite /nR ltr01.
by rewrite nRM mulr_gt0 // /twoa nRM mulr_gt0 ?a_gt0 // /nR ltr0n.
Qed.

Lemma gap_okP d gs : gap_ok n2 a b d gs -> exists g gs',
  [/\ gs = g :: gs', okgaps err gs, (sumn gs <= d)%N & 1 <= gains (N.to_nat n2) err gs].
Proof.
rewrite gap_okE; case: gs => [|g gs] // /and4P[_ ok le c1]; exists g, gs; split=> //.
  by apply: sub_all ok => k /factor_ok /ltW.
rewrite -(ler_pmul2r (aden_gt0 (g :: gs))) mul1r gains_num // /nR ler_nat.
by move: c1 => /N.leb_le; lia.
Qed.

(* the rounded h: at least 1/gains, at most 1                                *)
Lemma hvalP S d gs : gap_ok n2 a b d gs -> 0 < nR R S ->
  1 <= nR R (hval n2 a b S gs) / nR R S * gains (N.to_nat n2) err gs /\
  nR R (hval n2 a b S gs) / nR R S <= 1.
Proof.
move=> ok S0; have := ok; rewrite gap_okE => /and4P[_ okg _ /N.leb_le dn].
have dp := aden_gt0 gs; have gn := gains_num okg.
have d0 : (0 < aden a gs)%num by move: dp; rewrite /nR ltr0n; lia.
rewrite /hval; set N1 := anum n2 a b gs in dn gn *; set D1 := aden a gs in dn gn dp d0 *.
have n0 : N1 <> 0%num by lia.
set T := N.pred _; have E1 := N.div_mod T N1 n0; have L1 := N.mod_lt T N1 n0.
move: E1 L1; move: (N.div T N1) (N.modulo T N1) => q q' E1 L1; split.
  rewrite -(ler_pmul2r dp) mul1r.
  have -> : nR R q / nR R S * gains (N.to_nat n2) err gs * nR R D1 = nR R q * nR R N1 / nR R S.
    by rewrite -gn -mulrA mulrAC mulrA.
  rewrite ler_pdivl_mulr // /nR -!natrM ler_nat; have TE : T = N.pred (N.add (N.mul S D1) N1) by [].
  have := N2Nat.inj_mul q N1; have := N2Nat.inj_mul D1 S; have := N.mul_comm D1 S.
  by have := N.mul_comm q N1; lia.
rewrite ler_pdivr_mulr // mul1r /nR ler_nat.
suff : (q <= S)%num by lia.
have TE : T = N.pred (N.add (N.mul S D1) N1) by [].
apply/N.lt_succ_r; apply/(N.mul_lt_mono_pos_l N1); first by lia.
rewrite N.mul_succ_r; have : (N.mul D1 S <= N.mul N1 S)%num by apply: N.mul_le_mono_r.
by have := N.mul_comm S D1; lia.
Qed.
End AmpReal.

Section Core.
Variables (R : realFieldType) (n2 a b : N) (mt : method) (rk : N) (len : nat).
Variables (C : seq positive) (G : seq (seq nat)).
Hypothesis fit : all (fun x => Pos.size_nat x <= len) C.
Hypothesis ok : rank_test n2 a b mt rk len C G.
Let K := size C.
Let wd (i : 'I_K) : positive := nth xH C i.
Let df i j := dfc (wd i) (wd j).
Let e : R := err R a b.
Let amp (gs : seq nat) : R := gains (N.to_nat n2) e gs.

Variable M : 'M[R]_K.
(* the only thing asked of M: what amplification gives                        *)
Hypothesis HM : forall i j g gs, i != j -> okgaps e (g :: gs) -> (sumn (g :: gs) <= df i j)%N ->
  (1 <= amp (g :: gs))%R -> (amp (g :: gs) * `|M i j| < M i i)%R.
Hypothesis Mproj : if mt is Projection _ _ then forall i j, (0 <= M i j)%R else True.

Lemma ok_a : N.ltb 0 a. Proof. by case/and5P: ok. Qed.
Lemma ok_b : N.ltb 0 b. Proof. by case/and5P: ok. Qed.
Lemma ok_K : (1 < K)%N.
Proof. by case/and5P: ok => _ _ /N.ltb_lt h _ _; rewrite /K; lia. Qed.
Lemma ok_0 : nth 0%num (hist len C) 0 = N.of_nat K.
Proof. by case/and5P: ok => _ _ _ /N.eqb_eq. Qed.

Lemma row_wsum x t f : (Pos.size_nat x <= len)%N -> size t = len.+1 ->
  (wsum f (foldl (fun t y => bump x y t) t C) = wsum f t + \sum_(y <- C) f (dfc x y) :> R)%R.
Proof.
move=> xm; elim: C t => [|y D IH] t st /=; first by rewrite big_nil addr0.
rewrite (IH (bump x y t)) ?size_bump // bump_wsum ?big_cons ?addrA // st ltnS.
exact: leq_trans (dfc_size x y) xm.
Qed.

Lemma H_count k : nR R (nth 0%num (hist len C) k) = (\sum_i \sum_j (df i j == k)%:R)%R.
Proof.
rewrite -(@wsum_ind R (fun d => (d == k)%:R)%R) //.
rewrite hist_wsum // (big_nth xH) big_mkord; apply: eq_bigr => i _.
by rewrite (big_nth xH) big_mkord.
Qed.

Lemma off_nz i j : i != j -> df i j != 0.
Proof.
move=> ij; have := H_count 0; rewrite ok_0 /nR Nat2N.id => e0.
have : (\sum_i \sum_(j | j != i) (df i j == 0%N)%:R = 0 :> R)%R.
  apply: (@addrI _ K%:R%R); rewrite addr0 [in RHS]e0.
  have -> : (K%:R = \sum_(i < K) 1 :> R)%R by rewrite sumr_const card_ord.
  rewrite -big_split; apply: eq_bigr => k _; rewrite [RHS](bigD1 k) //=.
  by rewrite /df dfcxx eqxx.
move/psumr_eq0P => z; apply/negP => /eqP dij.
have /psumr_eq0P z2 : (\sum_(j | j != i) (df i j == 0%N)%:R = 0 :> R)%R.
  by apply: z => // k _; apply: sumr_ge0 => l _; rewrite ler0n.
have := z2 (fun l _ => ler0n _ _) j; rewrite eq_sym ij dij eqxx => /(_ isT) /eqP.
by rewrite oner_eq0.
Qed.

Lemma hist_nz i j : nth 0%num (hist len C) (df i j) <> 0%num.
Proof.
move=> e0; have := H_count (df i j); rewrite e0 /nR /= mulr0n => /esym/psumr_eq0P z.
have /psumr_eq0P z2 : (\sum_k (df i k == df i j)%:R = 0 :> R)%R.
  by apply: z => // k _; apply: sumr_ge0 => l _; rewrite ler0n.
by have := z2 (fun l _ => ler0n _ _) j isT; rewrite eqxx => /eqP; rewrite oner_eq0.
Qed.

(* what a successful scan of the whole table gives                            *)
Lemma scan_gaps cost E i j :
  scan n2 a b cost 1 (behead (hist len C)) (behead G) = Some E ->
  i != j -> gap_ok n2 a b (df i j) (nth [::] G (df i j)).
Proof.
move=> sc ij; have [k|_ gok] := scanP (f := fun k => nR R (cost (nth [::] G k.+1))) sc.
  by rewrite nth_behead.
have := off_nz ij; have := @hist_nz i j; case E0 : (df i j) => [|k] // nz _.
by have := gok k; rewrite !nth_behead add1n; apply.
Qed.

Lemma scan_sum cost E :
  scan n2 a b cost 1 (behead (hist len C)) (behead G) = Some E ->
  nR R E = (\sum_i \sum_(j | j != i) nR R (cost (nth [::] G (df i j))))%R.
Proof.
move=> sc; have [k|EE _] := scanP (f := fun k => nR R (cost (nth [::] G k.+1))) sc.
  by rewrite nth_behead.
pose f k : R := (if k is k'.+1 then nR R (cost (nth [::] G k)) else 0)%R.
have : wsum f (hist len C) = nR R E.
  rewrite EE; case: (hist len C) => [|c0 H] //=; by rewrite mulr0 add0r.
rewrite hist_wsum // => <-.
rewrite (big_nth xH) big_mkord; apply: eq_bigr => i _; rewrite (big_nth xH) big_mkord.
rewrite (bigD1 i) //= dfcxx /= add0r; apply: eq_bigr => j; rewrite eq_sym => /off_nz.
by rewrite /df /f; case: (dfc _ _).
Qed.

Section Scaled.
Variable S : N.
Hypothesis S0 : (0 < nR R S)%R.
Hypothesis gok : forall i j, i != j -> gap_ok n2 a b (df i j) (nth [::] G (df i j)).
Let hv i j := hval n2 a b S (nth [::] G (df i j)).
Let h i j : R := (nR R (hv i j) / nR R S)%R.

Lemma h_le1 i j : i != j -> (h i j <= 1)%R.
Proof. by move=> /gok g; have [] := hvalP ok_a ok_b g S0. Qed.

Lemma M_lt i j : i != j -> (`|M i j| < h i j * M i i)%R.
Proof.
move=> ij; have gk := gok ij; have [h1 _] := hvalP ok_a ok_b gk S0.
have [g [gs [gE og sg c1]]] := gap_okP R ok_a ok_b gk.
rewrite gE in og sg c1; have := HM ij og sg c1; move: h1.
rewrite /h /hv -/(amp _) gE -/(amp _); move: (_ / _)%R => x.
have : (0 < amp (g :: gs))%R := lt_le_trans ltr01 c1.
move: (amp _) => y y0 xy My; have x0 : (0 < x)%R.
  by rewrite -(pmulr_lgt0 _ y0) (lt_le_trans ltr01).
apply: (@le_lt_trans _ _ (x * (y * `|M i j|))%R); last by rewrite ltr_pmul2l.
by rewrite mulrA ler_pemull.
Qed.

Lemma M_diag i : (0 < M i i)%R.
Proof.
have [j ij] : exists j : 'I_K, i != j.
  have h1 : ((i == 0 :> nat) < K)%N by case: (_ == _); have := ok_K; lia.
  by exists (Ordinal h1); rewrite -val_eqE /=; case: (i : nat) => [|k].
have := le_lt_trans (normr_ge0 _) (M_lt ij).
have h0 : (0 <= h i j)%R by rewrite divr_ge0 ?ler0n.
by move=> lt; rewrite -(pmulr_rgt0 _ (_ : 0 < h i j)%R) // lt0r h0 andbT; apply: contraTneq lt => ->; rewrite mul0r ltxx.
Qed.
End Scaled.

Lemma trace_sound S E : N.ltb 0 S ->
  scan n2 a b (fun gs => let s := hval n2 a b S gs in N.mul s s) 1
    (behead (hist len C)) (behead G) = Some E ->
  trace_final (N.of_nat K) (N.pred rk) S E -> (N.to_nat rk <= \rank M)%N.
Proof.
move=> S0 sc /N.leb_le fin; have S0R : (0 < nR R S)%R by rewrite /nR ltr0n; move: S0 => /N.ltb_lt; lia.
have gk i j : i != j -> gap_ok n2 a b (df i j) (nth [::] G (df i j)) := scan_gaps sc.
have := trace_profile ok_K (M_lt S0R gk) (M_diag S0R gk) (r0 := N.to_nat (N.pred rk)).
move=> H; apply: (@leq_trans (N.to_nat (N.pred rk)).+1); first by lia.
apply: H; have -> : (\sum_i \sum_(j | j != i) (nR R (hval n2 a b S (nth [::] G (df i j))) / nR R S) ^+ 2 =
     nR R E / nR R S ^+ 2)%R.
  rewrite (scan_sum sc) mulr_suml; apply: eq_bigr => i _; rewrite mulr_suml; apply: eq_bigr => j _.
  by rewrite expr_div_n nRM expr2.
rewrite -(ler_pmul2r (exprn_gt0 2 S0R)) -mulrA mulrDl mulfVK ?gt_eqF ?exprn_gt0 //.
by rewrite /nR -!natrX -!natrM -natrD -natrM ler_nat; move: fin; rewrite !expnS !expn0 !muln1; lia.
Qed.

Lemma dominance_sound S : N.ltb 0 S -> N.leb rk (N.of_nat K) ->
  (if scan n2 a b (fun _ => 0%num) 1 (behead (hist len C)) (behead G) is Some _ then true else false) ->
  N.leb rk 1 || all (fun x => if scan n2 a b (hval n2 a b S) 1
        (behead (foldl (fun t y => bump x y t) (nseq len.+1 0%num) C)) (behead G) is Some E
        then N.leb E S else false) C -> (N.to_nat rk <= \rank M)%N.
Proof.
move=> S0 /N.leb_le rK; case sc : (scan _ _ _ _ _ _ _) => [E0|] // _ fin.
have S0R : (0 < nR R S)%R by rewrite /nR ltr0n; move: S0 => /N.ltb_lt; lia.
have gk i j : i != j -> gap_ok n2 a b (df i j) (nth [::] G (df i j)) := scan_gaps sc.
case/orP: fin => [/N.leb_le r1|rows].
  apply: (@leq_trans 1); first by lia.
  rewrite lt0n mxrank_eq0; apply/eqP => Mz; have := M_diag S0R gk (Ordinal (ltnW ok_K)).
  by rewrite Mz mxE ltxx.
rewrite (dominance_profile (M_lt S0R gk) (M_diag S0R gk)) => [|i]; first by rewrite -/K; lia.
have fx : (Pos.size_nat (wd i) <= len)%N by apply: (all_nthP xH fit).
have := all_nthP xH rows i (ltn_ord i); rewrite -/(wd i).
case rs : (scan _ _ _ _ _ _ _) => [E|] // /N.leb_le ES.
have [k|EE _] := scanP (f := fun k => nR R (hval n2 a b S (nth [::] G k.+1))) rs.
  by rewrite nth_behead.
rewrite -mulr_suml ler_pdivr_mulr // mul1r; apply: (@le_trans _ _ (nR R E)); last first.
  by rewrite /nR ler_nat; lia.
pose f k : R := (if k is k'.+1 then nR R (hval n2 a b S (nth [::] G k)) else 0)%R.
have := @row_wsum (wd i) (nseq len.+1 0%num) f fx (size_nseq _ _).
rewrite wsum0 add0r (big_nth xH) big_mkord (bigD1 i) //= -/(df i i) /df dfcxx add0r => rw.
have -> : nR R E = wsum f (foldl (fun t y => bump (wd i) y t) (nseq len.+1 0%num) C).
  by rewrite EE; case: (foldl _ _ _) => [|c0 H] //=; rewrite mulr0 add0r.
rewrite rw le_eqVlt; apply/orP; left; apply/eqP; apply: eq_bigr => j; rewrite eq_sym => /off_nz.
by rewrite /df /f; case: (dfc _ _).
Qed.

Lemma projection_sound S p E : (forall i j, 0 <= M i j)%R -> N.ltb 0 S ->
  scan n2 a b (fun gs => let s := hval n2 a b S gs in N.mul s (N.sub s p)) 1
    (behead (hist len C)) (behead G) = Some E ->
  N.leb rk 1 || projection_final (N.of_nat K) (N.pred (N.pred rk)) S p E ->
  (N.to_nat rk <= \rank M)%N.
Proof.
move=> M0 S0 sc fin; have S0R : (0 < nR R S)%R by rewrite /nR ltr0n; move: S0 => /N.ltb_lt; lia.
have gk i j : i != j -> gap_ok n2 a b (df i j) (nth [::] G (df i j)) := scan_gaps sc.
case/orP: fin => [/N.leb_le r1|].
  apply: (@leq_trans 1); first by lia.
  rewrite lt0n mxrank_eq0; apply/eqP => Mz; have := M_diag S0R gk (Ordinal (ltnW ok_K)).
  by rewrite Mz mxE ltxx.
rewrite /projection_final; set r0 := N.pred (N.pred rk).
move=> /andP[/N.ltb_lt r0K /N.ltb_lt fin].
suff : (1 + (N.to_nat r0)%:R < (\rank M)%:R :> R)%R.
  by rewrite -[1%R]/(1%:R)%R -natrD ltr_nat /r0; lia.
pose hv i j := hval n2 a b S (nth [::] G (df i j)).
apply: (@projection_profile R K M (fun i j => nR R (hv i j) / nR R S)%R (nR R p / nR R S)%R).
- exact: M_diag S0R gk.
- by move=> i j _.
- by move=> i j ij; have := M_lt S0R gk ij; rewrite ger0_norm // => /ltW.
- by move=> i j ij; have := h_le1 S0R gk ij.
- by rewrite ler0n.
have -> : (\sum_i \sum_(j | j != i) nR R (hv i j) / nR R S *
     Num.max 0 (nR R (hv i j) / nR R S - nR R p / nR R S) = nR R E / nR R S ^+ 2)%R.
  rewrite (scan_sum sc).
  rewrite mulr_suml; apply: eq_bigr => i _; rewrite mulr_suml; apply: eq_bigr => j _.
  rewrite -/(hv i j); move: (hv i j) => s.
  have -> : (Num.max 0 (nR R s / nR R S - nR R p / nR R S) = nR R (N.sub s p) / nR R S)%R.
    rewrite -mulrBl /nR N2Nat.inj_sub; case: (leqP (N.to_nat s) (N.to_nat p)) => sp.
      have -> : (N.to_nat s - N.to_nat p)%coq_nat = 0 by lia.
      rewrite mul0r; apply/max_idPl; rewrite pmulr_lle0 ?invr_gt0 //.
      by rewrite subr_le0 ler_nat.
    rewrite natrB; last exact: ltnW.
    by apply/max_idPr; rewrite divr_ge0 ?ler0n // subr_ge0 ler_nat ltnW.
  by rewrite nRM expr2 invfM mulrACA.
have Kp : (N.to_nat r0 < K)%N by lia.
have K1 := ok_K.
have S0' : (nR R S != 0)%R by rewrite gt_eqF.
rewrite -(ltr_pmul2r (exprn_gt0 2 S0R)) -exprMn.
set BB := (X in ((X * nR R S) ^+ 2)%R).
have -> : (BB * nR R S = (2 * (K.-1 - N.to_nat r0) * N.to_nat S + N.to_nat r0 * N.to_nat p * K)%N%:R)%R.
  rewrite /BB natrD !natrM natrB; last by lia.
  have -> : (K.-1%:R = K%:R - 1 :> R)%R by rewrite -subn1 natrB //; lia.
  by rewrite /nR in S0' *; field.
set E2 := (X in ((_ < X)%R)).
have -> : E2 = ((4 * (N.to_nat r0).+1 * (K.-1 * (K.-1 - N.to_nat r0)) * (N.to_nat S * N.to_nat S))%N%:R
  - (4 * (N.to_nat r0).+1 * N.to_nat r0 * N.to_nat E)%N%:R)%R.
  rewrite /E2 !natrM natrB; last by lia.
  have -> : (K.-1%:R = K%:R - 1 :> R)%R by rewrite -subn1 natrB //; lia.
  have -> : ((N.to_nat r0).+1%:R = 1 + (N.to_nat r0)%:R :> R)%R by rewrite mulrS.
  by rewrite /nR in S0' *; field.
rewrite ltr_subr_addr -natrX -natrD ltr_nat; move: fin; lia.
Qed.

Theorem rank_test_sound : (N.to_nat rk <= \rank M)%N.
Proof.
case/and5P: ok => _ _ _ _ /andP[_]; case: mt Mproj => [_|p q M0|_].
- case/andP=> S0; case sc : (scan _ _ _ _ _ _ _) => [E|] //; exact: trace_sound S0 sc.
- case/andP=> S0; case sc : (scan _ _ _ _ _ _ _) => [E|] //; exact: projection_sound M0 S0 sc.
- by case/and4P=> S0 rK sc rows; apply: dominance_sound S0 rK sc rows.
Qed.
End Core.

Section Sound.
Variables (m len : nat) (C : seq positive).
Hypotheses (fit : all (fun x => Pos.size_nat x <= len) C) (lm : len <= m).
Let X (i : 'I_(size C)) : tok m := tok_of m (Npos (nth xH C i)).
Lemma word_gap (i j : 'I_(size C)) : ip (X i) (cmpl (X j)) = dfc (nth xH C i) (nth xH C j).
Proof. by apply: ip_dfc; apply: leq_trans lm; apply: (all_nthP xH fit). Qed.
Lemma word_gap0 (i : 'I_(size C)) : ip (X i) (cmpl (X i)) = 0.
Proof. by rewrite word_gap dfcxx. Qed.
End Sound.

Lemma fitP len (wgt : option nat) W : all (word_ok len wgt) W ->
  all (fun x => Pos.size_nat x <= len) (map posw W).
Proof. by move=> ok; rewrite all_map; apply: sub_all ok => -[|w] //= /andP[]; rewrite nleE. Qed.

(* The checker proves what the certificate claims.                           *)
Theorem check_code_sound c (R : realFieldType) k r d (h : head R (c_m c) k r d) : check_code c ->
  c_signed c = false -> N.of_nat k.+1 = c_n c -> valid h ->
  accurate h (err R (c_a c) (c_b c)) -> (N.to_nat (c_r c) <= r)%N.
Proof.
case: c h => m n a b sg rk mt len wgt W G; rewrite /check_code.
rewrite [c_m _]/= [c_n _]/= [c_len _]/= [c_wgt _]/= [c_words _]/= [c_a _]/= [c_b _]/= [c_method _]/=.
rewrite [c_r _]/= [c_gaps _]/= [c_signed _]/= => h /and4P[/N.leb_le n3 lm wok ok] sE kn vh ah.
rewrite sE in ok; have fit := fitP wok; set C := map posw W in ok fit; rewrite nleE in lm.
have kE : k = (N.to_nat (N.sub n 2)).+1 by lia.
move: h vh ah; rewrite {}kE => h vh ah.
pose X (i : 'I_(size C)) : tok m := tok_of m (Npos (nth xH C i)).
pose Q : 'M[R]_(size C, r) := (\matrix_(i, l) phiQ h (X i) 0 l)%R.
pose B : 'M[R]_(r, size C) := (\matrix_(l, j) \sum_p phiK h p (cmpl (X j)) 0 l)%R.
have ME i j : ((Q *m B) i j = \sum_p kern h p (X i) (cmpl (X j)))%R.
  rewrite mxE; under eq_bigr do rewrite !mxE mulr_sumr.
  by rewrite exchange_big; apply: eq_bigr => p _; rewrite /kern /dot.
have M0 i j : (0 <= (Q *m B) i j)%R.
  by rewrite ME; case: vh => k0 _ _; apply: sumr_ge0.
have rk' : (\rank (Q *m B)%R <= r)%N := leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
apply: (leq_trans _ rk').
apply: (rank_test_sound fit ok) => [i j g gs ij og sm c1|]; last by case: (mt).
rewrite ger0_norm // !ME; apply: (mass_gap vh ah _ og c1).
  by apply: err_gt0; case/and5P: ok.
by rewrite (word_gap0 fit lm) (word_gap fit lm) add0n.
Qed.

Theorem check_sound c (R : realFieldType) k r d (h : head R (c_m c) k r d) : check c ->
  c_signed c = false -> N.of_nat k.+1 = c_n c -> valid h ->
  accurate h (err R (c_a c) (c_b c)) -> (0 < r)%N -> (N.to_nat (c_r c) <= r)%N.
Proof.
move=> ok sE kn vh ah r0; move: ok; rewrite /check sE /= => /orP[one|ok]; last exact: check_code_sound ah.
apply: leq_trans r0; move: one; rewrite /single; case: (c_words c) => [|w [|]] //.
by case/and5P=> _ _ _ _ /andP[/N.leb_le]; lia.
Qed.

(* Kernels of any sign, keys and values independent of the position.         *)
Theorem check_sound_signed c (R : realFieldType) k r d (h : head R (c_m c) k.+1 r d) : check c ->
  c_signed c = true -> N.of_nat k.+2 = c_n c ->
  (forall p q z, phiK h p z = phiK h q z /\ valc h p z = valc h q z) ->
  (forall x w, den h x w != 0)%R ->
  accurate h (err R (c_a c) (c_b c)) -> (N.to_nat (c_r c) <= r)%N.
Proof.
move=> ok sE; move: ok; rewrite /check sE /=; move: sE.
case: c h => m n a b sg rk mt len wgt W G; rewrite /check_code.
rewrite [c_m _]/= [c_n _]/= [c_len _]/= [c_wgt _]/= [c_words _]/= [c_a _]/= [c_b _]/= [c_method _]/=.
rewrite [c_r _]/= [c_gaps _]/= [c_signed _]/= => h sE /and4P[/N.leb_le n3 lm wok ok] kn st dn ah.
rewrite sE in ok; have fit := fitP wok; set C := map posw W in ok fit; rewrite nleE in lm.
have kE : k = N.to_nat (N.sub n 2) by lia.
move: h st dn ah; rewrite {}kE => h st dn ah.
case/andP: ok => np ok; have e0 : (0 < err R a b)%R by apply: err_gt0; case/and5P: ok.
pose X (i : 'I_(size C)) : tok m := tok_of m (Npos (nth xH C i)).
have : (N.to_nat (N.succ rk) <= \rank (sM h X (fun j => cmpl (X j))))%N.
  apply: (rank_test_sound fit ok) => [i j g gs ij og sm c1|]; last by case: (mt) np.
  apply: (sM_lt st dn ah e0 og).
  by rewrite (word_gap0 fit lm) (word_gap fit lm) add0n.
by move=> /leq_trans/(_ (sM_rank h X _)); lia.
Qed.
