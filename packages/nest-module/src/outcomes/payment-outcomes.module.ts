import { Inject, Module, type NestModule } from '@nestjs/common'
import { DiscoveryModule } from '@nestjs/core'
import { PaymentOutcomes } from './payment-outcomes.ts'

/** Imported by every instance, and therefore one for the app. */
@Module({ imports: [DiscoveryModule], providers: [PaymentOutcomes], exports: [PaymentOutcomes] })
export class PaymentOutcomesModule implements NestModule {
  readonly #outcomes: PaymentOutcomes

  constructor(@Inject(PaymentOutcomes) outcomes: PaymentOutcomes) {
    this.#outcomes = outcomes
  }

  /**
   * Nest asks for middleware right before it reads the routes: Fastify would refuse two of one path in its own words.
   */
  configure(): void {
    this.#outcomes.findHandlers()
  }
}
