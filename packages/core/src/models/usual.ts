/**
 * Gives the model's value of what is spelled as usual, and `undefined` for everything else: that is left to the schema, which
 * decides about it, and is the reference in the tests. Never takes what is blank.
 */
export type Usual<Out> = (value: unknown) => Out | undefined

interface UsualShape {
  readonly minLength: number
  readonly maxLength: number
  /** Of texts that are whole characters without white space at their ends: zod drops that, and this does not. */
  readonly pattern: RegExp
}

export function usualText({ minLength, maxLength, pattern }: UsualShape): Usual<string> {
  return (value) => {
    if (typeof value !== 'string' || value.length < minLength || value.length > maxLength) return undefined
    return pattern.test(value) ? value : undefined
  }
}
