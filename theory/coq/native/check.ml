(* Reads certificates as plain text (written by python -m verifier.formal),
   runs the extracted, proved function Kernel.check on each, and prints one
   line per file.  Not proved: this file, extraction, the OCaml compiler.

   Words of the text format, separated by blanks, in this order:
     verifier-check 1
     m M  n N  error A B  kernel nonnegative|signed  rank R
     method trace | method projection P Q | method dominance
     length LEN  weight WGT|any
     gaps COUNT, then COUNT times: d k g1 .. gk      (strictly increasing d)
     words K, then K hexadecimal words
   Numbers are decimal (at most 15 digits) or 0x hexadecimal of any size. *)
open Kernel

exception Malformed of string
let fail s = raise (Malformed s)

let rec nat_of i = if i = 0 then O else S (nat_of (i - 1))

let digit c = match c with
  | '0' .. '9' -> Char.code c - 48
  | 'a' .. 'f' -> Char.code c - 87
  | _ -> fail "bad hexadecimal digit"

(* most significant bit first *)
let n_of_hex s =
  if s = "" then fail "empty number";
  let bits = ref N0 in
  let push b = bits := (match !bits, b with
    | N0, false -> N0 | N0, true -> Npos XH
    | Npos p, false -> Npos (XO p) | Npos p, true -> Npos (XI p)) in
  String.iter (fun c -> let v = digit c in
    List.iter (fun k -> push ((v lsr k) land 1 = 1)) [3; 2; 1; 0]) s;
  !bits

let small hi s =
  if s = "" || String.length s > 15 || not (String.for_all (fun c -> c >= '0' && c <= '9') s)
  then fail ("bad number " ^ s);
  let v = int_of_string s in
  if v > hi then fail ("number too large: " ^ s) else v

let number s =
  let k = String.length s in
  if k > 2 && s.[0] = '0' && s.[1] = 'x' then n_of_hex (String.sub s 2 (k - 2))
  else n_of_hex (Printf.sprintf "%x" (small max_int s))

type claim = { m : int; n : string; a : string; b : string; r : string; signed : bool }

let parse file =
  let ic = open_in_bin file in
  let text = Fun.protect ~finally:(fun () -> close_in ic) (fun () ->
    let len = in_channel_length ic in
    if len > 100_000_000 then fail "file too large";
    really_input_string ic len) in
  let tokens = ref (List.filter (fun t -> t <> "")
    (String.split_on_char ' ' (String.map (fun c -> if c = '\n' then ' ' else c) text))) in
  let next () = match !tokens with [] -> fail "unexpected end" | t :: r -> tokens := r; t in
  let expect w = let t = next () in if t <> w then fail (w ^ " expected, not " ^ t) in
  let field w = expect w; next () in
  let rec rep k f = if k = 0 then [] else let x = f () in x :: rep (k - 1) f in
  if field "verifier-check" <> "1" then fail "unknown version";
  let m = small 65536 (field "m") in
  let n = field "n" in
  let a = field "error" in let b = next () in
  let signed = match field "kernel" with
    | "nonnegative" -> false | "signed" -> true | k -> fail ("unknown kernel " ^ k) in
  let r = field "rank" in
  let meth = match field "method" with
    | "trace" -> Trace | "dominance" -> Dominance
    | "projection" -> let p = next () in let q = next () in Projection (number p, number q)
    | k -> fail ("unknown method " ^ k) in
  let len = small 65536 (field "length") in
  let wgt = match field "weight" with
    | "any" -> None | w -> Some (nat_of (small 65536 w)) in
  let count = small 65536 (field "gaps") in
  (* the list whose entry d holds the gaps for |x \ y| = d *)
  let rec gaps count d =
    if count = 0 then [] else begin
      let d' = small 65536 (next ()) in
      if d' < d then fail "gaps not in increasing order";
      let k = small 65536 (next ()) in
      let g = rep k (fun () -> nat_of (small 65536 (next ()))) in
      let rest = gaps (count - 1) (d' + 1) in
      rep (d' - d) (fun () -> []) @ g :: rest
    end in
  let gaps = gaps count 0 in
  let k = small 10_000_000 (field "words") in
  let words = rep k (fun () -> n_of_hex (next ())) in
  if !tokens <> [] then fail "trailing data";
  ({ m; n; a; b; r; signed },
   { c_m = nat_of m; c_n = number n; c_a = number a; c_b = number b; c_r = number r;
     c_signed = signed; c_method = meth; c_len = nat_of len; c_wgt = wgt;
     c_words = words; c_gaps = gaps })

let describe c =
  Printf.sprintf "r*(%d,%s) >= %s%s%s" c.m c.n c.r
    (if c.a = "1" && c.b = "2" then "" else
     if c.b = "1" then Printf.sprintf " at error < %s" c.a
     else Printf.sprintf " at error < %s/%s" c.a c.b)
    (if c.signed then " for signed kernels" else "")

let () =
  let status = ref 0 in
  let bad code = status := max !status code in
  if Array.length Sys.argv < 2 then begin
    prerr_endline "usage: check FILE...  (files written by python -m verifier.formal)"; exit 2
  end;
  for i = 1 to Array.length Sys.argv - 1 do
    let file = Sys.argv.(i) in
    match parse file with
    | claim, c ->
      if check c then Printf.printf "s VERIFIED %s  %s\n%!" file (describe claim)
      else (bad 1; Printf.printf "s REJECTED %s  the evidence does not prove %s\n%!" file (describe claim))
    | exception (Malformed e | Sys_error e) ->
      bad 2; Printf.printf "s REJECTED %s  malformed: %s\n%!" file e
  done;
  exit !status
