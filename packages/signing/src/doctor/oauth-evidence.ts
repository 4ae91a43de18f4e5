import type { SignableRequest } from '../oauth/signature-base-string.ts'

/** The keys as text, because some mistakes are made with the text. */
export type KeyEvidence =
  | {
      readonly method: 'HMAC-SHA1'
      /** The merchant control key, without the `&`. */
      readonly secret: string
      /** Secrets that may have been used instead: the sandbox's, another merchant's, the previous one. */
      readonly otherSecrets?: readonly string[] | undefined
    }
  | {
      readonly method: 'RSA-SHA256'
      /** PEM, as the merchant supplied it. */
      readonly publicKey: string
      /** Other public keys of the merchant, one of which may belong to the private key that signed. PEM. */
      readonly otherPublicKeys?: readonly string[] | undefined
      /** PEM of the merchant's private key, if the doctor runs at the merchant's end. */
      readonly privateKey?: string | undefined
    }

/** A signed request that was refused, and what its receiver or its sender knows about it. */
export type OAuthEvidence = KeyEvidence &
  SignableRequest & {
    /** The `Authorization` header as it arrived. */
    readonly authorization: string
    /** The time of the refusal in seconds since 1970. */
    readonly now: number
    /** As for `verifyOAuth`. 300 unless given. */
    readonly windowSeconds?: number | undefined
    /** Whether the replay guard knew the nonce already. */
    readonly isNonceSeen?: boolean | undefined
    /** URLs that the sender may have signed instead of `url`: in front of a proxy, the sandbox's, another host name. */
    readonly otherUrls?: readonly string[] | undefined
    /** The signature base string that the sender made, if they shared it. */
    readonly theirBaseString?: string | undefined
  }
