import { Module } from '@nestjs/common'
import { DiscoveryModule } from '@nestjs/core'
import { PaymentOutcomes } from './payment-outcomes.ts'

/** Imported by every instance, and therefore one for the app. */
@Module({ imports: [DiscoveryModule], providers: [PaymentOutcomes], exports: [PaymentOutcomes] })
export class PaymentOutcomesModule {}
