import type { Credentials } from './credentials.ts'

/** The keys of a merchant: those that sign, and those before them, which callbacks may still be signed with. */
export class KeyRing {
  #current: Credentials
  #previous: Credentials | undefined

  constructor({ login, controlKey, hmacKey, rsaKey }: Credentials) {
    this.#current = { login, controlKey, hmacKey, rsaKey }
  }

  get current(): Credentials {
    return this.#current
  }

  /** Those that sign first. */
  get all(): readonly Credentials[] {
    return this.#previous === undefined ? [this.#current] : [this.#current, this.#previous]
  }

  /** The same control key once more, as a setting that is read again gives it, leaves the one before it in force. */
  use({ login, controlKey, hmacKey, rsaKey }: Credentials): void {
    if (controlKey.reveal() !== this.#current.controlKey.reveal()) this.#previous = this.#current
    this.#current = { login, controlKey, hmacKey, rsaKey }
  }
}
