/**
 * A value that prints as its mask in every output channel: string conversion, JSON, Node's inspect (also with
 * `showHidden`), and, because subclasses keep the value in a `#private` field, spread and `structuredClone`.
 */
export abstract class Masked {
  /** What may be shown of the value. */
  abstract get masked(): string

  /** The value itself. Pass it to the one function that needs it, never to a log or an error. */
  abstract reveal(): string

  toString(): string {
    return this.masked
  }

  toJSON(): string {
    return this.masked
  }

  /** Node's own hook for `util.inspect`, named through the global registry so that core imports nothing of Node. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.masked
  }
}
