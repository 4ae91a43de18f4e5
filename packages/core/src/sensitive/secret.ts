import { Masked } from './masked.ts'

/** A key or another text that must never be printed. `reveal()` is the one way to read it. */
export class Secret extends Masked {
  readonly #text: string

  /** @throws TypeError when the text is empty: an unset variable must not become an empty key. */
  constructor(text: string) {
    super()
    if (typeof text !== 'string' || text === '') {
      throw new TypeError('A secret must be a text that is not empty; check that its setting is present')
    }
    this.#text = text
  }

  get masked(): string {
    return '[secret]'
  }

  /** The text itself. Pass it to the one function that needs it, never to a log or an error. */
  reveal(): string {
    return this.#text
  }
}
