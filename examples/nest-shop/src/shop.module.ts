import { type DynamicModule, Module } from '@nestjs/common'
import { APP_FILTER, APP_GUARD } from '@nestjs/core'
import { BackOfficeController } from './controllers/back-office.controller.ts'
import { HealthController } from './controllers/health.controller.ts'
import { ShopFrontController } from './controllers/shop-front.controller.ts'
import { OtherSitesGuard } from './guards.ts'
import { HangUpAfterAnswers } from './hang-up-after-answers.ts'
import { pagesProvider } from './pages/pages.provider.ts'
import { ProblemPageFilter } from './pages/problem-page.filter.ts'
import { payments } from './payments.ts'
import { type Setup, setupModule } from './setup.module.ts'
import { Bookkeeping } from './till/bookkeeping.ts'
import { ShopAddresses } from './till/shop-addresses.ts'
import { ShopTill } from './till/shop-till.ts'

/** A shop that never charges twice: its journal is in the same file as its own rows. */
@Module({
  imports: [payments],
  controllers: [ShopFrontController, BackOfficeController, HealthController],
  providers: [
    pagesProvider,
    ShopAddresses,
    ShopTill,
    Bookkeeping,
    HangUpAfterAnswers,
    { provide: APP_GUARD, useClass: OtherSitesGuard },
    { provide: APP_FILTER, useClass: ProblemPageFilter },
  ],
})
class ShopModule {}

export function shopModule(setup: Setup): DynamicModule {
  return { module: ShopModule, imports: [setupModule(setup)] }
}
