import type { Profile } from '@tallystick/core'
import type { Explanation } from '@tallystick/signing'
import type { Suspicion } from './suspicion.ts'

/** What the person who asks knows. */
export interface Known {
  readonly profile: Profile
  /** Asked for only if the request is signed with it. */
  readonly controlKey: () => string
  /** PEM. Asked for only if the request is signed with it. */
  readonly publicKey: () => string
  /** Keys that may have been used instead. */
  readonly otherKeys: readonly string[]
  /** The text that the sender signed, if known. */
  readonly signedText: string | undefined
  /** The merchant's login: a payment does not show it. */
  readonly login: string | undefined
  /** When it arrived, in seconds since 1970. `undefined`: when it says that it was signed. */
  readonly at: number | undefined
}

/** What the doctor says. */
export interface Diagnosis {
  /** The signature in question, in words. */
  readonly what: string
  /** For a signature that no single mistake explains. */
  readonly suspicion: Suspicion
  readonly explanation: Explanation<string>
  /** Why it is refused all the same if its signature is right. */
  readonly refusal: string | undefined
  /** When it says that it was signed, in seconds since 1970, if that was not judged. */
  readonly signedAt?: number | undefined
}

/** Whether it is accepted, as far as the signature and the form tell. */
export function isRight({ explanation, refusal }: Diagnosis): boolean {
  return !explanation.explained && explanation.right && refusal === undefined
}

/** For a right signature that helps nothing. */
export function refusalWords({ refusal }: Diagnosis): string {
  return refusal === undefined ? '' : `it is refused whatever its signature: ${refusal}\n`
}
