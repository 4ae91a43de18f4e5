import type { Posting } from '../../ledger/postings.ts'

/** Postings by order. */
export class MemoryLedger {
  readonly #postings = new Map<string, Posting[]>()

  of(orderId: string): readonly Posting[] {
    return [...(this.#postings.get(orderId) ?? [])].sort(byTime)
  }

  /** @throws TypeError when an operation was booked before */
  require(postings: readonly Posting[]): void {
    for (const posting of postings) {
      const booked = this.#postings.get(posting.orderId) ?? []
      if (![...booked, ...postings].some((other) => other !== posting && isSame(other, posting))) continue
      throw new TypeError(`Operation ${posting.operationId} was booked before`)
    }
  }

  write(postings: readonly Posting[]): void {
    for (const posting of postings) {
      const booked = this.#postings.get(posting.orderId)
      if (booked === undefined) this.#postings.set(posting.orderId, [posting])
      else booked.push(posting)
    }
  }
}

/** An operation has at most one posting in an account. */
function isSame(one: Posting, other: Posting): boolean {
  return one.orderId === other.orderId && one.operationId === other.operationId && one.account === other.account
}

function byTime(one: Posting, other: Posting): number {
  return one.at - other.at || compare(one.operationId, other.operationId) || compare(one.account, other.account)
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
