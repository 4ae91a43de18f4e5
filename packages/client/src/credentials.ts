import { catalogue, Secret } from '@tallystick/core'
import { checkOptions, type Validator, type Validators, validator } from '@tallystick/core/internal'
import { type HmacKey, hmacKey, type RsaPrivateKey, rsaPrivateKey } from '@tallystick/signing'
import { requireKind } from './runtime/system.ts'

/** Who signs, and with what. */
export interface CredentialOptions {
  /** The merchant's login. */
  readonly login: string
  /** The merchant control key, without white space at its ends: signs the control and HMAC-SHA1 operations. */
  readonly controlKey: string | Secret
  /** RSA private key in PEM (PKCS#1 or PKCS#8, 2048 bits or more): signs the v4 operations. */
  readonly privateKey?: string | Secret | undefined
}

/** A merchant's login and keys, checked and imported. Printed, the keys are masked. */
export interface Credentials {
  readonly login: string
  readonly controlKey: Secret
  /** The control key, for OAuth HMAC-SHA1. */
  readonly hmacKey: HmacKey
  /** None: v4 operations cannot be signed. */
  readonly rsaKey: RsaPrivateKey | undefined
}

const LOGIN = catalogue.status.request.fields.login.format

const KEY: Validator = {
  wanted: 'a text that is not empty, or a Secret; check that its setting is present',
  isRight: (value) => value instanceof Secret || (typeof value === 'string' && value !== ''),
}

export const CREDENTIAL_KINDS: Validators<CredentialOptions> = {
  login: validator.required({
    wanted: `the merchant's login: ${LOGIN.bound}, without control characters; check that its setting is present`,
    isRight: (value) => {
      const login = LOGIN.read(value)
      return login !== undefined && !/\p{Cc}/u.test(login)
    },
  }),
  controlKey: validator.required(KEY),
  privateKey: KEY,
}

/**
 * Imports a merchant's keys, once, for calls of another merchant (`CallOptions.credentials`) or for new keys
 * (`client.useCredentials`).
 *
 * @throws TypeError for a wrong option, SigningError `BAD_KEY` for a key that cannot be used
 */
export function merchantCredentials(options: CredentialOptions): Credentials {
  checkOptions('merchantCredentials', options, CREDENTIAL_KINDS)
  return readCredentials('merchantCredentials', options)
}

/**
 * The credentials alone: a merchant's record may have other members.
 *
 * @throws TypeError that names the option
 */
export function requireCredentials(option: string, credentials: Credentials): Credentials {
  requireKind(option, credentials, CREDENTIALS)
  const { login, controlKey, hmacKey, rsaKey } = credentials
  return { login, controlKey, hmacKey, rsaKey }
}

/** A program without types may pass a login and its keys as texts, which cannot sign anything. */
const CREDENTIALS: Validator = {
  wanted: 'what merchantCredentials({ login, controlKey, privateKey }) gives',
  isRight: (value) => {
    const { controlKey, hmacKey } = Object(value) as Partial<Credentials>
    return HIDDEN.isRight(controlKey) && hmacKey !== undefined
  },
}

/** A `Secret`, of any copy of core. */
const HIDDEN = validator.withMethods('a Secret', 'reveal')

/** As {@link merchantCredentials}, from options that are checked already and may hold others. */
export function readCredentials(where: string, { login, controlKey, privateKey }: CredentialOptions): Credentials {
  const secret = withoutBlankEnds(`${where}: controlKey`, toSecret(controlKey))
  return {
    login: login.trim(),
    controlKey: secret,
    hmacKey: hmacKey(secret.reveal()),
    rsaKey: privateKey === undefined ? undefined : importedKey(toSecret(privateKey)),
  }
}

/** By what they were imported from. */
const imported = new WeakMap<Secret, RsaPrivateKey>()

/** Importing a key tries it out, which takes as long as a payment: a `Secret` that many clients have is imported once. */
function importedKey(secret: Secret): RsaPrivateKey {
  const key = imported.get(secret) ?? rsaPrivateKey(secret.reveal())
  imported.set(secret, key)
  return key
}

/**
 * A key that was read from a file often ends with its newline. It would sign, and the gateway would refuse every signature. It
 * is refused, not trimmed, because the other half of a rotation or a second program would read the same file differently.
 */
function withoutBlankEnds(option: string, secret: Secret): Secret {
  const text = secret.reveal()
  if (text.trim() === text) return secret
  throw new TypeError(
    `${option} begins or ends with white space, such as the newline of its file: remove it with trim()`,
  )
}

function toSecret(value: string | Secret): Secret {
  return value instanceof Secret ? value : new Secret(value)
}

/** First the credentials that sign, then the previous ones, with which callbacks may still be signed. */
export type Signers = readonly [Credentials, ...Credentials[]]

/** If the control key is the same, as when a setting is read again, the previous one stays in force. */
export function withNew(next: Credentials, [current, ...previous]: Signers): Signers {
  const isSame = next.controlKey.reveal() === current.controlKey.reveal()
  return [next, ...(isSame ? previous : [current])]
}
