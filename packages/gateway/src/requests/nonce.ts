import type { OAuthNonce } from '@tallystick/signing/internal'
import type { Answer } from '../http/reply.ts'
import type { Change, CommitResult } from '../store/store.ts'

/** The request was replayed: it is answered like any wrong signature. */
export class NonceUsedError extends Error {
  override readonly name = 'NonceUsedError'
}

type Commit = (change: Change) => Promise<CommitResult>

/**
 * Consumes the nonce of a verified request exactly once (gaps part 13): in the request's first transaction, or alone if nothing is
 * written.
 */
export class NonceConsumer {
  readonly #commit: Commit
  #nonce: OAuthNonce | undefined
  #failure: Error | undefined

  constructor(nonce: OAuthNonce | undefined, commit: Commit) {
    this.#nonce = nonce
    this.#commit = commit
  }

  /** @throws NonceUsedError if the nonce was used before; nothing was written then */
  readonly commit: Commit = async (change) => {
    const nonce = this.#nonce
    if (nonce === undefined) return await this.#commit(change)
    // A commit that fails may still have been written. Consuming the nonce again would then make it look like a replay.
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

  /**
   * Does the work of the request, and consumes the nonce whatever becomes of it.
   *
   * @throws NonceUsedError if it was used before, and what the work throws
   */
  async consumedBy(serialNumber: string, work: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await work()
      // It is not known whether the nonce was fresh. The request may be a replay, so it is answered only with what it created itself.
      if (this.#failure !== undefined && answer.values['serialNumber'] !== serialNumber) throw this.#failure
      return answer
    } finally {
      if (this.#nonce !== undefined) await this.commit({})
    }
  }
}
