import { catalogue, Secret } from '@tallystick/core'
import { type HmacKey, hmacKey, type RsaPrivateKey, rsaPrivateKey } from '@tallystick/signing'
import { requireKnown } from './known-options.ts'

/** Who signs, and with what. */
export interface CredentialOptions {
  /** The merchant's login. */
  readonly login: string
  /** The merchant control key: signs the control and HMAC-SHA1 operations. */
  readonly controlKey: string | Secret
  /** RSA private key in PEM (PKCS#1 or PKCS#8, 2048 bits or more): signs the v4 operations. */
  readonly privateKey?: string | Secret
}

/** A merchant's login and keys, checked and imported. Printed, the keys are masked. */
export interface Credentials {
  readonly login: string
  readonly controlKey: Secret
  readonly hmacKey: HmacKey
  readonly rsaKey: RsaPrivateKey | undefined
}

export const CREDENTIAL_OPTIONS: readonly string[] = ['login', 'controlKey', 'privateKey']

/**
 * Imports a merchant's keys, once, for calls of another merchant (`CallOptions.credentials`) or for new keys
 * (`client.useCredentials`).
 *
 * @throws TypeError for a wrong option, SigningError `BAD_KEY` for a key that cannot be used
 */
export function merchantCredentials(options: CredentialOptions): Credentials {
  requireKnown('merchantCredentials', options, CREDENTIAL_OPTIONS)
  return readCredentials(options)
}

/** As {@link merchantCredentials}, of options that hold others, too. */
export function readCredentials({ login, controlKey, privateKey }: CredentialOptions): Credentials {
  const secret = toSecret('controlKey', controlKey)
  return {
    login: readLogin(login),
    controlKey: secret,
    hmacKey: hmacKey(secret.reveal()),
    rsaKey: privateKey === undefined ? undefined : rsaPrivateKey(toSecret('privateKey', privateKey).reveal()),
  }
}

function readLogin(login: string): string {
  const { format } = catalogue.status.request.fields.login
  const read = format.schema.safeParse(login)
  if (read.success && !/\p{Cc}/u.test(read.data)) return read.data
  throw new TypeError(`login must be the merchant's login: ${format.bound}, without control characters`)
}

function toSecret(option: string, value: string | Secret): Secret {
  if (value instanceof Secret) return value
  if (typeof value === 'string' && value !== '') return new Secret(value)
  throw new TypeError(`${option} must be a text that is not empty, or a Secret; check that its setting is present`)
}
