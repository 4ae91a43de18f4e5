import type { Posting } from '../../ledger/ledger.ts'
import type { CardReference, SealedCard } from '../../vault/sealed-card.ts'
import type { RecurringPayment } from '../recurring-payment.ts'
import type { Change } from '../store.ts'

/** Cards, and the merchants' references and recurring payments that use them. */
export class MemoryCards {
  readonly #cards = new Map<string, SealedCard>()
  readonly #references = new Map<string, CardReference>()
  readonly #recurring = new Map<string, RecurringPayment>()
  readonly #recurringById = new Map<string, RecurringPayment>()

  card(cardId: string): SealedCard | undefined {
    return this.#cards.get(cardId)
  }

  reference(login: string, referenceId: string): CardReference | undefined {
    const reference = this.#references.get(referenceId)
    return reference?.login === login ? reference : undefined
  }

  recurring(login: string, clientOrderId: string): RecurringPayment | undefined {
    return this.#recurring.get(nameOf({ login, clientOrderId }))
  }

  recurringById(recurringPaymentId: string): RecurringPayment | undefined {
    return this.#recurringById.get(recurringPaymentId)
  }

  notUnder(keyId: string, after: string, limit: number): readonly SealedCard[] {
    return [...this.#cards.values()]
      .filter((card) => card.keyId !== keyId && card.cardId > after)
      .sort((one, other) => (one.cardId < other.cardId ? -1 : 1))
      .slice(0, limit)
  }

  rewrap({ cardId, keyId, wrappedKey }: SealedCard, from: SealedCard): boolean {
    const card = this.#cards.get(cardId)
    if (card === undefined || card.keyId !== from.keyId || !isEqual(card.wrappedKey, from.wrappedKey)) return false
    this.#cards.set(cardId, { ...card, keyId, wrappedKey })
    return true
  }

  /** Whether one of its names is taken, by anything but the version of this payment that comes before. */
  conflictsWith(payment: RecurringPayment): boolean {
    const { recurringPaymentId, version } = payment
    return [this.#recurring.get(nameOf(payment)), this.#recurringById.get(recurringPaymentId)].some(
      (one) => one !== undefined && (one.recurringPaymentId !== recurringPaymentId || one.version !== version - 1),
    )
  }

  /** @throws TypeError if a reference or a recurring payment names a missing card, or a charge a missing recurring payment */
  require({ cards = [], references = [], recurringPayment, tasks = [] }: Change): void {
    const named = recurringPayment === undefined ? references : [...references, recurringPayment]
    for (const { cardId } of named) {
      if (this.#cards.has(cardId) || cards.some((card) => card.cardId === cardId)) continue
      throw new TypeError(`There is no card ${cardId}`)
    }
    for (const task of tasks) {
      if (task.kind !== 'charge' || this.#recurringById.has(task.recurringPaymentId)) continue
      if (recurringPayment?.recurringPaymentId === task.recurringPaymentId) continue
      throw new TypeError(`There is no recurring payment ${task.recurringPaymentId}`)
    }
  }

  write({ cards = [], references = [], recurringPayment }: Change): void {
    for (const card of cards) if (!this.#cards.has(card.cardId)) this.#cards.set(card.cardId, card)
    for (const reference of references) {
      if (!this.#references.has(reference.referenceId)) this.#references.set(reference.referenceId, reference)
    }
    if (recurringPayment === undefined) return
    this.#recurring.set(nameOf(recurringPayment), recurringPayment)
    this.#recurringById.set(recurringPayment.recurringPaymentId, recurringPayment)
  }
}

/** Logins and client order ids are free texts: quoting keeps them apart. */
function nameOf({ login, clientOrderId }: Pick<RecurringPayment, 'login' | 'clientOrderId'>): string {
  return JSON.stringify([login, clientOrderId])
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

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
