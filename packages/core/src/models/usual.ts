/**
 * Returns the model's value of an input that is spelled as usual, and `undefined` for everything else: then the schema, which
 * is the reference in the tests, decides. Never accepts anything blank.
 */
export type Usual<Out> = (value: unknown) => Out | undefined

interface UsualShape {
  readonly minLength: number
  readonly maxLength: number
  /** Must match only texts of whole characters without white space at their ends, which zod would drop and this does not. */
  readonly pattern: RegExp
}

export function usualText({ minLength, maxLength, pattern }: UsualShape): Usual<string> {
  return (value) => {
    if (typeof value !== 'string' || value.length < minLength || value.length > maxLength) return undefined
    return pattern.test(value) ? value : undefined
  }
}
