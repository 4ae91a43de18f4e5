import { Inject, Module, type NestModule } from '@nestjs/common'
import { DiscoveryModule } from '@nestjs/core'
import { PaymentOutcomes } from './payment-outcomes.ts'

/** Every instance imports it, so there is one for the app. */
@Module({ imports: [DiscoveryModule], providers: [PaymentOutcomes], exports: [PaymentOutcomes] })
export class PaymentOutcomesModule implements NestModule {
  readonly #outcomes: PaymentOutcomes

  constructor(@Inject(PaymentOutcomes) outcomes: PaymentOutcomes) {
    this.#outcomes = outcomes
  }

  /**
   * Nest calls this right before it reads the routes. Any later, Fastify would refuse two routes of one path in its own words.
   */
  configure(): void {
    this.#outcomes.findHandlers()
  }
}
