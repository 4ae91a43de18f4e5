import type { Random } from './random.ts'

/** Texts that careless parsers stumble over: inherited names, bad escapes, lone surrogates, odd white space. */
const NOISE = [
  ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'],
  ['%', '%4', '%zz', '%C0%AF', '%ED%A0%80', '%F4%90%80%80', '%00', '%E2%82%AC', '+', '&', '&&', '=', '=='],
  ['\u0000', '\ud800', '\udfff', '\u{1f600}', '\ufeff', '\u2028', '\u00a0', 'é', '\r\n', '\n', '\n&', ' ', '\t'],
  ['{', '}', '[', ']', '"', '\\', ':', ',', 'null', 'true', '1e999', '-0', '0.1', '９', '0', '9007199254740993'],
].flat()

/** Pieces of what a parser reads, cut, repeated and mixed with noise. */
export function spoiledText(pieces: readonly string[], random: Random): string {
  return random.some(12, () => spoil(random.pick(random.below(4) === 0 ? NOISE : pieces), random)).join('')
}

/** Mostly gives the text itself. */
export function spoil(text: string, random: Random): string {
  const shape = random.below(24)
  if (shape === 0) return text.slice(0, random.below(text.length + 1))
  if (shape === 1) return text.repeat(random.below(4))
  if (shape === 2) return String.fromCharCode(random.below(0x10000))
  if (shape === 3) return random.pick(NOISE)
  return shape === 4 ? ` ${text}\n` : text
}
