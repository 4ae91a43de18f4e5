import fc from 'fast-check'

/** Any text that has a UTF-8 form: every code point but the surrogates, ASCII favoured. */
export function anyText(maxLength = 20): fc.Arbitrary<string> {
  const ascii = fc.integer({ min: 0, max: 0x7f })
  const below = fc.integer({ min: 0x80, max: 0xd7ff })
  const above = fc.integer({ min: 0xe000, max: 0x10ffff })
  const codePoint = fc.oneof({ arbitrary: ascii, weight: 3 }, below, above)
  return fc.array(codePoint, { maxLength }).map((codePoints) => String.fromCodePoint(...codePoints))
}

/** As {@link anyText}, without the control characters that no login and no nonce may hold. */
export function anyPlainText(maxLength = 20): fc.Arbitrary<string> {
  return anyText(maxLength).map((text) => text.replace(/\p{Cc}/gu, '.'))
}
