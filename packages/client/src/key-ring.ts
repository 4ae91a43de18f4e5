import type { Credentials } from './credentials.ts'

/** The keys of a merchant: those that sign, and the previous ones, with which callbacks may still be signed. */
export class KeyRing {
  #current: Credentials
  #previous: Credentials | undefined

  constructor({ login, controlKey, hmacKey, rsaKey }: Credentials) {
    this.#current = { login, controlKey, hmacKey, rsaKey }
  }

  get current(): Credentials {
    return this.#current
  }

  /** First those that sign. */
  get all(): readonly Credentials[] {
    return this.#previous === undefined ? [this.#current] : [this.#current, this.#previous]
  }

  /** If the control key is the same, as when a setting is read again, the previous key stays in force. */
  use({ login, controlKey, hmacKey, rsaKey }: Credentials): void {
    if (controlKey.reveal() !== this.#current.controlKey.reveal()) this.#previous = this.#current
    this.#current = { login, controlKey, hmacKey, rsaKey }
  }
}
