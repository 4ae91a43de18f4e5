import { hidesCharacters, Secret } from '@tallystick/core'
import { type HmacKey, hmacKey, keyBits, type RsaPublicKey, rsaPublicKey } from '@tallystick/signing'
import { readSetting } from './read-setting.ts'

/** Who a merchant is and how they sign. */
export interface MerchantKeyOptions {
  /** The merchant's login, which is also the OAuth consumer key. At most 20 characters; no two merchants may share one. */
  readonly login: string
  /**
   * The control key, without white space at either end: verifies controls and HMAC-SHA1 signatures, and signs callbacks.
   * Outside a sandbox it needs 128 bits, as a random UUID has, and no two merchants may share one.
   */
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
export function readMerchantKeys(options: MerchantKeyOptions, name: string, isSandbox: boolean): Merchant {
  const login = typeof options.login === 'string' ? options.login.trim() : ''
  if (login === '') throw new TypeError(`${name}.login is empty; give the merchant a login`)
  if (login.length > 20) throw new TypeError(`${name}.login is longer than 20 characters; no request could name it`)
  if (hidesCharacters(login)) throw new TypeError(`${name}.login has characters that do not show; take them out`)
  const keys = readSetting(`${name}.controlKey`, () => importControlKey(options, isSandbox))
  const rsaKey = readSetting(`${name}.publicKey`, () => importPublicKey(options))
  return { login, ...keys, rsaKey, publicKey: options.publicKey }
}

/**
 * What a control key needs: the form that brings a customer back shows each of them SHA-1 over texts that they know and the key,
 * so they may try keys at home, as fast as they like.
 */
export const LEAST_KEY_BITS = 128

const MAKE_ONE = '`tallystick-gateway key` makes one'

/** Clients accept no key with white space at either end, so no signature would ever match such a key. */
function importControlKey({ controlKey: given }: MerchantKeyOptions, isSandbox: boolean) {
  const controlKey = given instanceof Secret ? given : new Secret(given)
  const text = controlKey.reveal()
  if (text.trim() === '') throw new TypeError("is only white space; give the merchant's control key")
  if (text.trim() !== text)
    throw new TypeError('begins or ends with white space, such as the newline of a file; remove it')
  const imported = hmacKey(text)
  if (/^[.\u2026]+$/.test(text)) throw new TypeError(`is only a placeholder; ${MAKE_ONE}`)
  const bits = Math.floor(keyBits(text))
  if (bits < LEAST_KEY_BITS && !isSandbox)
    throw new TypeError(`can be guessed: it has about ${bits} bits, and ${LEAST_KEY_BITS} are needed; ${MAKE_ONE}`)
  return { controlKey, hmacKey: imported }
}

function importPublicKey({ publicKey }: MerchantKeyOptions): RsaPublicKey | undefined {
  return publicKey === undefined ? undefined : rsaPublicKey(publicKey)
}
