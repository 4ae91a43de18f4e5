import { Secret } from '@tallystick/core'
import { type HmacKey, hmacKey, type RsaPublicKey, rsaPublicKey } from '@tallystick/signing'
import { readSetting } from '../read-setting.ts'

/** Who a merchant is and how they sign. */
export interface MerchantKeyOptions {
  /** The merchant's login, which is also the OAuth consumer key. At most 20 characters; no two merchants may share one. */
  readonly login: string
  /** The control key, without white space at either end: verifies controls and HMAC-SHA1 signatures, and signs callbacks. */
  readonly controlKey: string | Secret
  /** The merchant's RSA public key in PEM, at least 2048 bits: verifies the v4 operations. */
  readonly publicKey?: string | undefined
}

/** A merchant with imported keys. */
export interface Merchant {
  readonly login: string
  readonly controlKey: Secret
  readonly hmacKey: HmacKey
  readonly rsaKey: RsaPublicKey | undefined
  /** The RSA key as it was configured, for the signature doctor. */
  readonly publicKey: string | undefined
}

/** @throws TypeError that names the setting */
export function readMerchantKeys(options: MerchantKeyOptions, name: string): Merchant {
  const login = typeof options.login === 'string' ? options.login.trim() : ''
  if (login === '') throw new TypeError(`${name}.login is empty; give the merchant a login`)
  if (login.length > 20) throw new TypeError(`${name}.login is longer than 20 characters; no request could name it`)
  const keys = readSetting(`${name}.controlKey`, () => importControlKey(options))
  const rsaKey = readSetting(`${name}.publicKey`, () => importPublicKey(options))
  return { login, ...keys, rsaKey, publicKey: options.publicKey }
}

/** Clients accept no key with white space at either end, so no signature would ever match such a key. */
function importControlKey({ controlKey: given }: MerchantKeyOptions) {
  const controlKey = given instanceof Secret ? given : new Secret(given)
  const text = controlKey.reveal()
  if (text.trim() === '') throw new TypeError("is only white space; give the merchant's control key")
  if (text.trim() !== text)
    throw new TypeError('begins or ends with white space, such as the newline of a file; remove it')
  return { controlKey, hmacKey: hmacKey(text) }
}

function importPublicKey({ publicKey }: MerchantKeyOptions): RsaPublicKey | undefined {
  return publicKey === undefined ? undefined : rsaPublicKey(publicKey)
}
