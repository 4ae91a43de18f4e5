import { html, type SafeHtml } from '@remix-run/html-template'

/**
 * The same with numeric references for the characters beyond Latin-1, which browsers read as those characters: a single one
 * would make V8 keep the whole page in two bytes for each of its characters, all of which have to be gone through again to
 * measure and send it. For text and attributes; style and script know no references.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/syntax.html#character-references}
 */
export function oneByte(written: SafeHtml): SafeHtml {
  const text = String(written)
  if (!WIDE.test(text)) return written
  // What V8 makes by replacing is as wide as what it was made of: this is a copy of the bytes that are left.
  return html.raw`${Buffer.from(text.replaceAll(EVERY_WIDE, reference), 'latin1').toString('latin1')}`
}

const WIDE = /[^\0-\xff]/
const EVERY_WIDE = /[^\0-\xff]/gu

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`
}

/** A text that was joined or cut is kept by V8 as what it was made of, and put together at every use. */
export function inOnePiece(text: string): string {
  return Buffer.from(text).toString()
}
