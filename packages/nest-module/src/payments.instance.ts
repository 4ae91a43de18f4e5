import type { BeforeApplicationShutdown, OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common'
import type { PaymentClient } from '@tallystick/client'
import type { PaymentOutcomes } from './outcomes/payment-outcomes.ts'
import type { Phase } from './payments.health.ts'
import type { PaymentJournal, PaymentsRoutes, PaymentsSettings } from './payments.options.ts'
import type { UnderWay } from './under-way.ts'

/** What an instance consists of, besides its routes. */
export interface InstanceParts {
  readonly instance: string
  readonly settings: PaymentsSettings
  readonly client: PaymentClient
  readonly journal: PaymentJournal | undefined
  readonly outcomes: PaymentOutcomes
  readonly underWay: UnderWay
}

/** The life of an instance, from the start of the app to its end. */
export class PaymentsInstance implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #parts: InstanceParts
  phase: Phase = 'starting'

  constructor(parts: InstanceParts, routes: PaymentsRoutes) {
    this.#parts = parts
    const { instance, settings, journal, outcomes } = parts
    outcomes.register({
      name: instance,
      hasJournal: journal !== undefined,
      routes,
      hasListener: settings.callbacks?.onOutcome !== undefined,
    })
  }

  /** Not earlier: the methods that the journal calls are found when all modules are initialised. */
  onApplicationBootstrap(): void {
    this.#parts.journal?.start()
    this.phase = 'started'
  }

  beforeApplicationShutdown(): void {
    this.phase = 'closing'
    this.#parts.underWay.end()
  }

  /** The server has stopped by now. Finishes the requests in progress, then closes the journal, then the client. */
  async onApplicationShutdown(): Promise<void> {
    const { underWay, journal, client } = this.#parts
    await underWay.settled()
    try {
      await journal?.close()
    } finally {
      await client.close()
    }
  }
}
