import type { Parameter } from './parameter.ts'

/** The `Authorization` header of scheme `OAuth`: its parameters, decoded, one name for each idea. */
export type OAuthHeader = {
  /** `realm`, without its quotes. It is not signed. */
  readonly realm?: string | undefined
  /** `oauth_consumer_key`: the merchant login. */
  readonly consumerKey: string
  /** `oauth_nonce`: unique and random. */
  readonly nonce: string
  /** `oauth_signature_method`, as the sender names it. What a signature is verified with is never taken from here. */
  readonly signatureMethod: string
  /** `oauth_timestamp`: seconds since 1970, as text. */
  readonly timestamp: string
  /** `oauth_version`: `1.0`, or absent. */
  readonly version?: string | undefined
  /** `oauth_signature`: base64. */
  readonly signature: string
}

/** A header before it is signed. */
export type UnsignedHeader = Omit<OAuthHeader, 'signature'>

/** How the wire spells the protocol parameters; there are no others. In the order of their bytes. */
export const OAUTH_NAMES = {
  consumerKey: 'oauth_consumer_key',
  nonce: 'oauth_nonce',
  signature: 'oauth_signature',
  signatureMethod: 'oauth_signature_method',
  timestamp: 'oauth_timestamp',
  version: 'oauth_version',
} as const

/** How every name of the protocol begins. */
export const PROTOCOL_PREFIX = 'oauth_'

/** Whether a name is of the protocol's, known or not: such names are never business parameters. */
export function isProtocolName(name: string): boolean {
  return name.startsWith(PROTOCOL_PREFIX)
}

/**
 * The protocol parameters of a header that are signed, decoded: without `oauth_signature`, and without an absent version. In the
 * order of their bytes.
 */
export function signedParameters(header: UnsignedHeader): Parameter[] {
  const { consumerKey, nonce, signatureMethod, timestamp, version } = header
  const consumer: Parameter = [OAUTH_NAMES.consumerKey, consumerKey]
  const fresh: Parameter = [OAUTH_NAMES.nonce, nonce]
  const method: Parameter = [OAUTH_NAMES.signatureMethod, signatureMethod]
  const time: Parameter = [OAUTH_NAMES.timestamp, timestamp]
  if (version === undefined) return [consumer, fresh, method, time]
  return [consumer, fresh, method, time, [OAUTH_NAMES.version, version]]
}
