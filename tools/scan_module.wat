;; Finds keywords in bytes sixteen at a time. Every keyword has a window of three bytes somewhere in it; shuffles by
;; nibbles find the places where a window may stand (the "Teddy" algorithm of Hyperscan), a bitmap of hashed windows
;; throws most of the others out, and the automaton runs only around what is left. The layout of the memory is
;; src/output/vector_scan.ts's.
(module
  (import "scan" "memory" (memory 1))

  ;; The bytes at which a scan of raw bytes stops differ in their low nibbles: what stands at 64 is for each low nibble
  ;; the one that has it, or a byte that has another.
  (func $isSpecial (param $at i32) (result v128)
    (local $bytes v128)
    (local.set $bytes (v128.load (local.get $at)))
    (i8x16.eq (local.get $bytes) (i8x16.relaxed_swizzle
      (v128.load (i32.const 64))
      (v128.and (local.get $bytes) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))))

  ;; Address of the first byte in [at, end) at which a scan of raw bytes stops, or end.
  (func $firstSpecial (param $at i32) (param $end i32) (result i32)
    (local $mask i32)
    (block $found (loop $next
      (br_if $found (i32.ge_u (local.get $at) (local.get $end)))
      (br_if $found (v128.any_true (v128.or
        (v128.or (call $isSpecial (local.get $at)) (call $isSpecial (i32.add (local.get $at) (i32.const 16))))
        (v128.or
          (call $isSpecial (i32.add (local.get $at) (i32.const 32)))
          (call $isSpecial (i32.add (local.get $at) (i32.const 48)))))))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br $next)))
    (block $none (loop $next
      (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $mask (i8x16.bitmask (call $isSpecial (local.get $at))))
      (if (local.get $mask) (then
        (local.set $at (i32.add (local.get $at) (i32.ctz (local.get $mask))))
        (return (select (local.get $at) (local.get $end) (i32.lt_u (local.get $at) (local.get $end))))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $next)))
    (local.get $end))

  ;; Newlines in [at, end).
  (func (export "count") (param $at i32) (param $end i32) (result i32)
    (local $sums v128) (local $stop i32) (local $total i32)
    (block $counted (loop $blocks
      (br_if $counted (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
      ;; Each of the sixteen sums is a byte.
      (local.set $stop (i32.add (local.get $at) (i32.const 4080)))
      (if (i32.gt_u (local.get $stop) (local.get $end)) (then (local.set $stop (local.get $end))))
      (local.set $stop (i32.sub (local.get $stop) (i32.const 16)))
      (local.set $sums (v128.const i32x4 0 0 0 0))
      (loop $vectors
        (local.set $sums (i8x16.sub (local.get $sums) (i8x16.eq
          (v128.load (local.get $at))
          (v128.const i32x4 0x0a0a0a0a 0x0a0a0a0a 0x0a0a0a0a 0x0a0a0a0a))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br_if $vectors (i32.le_u (local.get $at) (local.get $stop))))
      (local.set $sums (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $sums))))
      (local.set $total (i32.add (local.get $total) (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
        (i32.add (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums))))))
      (br $blocks)))
    (block $ended (loop $bytes
      (br_if $ended (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $total (i32.add (local.get $total) (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x0a))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $bytes)))
    (local.get $total))

  ;; Looks at every $step-th address in [at, end) for a block of four bytes, or eight, in a Bloom filter
  ;; (src/output/block_filter.ts); leaves where one may stand, counted from $at on, at $places, and returns where that ends.
  ;; Written without a branch, because none could be foreseen.
  (func (export "sample4")
    (param $at i32) (param $end i32) (param $step i32) (param $filter i32) (param $shift i32) (param $places i32)
    (result i32)
    (local $hash i32) (local $word i32) (local $text i32)
    (local.set $text (local.get $at))
    (block $sampled (loop $next
      (br_if $sampled (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $hash (i32.mul (i32.load (local.get $at)) (i32.const 0x9e3779b1)))
      (local.set $word (i32.load (i32.add (local.get $filter)
        (i32.shl (i32.shr_u (local.get $hash) (local.get $shift)) (i32.const 2)))))
      (i32.store (local.get $places) (i32.sub (local.get $at) (local.get $text)))
      (local.set $places (i32.add (local.get $places) (i32.shl
        (i32.and (i32.const 1) (i32.and
          (i32.shr_u (local.get $word) (i32.shr_u (local.get $hash) (i32.const 5)))
          (i32.shr_u (local.get $word) (i32.shr_u (local.get $hash) (i32.const 10)))))
        (i32.const 2))))
      (local.set $at (i32.add (local.get $at) (local.get $step)))
      (br $next)))
    (local.get $places))

  (func (export "sample8")
    (param $at i32) (param $end i32) (param $step i32) (param $filter i32) (param $shift i32) (param $places i32)
    (result i32)
    (local $hash i32) (local $word i32) (local $text i32)
    (local.set $text (local.get $at))
    (block $sampled (loop $next
      (br_if $sampled (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $hash (i32.add
        (i32.mul (i32.load (local.get $at)) (i32.const 0x9e3779b1))
        (i32.mul (i32.load offset=4 (local.get $at)) (i32.const 0x85ebca6b))))
      (local.set $word (i32.load (i32.add (local.get $filter)
        (i32.shl (i32.shr_u (local.get $hash) (local.get $shift)) (i32.const 2)))))
      (i32.store (local.get $places) (i32.sub (local.get $at) (local.get $text)))
      (local.set $places (i32.add (local.get $places) (i32.shl
        (i32.and (i32.const 1) (i32.and
          (i32.shr_u (local.get $word) (i32.shr_u (local.get $hash) (i32.const 5)))
          (i32.shr_u (local.get $word) (i32.shr_u (local.get $hash) (i32.const 10)))))
        (i32.const 2))))
      (local.set $at (i32.add (local.get $at) (local.get $step)))
      (br $next)))
    (local.get $places))

  ;; The entry of the table behind a state and the byte at an address.
  (func $step (param $next i32) (param $shift i32) (param $state i32) (param $at i32) (result i32)
    (i32.load16_u (i32.add (local.get $next) (i32.shl
      (i32.or
        (i32.shl (local.get $state) (local.get $shift))
        (i32.load8_u offset=512 (i32.load8_u (local.get $at))))
      (i32.const 1)))))

  ;; Scans the first bytes of the text from a state; returns how many were scanned, fewer only where `raw` finds a
  ;; special one. Leaves the numbers of hits and windows and the last state in the header.
  (func (export "scan") (param $length i32) (param $state i32) (param $raw i32) (result i32)
    (local $places i32) (local $found i32) (local $more i32) (local $last i32) (local $count i32)
    (local $next i32) (local $depths i32) (local $shift i32) (local $longest i32) (local $reach i32)
    (local $text i32) (local $hit i32) (local $end i32) (local $i i32) (local $warm i32)
    (local $p i32) (local $c i32) (local $s i32) (local $mask i32) (local $hash i32) (local $entry i32)
    (local $bytes v128) (local $low v128) (local $high v128) (local $nibbles v128) (local $case v128)
    ;; Which buckets the bytes of an even vector, and of an odd one, let pass at the first and second place of a window;
    ;; the buckets have two halves.
    (local $even1 v128) (local $even2 v128) (local $even1b v128) (local $even2b v128)
    (local $odd1 v128) (local $odd2 v128) (local $odd1b v128) (local $odd2b v128)
    (local $stop i32) (local $base i32)
    (local.set $next (i32.load (i32.const 0)))
    (local.set $depths (i32.load (i32.const 4)))
    (local.set $shift (i32.load (i32.const 8)))
    (local.set $longest (i32.load (i32.const 12)))
    (local.set $reach (i32.load (i32.const 16)))
    (local.set $text (i32.load (i32.const 20)))
    (local.set $hit (i32.load (i32.const 24)))
    (local.set $places (i32.load (i32.const 36)))
    (local.set $found (local.get $places))
    (local.set $nibbles (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f))
    (local.set $case (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020))
    (local.set $end (i32.add (local.get $text) (local.get $length)))
    (if (local.get $raw) (then
      (local.set $end (call $firstSpecial (local.get $text) (local.get $end)))))
    (local.set $warm (i32.add (local.get $text) (local.get $longest)))
    (if (i32.gt_u (local.get $warm) (local.get $end)) (then (local.set $warm (local.get $end))))
    (local.set $i (local.get $text))

    ;; What began before the text goes on in its first bytes.
    (block $warmed (loop $more
      (br_if $warmed (i32.ge_u (local.get $i) (local.get $warm)))
      (local.set $entry (call $step (local.get $next) (local.get $shift) (local.get $state) (local.get $i)))
      (local.set $state (i32.and (local.get $entry) (i32.const 0x7fff)))
      (if (i32.ge_u (local.get $entry) (i32.const 0x8000)) (then
        (i32.store (local.get $hit) (i32.sub (local.get $i) (local.get $text)))
        (i32.store offset=4 (local.get $hit) (local.get $state))
        (local.set $hit (i32.add (local.get $hit) (i32.const 8)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $more)))

    ;; The places at which windows may stand, 32 bytes at a time. What a byte lets pass at its place in a window is moved
    ;; up to the window's last byte; a window of two bytes and any other may end two bytes behind the text.
    (local.set $p (local.get $text))
    (local.set $stop (i32.add (local.get $end) (i32.const 2)))
    (block $scanned (loop $vectors
      (br_if $scanned (i32.ge_u (local.get $p) (local.get $stop)))
      (local.set $base (i32.sub (local.get $p) (i32.const 2)))
      (local.set $bytes (v128.or (v128.load (local.get $p)) (local.get $case)))
      (local.set $low (v128.and (local.get $bytes) (local.get $nibbles)))
      (local.set $high (v128.and (i16x8.shr_u (local.get $bytes) (i32.const 4)) (local.get $nibbles)))
      (local.set $even1
        (v128.and
        (i8x16.relaxed_swizzle (v128.load (i32.const 96)) (local.get $low))
        (i8x16.relaxed_swizzle (v128.load (i32.const 112)) (local.get $high))))
      (local.set $even2
        (v128.and
        (i8x16.relaxed_swizzle (v128.load (i32.const 128)) (local.get $low))
        (i8x16.relaxed_swizzle (v128.load (i32.const 144)) (local.get $high))))
      (local.set $even1b
        (v128.and
        (i8x16.relaxed_swizzle (v128.load (i32.const 192)) (local.get $low))
        (i8x16.relaxed_swizzle (v128.load (i32.const 208)) (local.get $high))))
      (local.set $even2b
        (v128.and
        (i8x16.relaxed_swizzle (v128.load (i32.const 224)) (local.get $low))
        (i8x16.relaxed_swizzle (v128.load (i32.const 240)) (local.get $high))))
      (local.set $bytes (v128.or
        (v128.and
          (v128.and
          (i8x16.relaxed_swizzle (v128.load (i32.const 160)) (local.get $low))
          (i8x16.relaxed_swizzle (v128.load (i32.const 176)) (local.get $high)))
          (v128.and
          (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 (local.get $odd2) (local.get $even2))
          (i8x16.shuffle 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 (local.get $odd1) (local.get $even1))))
        (v128.and
          (v128.and
          (i8x16.relaxed_swizzle (v128.load (i32.const 256)) (local.get $low))
          (i8x16.relaxed_swizzle (v128.load (i32.const 272)) (local.get $high)))
          (v128.and
          (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 (local.get $odd2b) (local.get $even2b))
          (i8x16.shuffle 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 (local.get $odd1b) (local.get $even1b))))))
      (local.set $mask (i8x16.bitmask (i8x16.ne (local.get $bytes) (v128.const i32x4 0 0 0 0))))
      (local.set $bytes (v128.or (v128.load offset=16 (local.get $p)) (local.get $case)))
      (local.set $low (v128.and (local.get $bytes) (local.get $nibbles)))
      (local.set $high (v128.and (i16x8.shr_u (local.get $bytes) (i32.const 4)) (local.get $nibbles)))
      (local.set $odd1
        (v128.and
        (i8x16.relaxed_swizzle (v128.load (i32.const 96)) (local.get $low))
        (i8x16.relaxed_swizzle (v128.load (i32.const 112)) (local.get $high))))
      (local.set $odd2
        (v128.and
        (i8x16.relaxed_swizzle (v128.load (i32.const 128)) (local.get $low))
        (i8x16.relaxed_swizzle (v128.load (i32.const 144)) (local.get $high))))
      (local.set $odd1b
        (v128.and
        (i8x16.relaxed_swizzle (v128.load (i32.const 192)) (local.get $low))
        (i8x16.relaxed_swizzle (v128.load (i32.const 208)) (local.get $high))))
      (local.set $odd2b
        (v128.and
        (i8x16.relaxed_swizzle (v128.load (i32.const 224)) (local.get $low))
        (i8x16.relaxed_swizzle (v128.load (i32.const 240)) (local.get $high))))
      (local.set $bytes (v128.or
        (v128.and
          (v128.and
          (i8x16.relaxed_swizzle (v128.load (i32.const 160)) (local.get $low))
          (i8x16.relaxed_swizzle (v128.load (i32.const 176)) (local.get $high)))
          (v128.and
          (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 (local.get $even2) (local.get $odd2))
          (i8x16.shuffle 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 (local.get $even1) (local.get $odd1))))
        (v128.and
          (v128.and
          (i8x16.relaxed_swizzle (v128.load (i32.const 256)) (local.get $low))
          (i8x16.relaxed_swizzle (v128.load (i32.const 272)) (local.get $high)))
          (v128.and
          (i8x16.shuffle 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 (local.get $even2b) (local.get $odd2b))
          (i8x16.shuffle 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 (local.get $even1b) (local.get $odd1b))))))
      (local.set $mask (i32.or (local.get $mask) (i32.shl (i8x16.bitmask (i8x16.ne (local.get $bytes) (v128.const i32x4 0 0 0 0))) (i32.const 16))))
      ;; Written without a branch, because none could be foreseen: few of these have more than six places.
      (local.set $count (i32.popcnt (local.get $mask)))
      (i32.store (local.get $found) (i32.add (local.get $base) (i32.ctz (local.get $mask))))
      (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
      (i32.store offset=4 (local.get $found) (i32.add (local.get $base) (i32.ctz (local.get $mask))))
      (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
      (i32.store offset=8 (local.get $found) (i32.add (local.get $base) (i32.ctz (local.get $mask))))
      (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
      (i32.store offset=12 (local.get $found) (i32.add (local.get $base) (i32.ctz (local.get $mask))))
      (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
      (i32.store offset=16 (local.get $found) (i32.add (local.get $base) (i32.ctz (local.get $mask))))
      (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
      (i32.store offset=20 (local.get $found) (i32.add (local.get $base) (i32.ctz (local.get $mask))))
      (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
      (if (local.get $mask) (then
        (local.set $more (i32.add (local.get $found) (i32.const 24)))
        (loop $rest
          (i32.store (local.get $more) (i32.add (local.get $base) (i32.ctz (local.get $mask))))
          (local.set $more (i32.add (local.get $more) (i32.const 4)))
          (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
          (br_if $rest (local.get $mask)))))
      (local.set $found (i32.add (local.get $found) (i32.shl (local.get $count) (i32.const 2))))
      (local.set $p (i32.add (local.get $p) (i32.const 32)))
      (br $vectors)))

    ;; Those whose hash is a window's move to the front, again without a branch.
    (local.set $last (local.get $places))
    (local.set $more (local.get $places))
    (block $hashed (loop $hashes
      (br_if $hashed (i32.ge_u (local.get $more) (local.get $found)))
      (local.set $c (i32.load (local.get $more)))
      (local.set $more (i32.add (local.get $more) (i32.const 4)))
      (local.set $hash (i32.shr_u
        (i32.mul
          (i32.and (i32.or (i32.load (local.get $c)) (i32.const 0x202020)) (i32.const 0xffffff))
          (i32.const 0x9e3779b1))
        (i32.const 16)))
      (i32.store (local.get $last) (local.get $c))
      (local.set $last (i32.add (local.get $last) (i32.shl
        (i32.and (i32.const 1) (i32.shr_u
          (i32.load8_u offset=1024 (i32.shr_u (local.get $hash) (i32.const 3)))
          (i32.and (local.get $hash) (i32.const 7))))
        (i32.const 2))))
      (br $hashes)))

    ;; The same with the byte behind the window, for the few that are left.
    (local.set $found (local.get $last))
    (local.set $last (local.get $places))
    (local.set $more (local.get $places))
    (block $probed (loop $probes
      (br_if $probed (i32.ge_u (local.get $more) (local.get $found)))
      (local.set $c (i32.load (local.get $more)))
      (local.set $more (i32.add (local.get $more) (i32.const 4)))
      (local.set $hash (i32.shr_u
        (i32.mul (i32.or (i32.load (local.get $c)) (i32.const 0x20202020)) (i32.const 0x9e3779b1))
        (i32.const 14)))
      (i32.store (local.get $last) (local.get $c))
      (local.set $last (i32.add (local.get $last) (i32.shl
        (i32.and (i32.const 1) (i32.shr_u
          (i32.load8_u offset=9216 (i32.shr_u (local.get $hash) (i32.const 3)))
          (i32.and (local.get $hash) (i32.const 7))))
        (i32.const 2))))
      (br $probes)))

    (local.set $more (local.get $places))
    (block $ran (loop $runs
      (br_if $ran (i32.ge_u (local.get $more) (local.get $last)))
      (local.set $c (i32.load (local.get $more)))
      (br_if $ran (i32.ge_u (local.get $c) (local.get $end)))
      (local.set $more (i32.add (local.get $more) (i32.const 4)))
      (local.set $s (i32.sub (local.get $c) (local.get $reach)))
      (if (i32.gt_u (local.get $s) (local.get $i)) (then
        (local.set $i (local.get $s))
        (local.set $state (i32.const 0))))
      ;; As long as what the state stands for began at the window or before it.
      (block $left (loop $run
        (br_if $left (i32.ge_u (local.get $i) (local.get $end)))
        (br_if $left (i32.gt_u
          (i32.sub (local.get $i) (i32.load8_u (i32.add (local.get $depths) (local.get $state))))
          (local.get $c)))
        (local.set $entry (call $step (local.get $next) (local.get $shift) (local.get $state) (local.get $i)))
        (local.set $state (i32.and (local.get $entry) (i32.const 0x7fff)))
        (if (i32.ge_u (local.get $entry) (i32.const 0x8000)) (then
          (i32.store (local.get $hit) (i32.sub (local.get $i) (local.get $text)))
          (i32.store offset=4 (local.get $hit) (local.get $state))
          (local.set $hit (i32.add (local.get $hit) (i32.const 8)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $run)))
      (br $runs)))

    ;; A state depends on no more bytes than the longest keyword has.
    (local.set $i (i32.sub (local.get $end) (local.get $longest)))
    (if (i32.ge_u (local.get $i) (local.get $text)) (then
      (local.set $state (i32.const 0))
      (loop $tail
        (local.set $state (i32.and
          (call $step (local.get $next) (local.get $shift) (local.get $state) (local.get $i))
          (i32.const 0x7fff)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br_if $tail (i32.lt_u (local.get $i) (local.get $end))))))
    (i32.store (i32.const 28) (i32.shr_u (i32.sub (local.get $hit) (i32.load (i32.const 24))) (i32.const 3)))
    (i32.store (i32.const 32) (local.get $state))
    (i32.store (i32.const 40) (i32.shr_u (i32.sub (local.get $last) (local.get $places)) (i32.const 2)))
    (i32.sub (local.get $end) (local.get $text))))
