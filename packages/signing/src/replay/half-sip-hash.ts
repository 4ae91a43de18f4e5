/** The key of {@link halfSipHash}: two words of 32 bits. */
export type HalfSipKey = readonly [k0: number, k1: number]

/**
 * HalfSipHash-2-4 of bytes that end with their padding, as `TextHash` writes them; 53 of its 64 bits as a whole number. Without the key nobody can choose bytes that collide, and for texts as short as a nonce it costs a quarter of
 * a call into `node:crypto`.
 *
 * The state is four variables and the round is written out: it is the one hot loop of the replay guard.
 *
 * @see {@link https://github.com/veorq/SipHash SipHash, halfsiphash.c}
 */
export function halfSipHash([k0, k1]: HalfSipKey, padded: DataView, length: number): number {
  let v0 = k0
  let v1 = k1 ^ 0xee
  let v2 = k0 ^ 0x6c796765
  let v3 = k1 ^ 0x74656462
  let high = 0
  for (let at = 0; at < length + 16; at += 4) {
    const word = at < length ? padded.getInt32(at, true) : 0
    if (at === length) v2 ^= 0xee
    if (at === length + 8) {
      high = v1 ^ v3
      v1 ^= 0xdd
    }
    v3 ^= word
    for (let round = 0; round < 2; round++) {
      v0 = (v0 + v1) | 0
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0
      v0 = (v0 << 16) | (v0 >>> 16)
      v2 = (v2 + v3) | 0
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2
      v0 = (v0 + v3) | 0
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0
      v2 = (v2 + v1) | 0
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2
      v2 = (v2 << 16) | (v2 >>> 16)
    }
    v0 ^= word
  }
  return (high & 0x1fffff) * 0x1_0000_0000 + ((v1 ^ v3) >>> 0)
}
