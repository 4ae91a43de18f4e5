import { html, type SafeHtml } from '@remix-run/html-template'

/**
 * The same HTML with numeric references for the characters beyond ASCII, which browsers read as those characters. V8 stores
 * such a page in one byte per character, while one character beyond Latin-1 makes it two bytes for all of them; and Node sends
 * it as it is, while other texts have to be encoded as UTF-8. For text and attributes; style and script know no references.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/syntax.html#character-references}
 */
export function inAscii(written: SafeHtml): SafeHtml {
  const text = String(written)
  if (!BEYOND.test(text)) return written
  // The result of a replacement in V8 is as wide as the original text.
  return html.raw`${inOnePiece(text.replaceAll(EVERY_BEYOND, reference))}`
}

const BEYOND = /[\u0080-\uffff]/
const EVERY_BEYOND = /\P{ASCII}/gu

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`
}

/** The text as one flat string. V8 keeps a joined or cut text as its parts, and puts them together at every use. */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}
