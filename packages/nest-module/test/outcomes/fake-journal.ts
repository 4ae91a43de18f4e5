import type { PaymentClient } from '@tallystick/client'
import type { JournalOutcome, ReceivedCallback } from '@tallystick/client/ports'
import { type OutcomeListener, PaymentsModule } from '../../src/index.ts'
import type { PaymentJournal } from '../../src/payments.options.ts'
import { NO_GATEWAY } from '../support.ts'

/** A journal in memory, which passes on the outcomes that a test gives it. */
export class FakeJournal implements PaymentJournal<string> {
  readonly events: string[] = []
  readonly received: ReceivedCallback[] = []
  readonly client: PaymentClient
  readonly #handler: OutcomeListener

  constructor(client: PaymentClient, handler: OutcomeListener) {
    this.client = client
    this.#handler = handler
  }

  readonly inbox = {
    receive: async (callback: ReceivedCallback) => {
      this.received.push(callback)
      return 'stored' as const
    },
  }

  /** Reports an outcome: calls the methods of the app, with a transaction. */
  async decide(outcome: Partial<JournalOutcome>, transaction: unknown = 'a transaction'): Promise<void> {
    await this.#handler({ outcome: { ...SALE, ...outcome }, transaction })
  }

  start(): void {
    this.events.push('started')
  }

  async close(): Promise<void> {
    this.events.push('closed')
  }

  async browserReturn(clientOrderId: string | undefined): Promise<string> {
    return `the page of ${clientOrderId}`
  }
}

/** An instance with such a journal, which sends no request. */
export function withJournal(name: string, more: object = {}) {
  return PaymentsModule.forRoot({
    name,
    client: NO_GATEWAY,
    journal: (client, handler) => new FakeJournal(client, handler),
    ...more,
  })
}

const SALE: JournalOutcome = {
  key: 'k1',
  number: 1,
  kind: 'outcome',
  intentId: 'i1',
  businessKey: 'invoice 77',
  operation: 'sale',
  clientOrderId: 'inv-77-a',
  orderId: '123456789012345',
  status: 'approved',
  transactionType: 'sale',
  amount: '1042',
  currency: 'USD',
}
