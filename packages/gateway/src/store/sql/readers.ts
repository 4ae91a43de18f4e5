/** What a database takes and gives. */
export type SqlValue = null | number | bigint | string | Uint8Array

/** How the values of a statement are read of what it is run with, by the names of their places. */
export type Readers<Input> = Readonly<Record<string, (input: Input) => SqlValue>>
