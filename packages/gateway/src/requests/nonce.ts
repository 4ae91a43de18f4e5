import type { BurnableNonce } from '@tallystick/signing/internal'
import type { Change, Committed } from '../store/store.ts'

/** The request was replayed. Never leaves the engine: it is answered like any wrong signature. */
export class NonceUsedError extends Error {
  override readonly name = 'NonceUsedError'
}

type Commit = (change: Change) => Promise<Committed>

/**
 * Burns the nonce of a verified request exactly once (gaps part 13): with the first change that the request makes, in one
 * transaction, or alone if it makes none.
 *
 * @throws NonceUsedError from `commit` and `burn` if it was used before; nothing was written then
 */
export class NonceConsumer {
  readonly #commit: Commit
  #nonce: BurnableNonce | undefined
  #failure: Error | undefined

  constructor(nonce: BurnableNonce | undefined, commit: Commit) {
    this.#nonce = nonce
    this.#commit = commit
  }

  readonly commit: Commit = async (change) => {
    const nonce = this.#nonce
    if (nonce === undefined) return await this.#commit(change)
    // A commit that fails may still have been written. Burning the nonce again would then make it look like a replay.
    this.#nonce = undefined
    const committed = await this.#commit({ ...change, nonce }).catch((error: Error) => {
      this.#failure = error
      throw error
    })
    if (committed.ok) return committed
    if (committed.conflict === 'nonce') throw new NonceUsedError('The nonce was used before')
    this.#nonce = nonce
    return committed
  }

  /** Why it is not known whether the nonce was fresh. `undefined`: it is known, or the nonce is not burned yet. */
  get failure(): Error | undefined {
    return this.#failure
  }

  async burn(): Promise<void> {
    if (this.#nonce !== undefined) await this.commit({})
  }
}
