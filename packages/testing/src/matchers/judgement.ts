/** What a matcher found, with the reason in words. */
export interface Judgement {
  readonly pass: boolean
  /** Why it is so, as a sentence. */
  readonly reason: string
}

export function judge(pass: boolean, reason: string): Judgement {
  return { pass, reason }
}
