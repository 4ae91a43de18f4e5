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
