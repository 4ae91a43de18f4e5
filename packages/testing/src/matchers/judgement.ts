import { maskCardNumbers } from '@tallystick/core'

/** What a matcher found, with the reason in words. */
export interface Judgement {
  readonly pass: boolean
  /** Why it is so, as a sentence. */
  readonly reason: string
}

/** Masks card numbers in the reason, because it may quote a gateway, which may quote what it was sent. */
export function judge(pass: boolean, reason: string): Judgement {
  return { pass, reason: maskCardNumbers(reason) }
}
