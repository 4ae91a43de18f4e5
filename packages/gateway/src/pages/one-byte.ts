import { html, type SafeHtml } from '@remix-run/html-template'

/**
 * The same with numeric references for the characters beyond Latin-1, which browsers read as those characters: a single one
 * would make V8 keep the whole page in two bytes for each of its characters, all of which have to be gone through again to
 * measure and send it. For text and attributes; style and script know no references.
 *
 * @see {@link https://html.spec.whatwg.org/multipage/syntax.html#character-references}
 */
export function oneByte(written: SafeHtml): SafeHtml {
  return html.raw`${String(written).replace(/[^\0-\xff]/gu, reference)}`
}

function reference(character: string): string {
  return `&#${character.codePointAt(0)};`
}
