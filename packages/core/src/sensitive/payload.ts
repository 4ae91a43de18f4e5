import { Masked } from './masked.ts'

/**
 * The rows of a plural operation as comma-separated values. They may hold card numbers and CVVs, so they print as their number
 * of lines alone. `recurringRows` makes it from inputs.
 */
export class Payload extends Masked {
  readonly #text: string

  constructor(text: string) {
    super()
    this.#text = text
  }

  get masked(): string {
    return `[${this.#text.trimEnd().split('\n').length} lines]`
  }

  /** The rows themselves, with any card numbers in them. */
  reveal(): string {
    return this.#text
  }
}
