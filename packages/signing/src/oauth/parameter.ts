/**
 * One decoded name and value. Lists of pairs, never records, carry parameters: names repeat, and every repetition is
 * signed.
 */
export type Parameter = readonly [name: string, value: string]
