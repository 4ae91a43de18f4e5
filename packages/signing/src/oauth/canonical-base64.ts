/**
 * Decodes base64 of exactly that many bytes in its one canonical spelling (standard alphabet, padded, spare bits zero),
 * or `undefined`: a second spelling of a signature would be a second signature.
 *
 * @see {@link https://www.rfc-editor.org/rfc/rfc4648#section-3.5 RFC 4648 section 3.5}
 */
export function decodeCanonicalBase64(text: string, byteLength: number): Uint8Array | undefined {
  if (text.length !== Math.ceil(byteLength / 3) * 4) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === byteLength && bytes.toString('base64') === text ? bytes : undefined
}
