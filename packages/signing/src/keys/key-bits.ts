/**
 * How many characters a random key of this kind is made of. The first that fits counts. Not finer: a random key may lack digits,
 * or letters of one case, by accident.
 */
const ALPHABETS: ReadonlyArray<readonly [every: RegExp, size: number]> = [
  [/^[\da-f]*$|^[\dA-F]*$/, 16],
  [/^[\w-]*$|^[\da-z+/=]*$/i, 64],
]

/** Printable ASCII. Any other character counts as one of these. */
const ANY = 94

/** Hexadecimal groups, as of a UUID: what separates them carries nothing. */
const GROUPS = /^(?:[\da-f]+[-: ])+[\da-f]+$/i

/** Letters of one case, the first of either: with a capital, long, or between others. */
const WORDS = /[A-Z][a-z]{3,}|[a-z]{5,}|[A-Z]{5,}|(?<![A-Za-z])(?:[A-Z]?[a-z]{2,}|[A-Z]{2,})(?![A-Za-z])/g

/** The most frequent pairs of letters in English. Of random pairs every fifth is one of them, of written ones three quarters. */
const FREQUENT: ReadonlySet<string> = new Set(
  (
    'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce ' +
    'li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il tr ly nc et ut ss so rs un lo wa ge ie wh ee wi em ' +
    'ad ol rt po we na ul ni ts mo ow pa im mi ai sh ir su id os iv ia am fi ci vi pl ig tu ev ld ry mp fe bl ab gh ty op wo sa ay ' +
    'ex ke fr oo av ag if ap gr od bo sp rd do uc bu ei ov by rm ep ey ys ck ok wn my pw'
  ).split(' '),
)

/**
 * By how many the frequent pairs exceed the others in writing. By accident 18 are reached by 6 of 10^10 random keys of 26 characters of
 * base32, 14 by 4 of 10^9 of 22 characters of base64, most of which are no words; keys with other signs have fewer letters.
 */
const MORE_FREQUENT = { oneCase: 18, mixed: 14, signs: 10 }
const ONE_CASE = /^[A-Z\d]*$|^[a-z\d]*$/

/** What a person writes says about so much in each character. */
const BITS_OF_WRITING = 2

const KEYBOARD = 'qwertyuiop asdfghjkl zxcvbnm QWERTYUIOP ASDFGHJKL ZXCVBNM '

/** So many characters that were there before, or that follow each other as in `1234`, are no accident. */
const PATTERN = 4

/** A random key has a few patterns by accident, one in hexadecimal digits more: it counts fully if most of it does not. */
const SLACK = { hex: 7 / 4, other: 3 / 2 }

/**
 * Estimates how many bits of a key somebody has to guess who tries likely texts first. Of a random key that is its length times
 * the bits of its alphabet, so a UUID has 128. A random key of 128 bits is taken for less at most once in 10^9. Words, repetitions and sequences count little. Only the text can be judged: a key
 * that was published once looks as good as any other.
 */
export function keyBits(key: string): number {
  const text = GROUPS.test(key) ? key.replace(/[-: ]/g, '') : key
  const size = ALPHABETS.find(([every]) => every.test(text))?.[1] ?? ANY
  if (size > 16 && isWriting(text, size)) return BITS_OF_WRITING * text.length
  const bits = Math.log2(size)
  let found = 0
  for (let at = 0; at < text.length; ) {
    const length = patternAt(text, at)
    found += bits
    at += length >= PATTERN ? length : 1
  }
  return Math.min(text.length * bits, found * (size > 16 ? SLACK.other : SLACK.hex))
}

/** Whether words make up two thirds of it, and their letters follow each other as in writing. */
function isWriting(text: string, size: number): boolean {
  const words = text.match(WORDS) ?? []
  if (words.join('').length < (text.length * 2) / 3) return false
  const needed = ONE_CASE.test(text) ? MORE_FREQUENT.oneCase : size === ANY ? MORE_FREQUENT.signs : MORE_FREQUENT.mixed
  return frequentPairs(text) >= needed
}

/** How many more pairs of letters are frequent ones than others. A capital behind a small letter begins a word. */
function frequentPairs(text: string): number {
  let more = 0
  for (const [, pair = ''] of text.matchAll(/(?=([A-Z]{2}|[A-Za-z][a-z]))/g))
    more += FREQUENT.has(pair.toLowerCase()) ? 1 : -1
  return more
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
