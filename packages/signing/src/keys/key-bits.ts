/** How many characters a random key of this kind is made of. The first that fits counts. */
const ALPHABETS: ReadonlyArray<readonly [every: RegExp, size: number]> = [
  [/^\d*$/, 10],
  [/^[\da-f]*$|^[\dA-F]*$/, 16],
  [/^[a-z]*$|^[A-Z]*$/, 26],
  [/^[\da-z]*$|^[\dA-Z]*$/, 36],
  [/^[\da-z]*$/i, 62],
  [/^[\w-]*$|^[\da-z+/=]*$/i, 64],
]

/** Printable ASCII. Any other character counts as one of these. */
const ANY = 94

/** Hexadecimal groups, as of a UUID: what separates them carries nothing. */
const GROUPS = /^(?:[\da-f]+[-: ])+[\da-f]+$/i

/** Letters of one case, the first of either: with a capital, long, or between others. */
const WORDS = /[A-Z][a-z]{3,}|[a-z]{5,}|[A-Z]{5,}|(?<![A-Za-z])(?:[A-Z]?[a-z]{2,}|[A-Z]{2,})(?![A-Za-z])/g
const VOWELS = /[aeiouy]/gi

/** What a person writes says about so much in each character. */
const BITS_OF_WRITING = 2

const KEYBOARD = 'qwertyuiop asdfghjkl zxcvbnm QWERTYUIOP ASDFGHJKL ZXCVBNM '

/** So many characters that were there before, or that follow each other as in `1234`, are no accident. */
const PATTERN = 4

/** A random key has a few patterns by accident: it counts fully if three quarters of it do not. */
const SLACK = 4 / 3

/**
 * Estimates how many bits of a key somebody has to guess who tries likely texts first. Of a random key that is its length times
 * the bits of its alphabet, so a UUID has 128. Words, repetitions and sequences count little. Only the text can be judged: a key
 * that was published once looks as good as any other.
 */
export function keyBits(key: string): number {
  const text = GROUPS.test(key) ? key.replace(/[-: ]/g, '') : key
  const size = ALPHABETS.find(([every]) => every.test(text))?.[1] ?? ANY
  if (size > 16 && isWriting(text)) return BITS_OF_WRITING * text.length
  const bits = Math.log2(size)
  let found = 0
  for (let at = 0; at < text.length; ) {
    const length = patternAt(text, at)
    found += bits
    at += length >= PATTERN ? length : 1
  }
  return Math.min(text.length * bits, found * SLACK)
}

/** Whether words, which have vowels, make up two thirds of it. By accident they do not. */
function isWriting(text: string): boolean {
  const words = (text.match(WORDS) ?? []).filter((word) => (word.match(VOWELS)?.length ?? 0) >= word.length / 4)
  return words.join('').length >= (text.length * 2) / 3
}

/** How many characters from here on were there before, or follow each other. */
function patternAt(text: string, at: number): number {
  const seen = KEYBOARD + text
  // The first place where it is found lies before this one.
  const isSeen = (length: number) => seen.indexOf(text.slice(at, at + length)) < KEYBOARD.length + at
  let repeated = 0
  while (at + repeated < text.length && isSeen(repeated + 1)) repeated++
  const step = text.charCodeAt(at + 1) - text.charCodeAt(at)
  let run = 1
  while (at + run < text.length && text.charCodeAt(at + run) - text.charCodeAt(at + run - 1) === step) run++
  return Math.max(repeated, Math.abs(step) <= 1 ? run : 1)
}
