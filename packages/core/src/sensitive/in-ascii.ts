const NOT_ASCII = /[\u0080-\uffff]/g
const LETTER = String.raw`\p{L}`
const NUMBER = String.raw`\p{N}`

let letterOrNumber: RegExp | undefined

/** Made at first use: for a literal V8 would load Unicode's tables at every import. */
function isLetterOrNumber(character: string): boolean {
  letterOrNumber ??= new RegExp(`[${LETTER}${NUMBER}]`, 'u')
  return letterOrNumber.test(character)
}

/**
 * A text of the same length in which characters that look like ASCII signs are replaced by these (NFKC: a no-break space by a
 * space), letters and digits of other alphabets by `x`, and everything else by a space.
 */
export function inAscii(text: string): string {
  return text.replace(NOT_ASCII, (character) => {
    if (isLetterOrNumber(character)) return 'x'
    const plain = character.normalize('NFKC')
    return plain.length === 1 && plain < '\u0080' ? plain : ' '
  })
}

/** A text of the same length in which characters that look like digits are replaced by these (NFKC: `４` by 4). */
export function withPlainDigits(text: string): string {
  return text.replace(NOT_ASCII, (character) => {
    const plain = character.normalize('NFKC')
    return /^\d$/.test(plain) ? plain : character
  })
}
