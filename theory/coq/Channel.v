(* The transcript bound: any deterministic model whose answers at the q query *)
(* tokens depend on the last token only through one of #|Tr| transcripts.     *)
From Coq Require Import Lia.
From mathcomp Require Import all_ssreflect all_algebra zify.
From Verifier Require Import Head.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import GRing.Theory Num.Theory Order.TTheory.

Section Transcript.
Variables (s q : nat).
Let m := q.+1 * s.
Definition key := {ffun 'I_q -> 'I_s.+1}.
Definition xt (i : 'I_q) : tok m := [ffun p : 'I_m => (p %/ s == 0) || (p %/ s == i.+1)].
Definition zt (c : key) : tok m :=
  [ffun p : 'I_m => [exists i : 'I_q, (p %/ s == i.+1) && (p %% s < c i)]].
(* the sequence: q query tokens, then the key token *)
Definition sq (c : key) (j : 'I_q.+1) : tok m :=
  if insub (j : nat) is Some i then xt i else zt c.

Lemma block b a : b < q.+1 -> a <= s ->
  #|[pred p : 'I_m | (p %/ s == b) && (p %% s < a)]| = a.
Proof.
move=> bq as_; have lt (l : 'I_a) : b * s + l < m.
  have ls : l < s := leq_trans (ltn_ord l) as_.
  by apply: (@leq_trans (b.+1 * s)); rewrite ?leq_mul2r ?bq ?orbT // mulSn addnC ltn_add2r.
pose f l := Ordinal (lt l).
have fi : injective f by move=> l l' /(congr1 val) /= /addnI /val_inj.
rewrite -[RHS]card_ord -(card_imset _ fi); apply: eq_card => p; rewrite inE.
apply/andP/imsetP => [[/eqP pb pa]|[l _ ->]].
  by exists (Ordinal pa) => //; apply/val_inj; rewrite /= -pb -divn_eq.
have ls : l < s := leq_trans (ltn_ord l) as_.
by rewrite /= divnMDl ?(leq_ltn_trans _ ls) // divn_small // addn0 eqxx modnMDl modn_small.
Qed.

Lemma ip_xz i c : ip (xt i) (zt c) = c i.
Proof.
rewrite -[RHS](@block i.+1 (c i)); last 2 first.
- by rewrite ltnS.
- by rewrite -ltnS.
apply: eq_card => p; rewrite !inE !ffunE; apply/andP/andP.
  case=> px /existsP[j /andP[/eqP pj pc]]; move: px; rewrite pj /= eqSS => /eqP/val_inj ij.
  by rewrite -ij.
by case=> pi pc; rewrite pi orbT; split=> //; apply/existsP; exists i; rewrite pi.
Qed.

Lemma ip_xx_ge i j : s <= ip (xt i) (xt j).
Proof.
rewrite -[X in X <= _](@block 0 s) //; apply/subset_leq_card/subsetP => p.
by rewrite !inE !ffunE => /andP[-> _].
Qed.

Lemma target_key i c : target (xt i) (sq c) = c i.
Proof.
have cs : c i <= s by rewrite -ltnS.
apply: target_min => [p|]; first by rewrite /sq; case: insubP => [j _ _|_]; rewrite ?ip_xz // (leq_trans cs) ?ip_xx_ge.
by exists ord_max; rewrite /sq insubF ?ip_xz //= ltnn.
Qed.

Variables (R : realFieldType) (Tr : finType).
Variable tau : ('I_q.+1 -> tok m) -> Tr.                   (* what crosses tokens *)
Variable out : 'I_q -> ('I_q -> tok m) -> Tr -> R.         (* answers at the queries *)
Hypothesis ok : forall c i, (`|out i xt (tau (sq c)) - (target (xt i) (sq c))%:R| < 2%:R^-1)%R.

Theorem transcript_bound : s.+1 ^ q <= #|Tr|.
Proof.
have -> : s.+1 ^ q = #|{: key}| by rewrite card_ffun !card_ord.
suff inj : injective (fun c : key => tau (sq c)) by apply: leq_card inj.
move=> c c' e; apply/ffunP => i; apply/val_inj; have := ok c i; have := ok c' i.
rewrite e !target_key => h1; rewrite distrC => h2; have {h1 h2} := ltr_add h2 h1.
have -> : (2%:R^-1 + 2%:R^-1 = 1 :> R)%R by rewrite -mulr2n -[(2%:R^-1 *+ 2)%R]mulr_natl mulfV ?pnatr_eq0.
move=> h.
have := le_lt_trans (ler_norm_add _ _) h; rewrite addrA subrK.
case: (ltngtP (c i) (c' i)) => // lt.
- rewrite distrC -natrB; last exact: ltnW.
  by rewrite normr_nat ltrn1 ltnS leqn0 subn_eq0 leqNgt lt.
rewrite -natrB; last exact: ltnW.
by rewrite normr_nat ltrn1 ltnS leqn0 subn_eq0 leqNgt lt.
Qed.
End Transcript.

(* L layers, H heads, messages of r (d+1) numbers of b bits each             *)
Corollary transcript_bits (s q L H r d b : nat) (R : realFieldType)
   (Tr := {ffun 'I_(L * H * (r * d.+1)) -> {ffun 'I_b -> bool}})
   (tau : ('I_q.+1 -> tok (q.+1 * s)) -> Tr) (out : 'I_q -> ('I_q -> tok (q.+1 * s)) -> Tr -> R) :
  (forall c i, `|out i (@xt s q) (tau (sq c)) - (target (@xt s q i) (sq c))%:R| < 2%:R^-1)%R ->
  s.+1 ^ q <= 2 ^ (L * H * (r * d.+1) * b).
Proof.
move=> ok; have := @transcript_bound s q R [finType of Tr] tau out ok; rewrite !card_ffun !card_ord card_bool -expnM.
by rewrite [(b * _)]mulnC.
Qed.
