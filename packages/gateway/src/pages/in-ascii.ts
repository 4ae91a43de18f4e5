import { html, type SafeHtml } from '@remix-run/html-template'

/**
 * The same with numeric references for the characters beyond ASCII, which browsers read as those characters. V8 keeps such a
 * page in one byte for each character, where a single one beyond Latin-1 makes it two for all of them; and Node sends it as
 * it is, where others have to be written as UTF-8. For text and attributes; style and script know no references.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/syntax.html#character-references}
 */
export function inAscii(written: SafeHtml): SafeHtml {
  const text = String(written)
  if (!BEYOND.test(text)) return written
  // What V8 makes by replacing is as wide as what it was made of.
  return html.raw`${inOnePiece(text.replaceAll(EVERY_BEYOND, reference))}`
}

const BEYOND = /[\u0080-\uffff]/
const EVERY_BEYOND = /\P{ASCII}/gu

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`
}

/** A text that was joined or cut is kept by V8 as what it was made of, and put together at every use. */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}
