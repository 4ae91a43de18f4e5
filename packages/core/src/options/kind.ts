/** What the value of an option must be. */
export interface Validator {
  /** Completes "the option must be ...". */
  readonly wanted: string
  readonly isRight: (value: unknown) => boolean
  /** Default: it may be left out, or be `undefined`. */
  readonly isRequired?: true
}

/** Each option with its kind, those of every member of a union: a table that lacks one does not compile. */
export type Validators<Options> = Readonly<Record<Options extends unknown ? keyof Options : never, Validator>>

/** The longest time of a Node timer. It fires at once for a longer one. */
const LONGEST_MS = 2 ** 31 - 1

/** The usual kinds. Any other is written out: `{ wanted, isRight }`. */
export const validator = {
  text: is('a text', (value) => typeof value === 'string'),
  flag: is('true or false', (value) => typeof value === 'boolean'),
  list: is('a list', Array.isArray),
  object: is('an object', isRecord),
  function: is('a function', isFunction),
  count: is('a whole number from 1 on', (value) => Number.isSafeInteger(value) && Number(value) >= 1),
  /** What a timer can wait. */
  milliseconds: is(
    `a number of milliseconds from 1 to ${LONGEST_MS}`,
    (value) => typeof value === 'number' && value >= 1 && value <= LONGEST_MS,
  ),
  /** Checked when it is read. */
  anything: is('anything', () => true),
  oneOf: (...known: readonly string[]) =>
    is(known.map((one) => `'${one}'`).join(' or '), (value) => known.some((one) => one === value)),
  listOf: ({ wanted, isRight }: Validator) =>
    is(`a list, each item ${wanted}`, (value) => Array.isArray(value) && value.every(isRight)),
  /** @param what it is, and where it comes from: `a store, such as sqliteStore({ file })` */
  withMethods: (what: string, ...methods: readonly string[]) =>
    is(`${what}, with ${methods.join('(), ')}()`, (value) => missingMethods(value, methods).length === 0),
  required: (one: Validator): Validator => ({ ...one, isRequired: true }),
} as const

/** Which of these methods a value lacks. */
export function missingMethods(value: unknown, methods: readonly string[]): readonly string[] {
  const mayHaveThem = isRecord(value) || isFunction(value)
  return methods.filter((name) => !mayHaveThem || !isFunction(Reflect.get(value, name)))
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function is(wanted: string, isRight: (value: unknown) => boolean): Validator {
  return { wanted, isRight }
}

function isFunction(value: unknown): value is () => unknown {
  return typeof value === 'function'
}
