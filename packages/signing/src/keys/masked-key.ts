import { SigningError } from '../errors.ts'

const inspect: unique symbol = Symbol.for('nodejs.util.inspect.custom')

/**
 * What all keys of this package have in common: whichever way one is printed, its kind comes out and its material does
 * not. The material sits in `#private` fields, which `structuredClone`, `JSON.stringify`, a debugger's `showHidden` and
 * object spread do not reach either.
 */
export abstract class MaskedKey {
  readonly #kind: string

  constructor(kind: string) {
    this.#kind = kind
  }

  /** The kind of the key and the word `masked`, for logs. */
  toString(): string {
    return `${this.#kind} [masked]`
  }

  /** The same text as {@link toString}, so that a key inside a logged object stays masked. */
  toJSON(): string {
    return this.toString()
  }

  /** What `console.log` and `util.inspect` print. */
  [inspect](): string {
    return this.toString()
  }
}

/** What a `Secret` and a key of this package print instead of themselves. */
export const PRINTED_SECRET = '[secret]'

export const REVEAL_IT = 'the key is the text [secret], which a Secret prints: take the text that its reveal() returns'

/** Texts that nobody has as a key, in quotes as JSON prints them or without. The longest has fewer characters than a good key. */
const PRINTED: readonly (readonly [looks: RegExp, remedy: string])[] = [
  [/^\W*\[secret\]\W*$/, REVEAL_IT],
  [
    /^\W*\w+ \[masked\]\W*$/,
    'the key is the text that a key of this package prints: take the text that it was made of',
  ],
  [
    /^\W*(?:undefined|null|\[object \w+\])\W*$/,
    'the key is a text that stands for no text, such as undefined: check that its setting is present',
  ],
]
const LONGEST_PRINTED = 30

/** @throws {SigningError} `BAD_KEY` for a text that was printed instead of a key. */
export function refusePrinted(key: string): void {
  if (key.length > LONGEST_PRINTED) return
  const printed = PRINTED.find(([looks]) => looks.test(key))
  if (printed !== undefined) throw new SigningError('BAD_KEY', printed[1])
}

/**
 * The text of a file in UTF-8 or, as PowerShell and editors on Windows write it, in UTF-16, with a byte order mark or without.
 * RFC 8259 section 8.1 lets a reader ignore the mark, and no key begins with one.
 */
export function textOfFile(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes)
}

/** What is written in ASCII has a zero byte in each of its pairs. No text in UTF-8 has one. */
function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== undefined)) return 'utf-16be'
  return 'utf-8'
}
