import { constants, type KeyObject } from 'node:crypto'

/** A key with the padding of RSASSA-PKCS1-v1_5, as `crypto.sign` and `crypto.verify` take it. */
export type Pkcs1Key = { readonly key: KeyObject; readonly padding: number }

/** Makes it, once for each key. @see {@link https://www.rfc-editor.org/rfc/rfc8017#section-8.2 RFC 8017 section 8.2} */
export function pkcs1Key(key: KeyObject): Pkcs1Key {
  return { key, padding: constants.RSA_PKCS1_PADDING }
}
