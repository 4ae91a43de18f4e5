const HEX_DIGITS = Buffer.from('0123456789ABCDEF')
const UNRESERVED = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')

/** 1 for each byte that percent-encoding leaves alone. A table, because branches on each byte are mispredicted. */
const STAYS = new Uint8Array(0x100)
/** The same for two bytes at once, the first in the low byte. */
const BOTH_STAY = new Uint8Array(0x10000)
for (const code of UNRESERVED) STAYS[code] = 1
for (const code of UNRESERVED) BOTH_STAY.set(STAYS, code << 8)

/** Each module binds them to constants of its own: V8 inlines those, but fetches an imported binding at each use. */
export const TABLES = { STAYS, BOTH_STAY } as const

/** The two hexadecimal digits of a byte, the first in the low byte. */
export function digitsOf(code: number): number {
  return (HEX_DIGITS[code >> 4] as number) | ((HEX_DIGITS[code & 0xf] as number) << 8)
}
