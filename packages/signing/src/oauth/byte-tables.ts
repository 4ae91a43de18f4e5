const HEX_DIGITS = Buffer.from('0123456789ABCDEF')
const UNRESERVED = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~')

/** 1 where a byte stays as it is when it is percent-encoded. A table: comparisons go another way at every other byte. */
const STAYS = new Uint8Array(0x100)
/** The same of two bytes at once, the first of them lowest. */
const BOTH_STAY = new Uint8Array(0x10000)
for (const code of UNRESERVED) STAYS[code] = 1
for (const code of UNRESERVED) BOTH_STAY.set(STAYS, code << 8)

/** Each module that reads them names them: V8 knows a module's own constants, and fetches others' at each use. */
export const TABLES = { STAYS, BOTH_STAY } as const

/** The two hexadecimal digits of a byte, the first of them lowest. */
export function digitsOf(code: number): number {
  return (HEX_DIGITS[code >> 4] as number) | ((HEX_DIGITS[code & 0xf] as number) << 8)
}
