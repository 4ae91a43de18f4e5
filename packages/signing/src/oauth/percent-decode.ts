/**
 * Undoes percent-encoding, once and strictly: `undefined` for a `%` that two hexadecimal digits do not follow and for
 * bytes that are not UTF-8 (overlong forms and surrogates included). A `+` stays a `+`.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc5849#section-3.6 RFC 5849 section 3.6}
 */
export function percentDecode(text: string): string | undefined {
  // Most names and values hold no escape, and asking is cheaper than decoding.
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
