import { percentEncode } from './percent.ts'

/** A piece of a parameter string, and the value that follows it. */
type Step = {
  /** Encoded once: an ampersand, a name and its equals sign. */
  readonly piece: string
  /** The index of the caller's parameter with the value, {@link NONCE} or {@link NO_VALUE}. */
  readonly at: number
}

/** The value is the nonce. */
export const NONCE = -1
/** There is no value. */
export const NO_VALUE = -2

/** The pieces of a script are this long at most, so that each is copied by writing a few numbers: names are short. */
export const PIECE_BYTES = 32

/**
 * Steps, packed for `encodeTwice`: copying the pieces from an object for each takes a quarter longer. Long pieces take several
 * steps, all but the last without a value.
 */
export type Script = {
  /**
   * The piece of each step as ASCII, {@link PIECE_BYTES} encoded once and as many encoded twice, eight bytes to a number. No
   * number is NaN, because the top bit of each byte is 0.
   */
  readonly pieces: Float64Array
  /** How many bytes of the piece of each step are to be written, once and twice. */
  readonly lengths: Uint8Array
  /** The `at` of each step. */
  readonly places: Int8Array
}

export function packSteps(steps: readonly Step[]): Script {
  const short = steps.flatMap(shortSteps)
  const pieces = Buffer.alloc(short.length * 2 * PIECE_BYTES)
  const texts = short.flatMap(({ once, twice }) => [once, twice])
  for (const [index, text] of texts.entries()) pieces.write(text, index * PIECE_BYTES)
  return {
    pieces: new Float64Array(pieces.buffer),
    lengths: Uint8Array.from(texts, ({ length }) => length),
    places: Int8Array.from(short, ({ at }) => at),
  }
}

/** One script after the other. */
export function joinScripts(scripts: readonly Script[]): Script {
  return {
    pieces: Float64Array.from(scripts.flatMap(({ pieces }) => [...pieces])),
    lengths: Uint8Array.from(scripts.flatMap(({ lengths }) => [...lengths])),
    places: Int8Array.from(scripts.flatMap(({ places }) => [...places])),
  }
}

function shortSteps({ piece, at }: Step) {
  const again = percentEncode(piece)
  const count = Math.max(1, Math.ceil(again.length / PIECE_BYTES))
  return Array.from({ length: count }, (_, index) => {
    const [start, end] = [index * PIECE_BYTES, (index + 1) * PIECE_BYTES]
    return { once: piece.slice(start, end), twice: again.slice(start, end), at: index === count - 1 ? at : NO_VALUE }
  })
}
