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

/** How the wire spells the protocol parameters; there are no others. In the order of their bytes. */
export const OAUTH_NAMES = {
  consumerKey: 'oauth_consumer_key',
  nonce: 'oauth_nonce',
  signature: 'oauth_signature',
  signatureMethod: 'oauth_signature_method',
  timestamp: 'oauth_timestamp',
  version: 'oauth_version',
} as const

/** Whether a name is of the protocol's, known or not: such names are never business parameters. */
export function isProtocolName(name: string): boolean {
  return name.startsWith('oauth_')
}

/** The protocol parameters of a header, decoded, with `oauth_signature` and without an absent version. */
export function protocolParameters(header: OAuthHeader): Parameter[] {
  const parameters: Parameter[] = [
    [OAUTH_NAMES.consumerKey, header.consumerKey],
    [OAUTH_NAMES.nonce, header.nonce],
    [OAUTH_NAMES.signature, header.signature],
    [OAUTH_NAMES.signatureMethod, header.signatureMethod],
    [OAUTH_NAMES.timestamp, header.timestamp],
  ]
  return header.version === undefined ? parameters : [...parameters, [OAUTH_NAMES.version, header.version]]
}

/** As {@link protocolParameters}, without `oauth_signature`: those that are signed. */
export function signedParameters(header: OAuthHeader): Parameter[] {
  return protocolParameters(header).filter(([name]) => name !== OAUTH_NAMES.signature)
}
