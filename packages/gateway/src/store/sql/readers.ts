/** A value that a database takes or returns. */
export type SqlValue = null | number | bigint | string | Uint8Array

/** Reads the values of a statement from its input, by the names of their slots. */
export type Readers<Input> = Readonly<Record<string, (input: Input) => SqlValue>>
