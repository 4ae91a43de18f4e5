export { chooseStaffPassword, type Refusal, refuseOtherSites, refuseStrangers } from './access.ts'
export { Browser, type Page } from './browser/browser.ts'
export { errorLine } from './error-line.ts'
export { errorStatus } from './error-status.ts'
export { hangUpAfterAnswers } from './hang-up-after-answers.ts'
export { officeOf } from './journey/back-office.ts'
export { buy } from './journey/customer-pays.ts'
export { playJourney } from './journey/journey.ts'
export { seeOther } from './pages/page.ts'
export { createPages, type Pages } from './pages/pages.ts'
export { CALLBACK_PATH, RETURN_PATH } from './paths.ts'
export { askGateway } from './payments/ask-gateway.ts'
export { changeOrder } from './payments/change-order.ts'
export { checkout } from './payments/checkout.ts'
export { recordNeverSent, recordRefusals } from './payments/record-result.ts'
export { isBackOfficeAction } from './payments/rules.ts'
export { noteLater, settle } from './payments/settle.ts'
export { rebill, storeCard } from './payments/stored-card.ts'
export type { Addresses, Till } from './payments/till.ts'
export { type Product, products } from './products.ts'
export type { LedgerRow, ShopOrder } from './rows/order.ts'
export { openShopDatabase, type ShopDatabase } from './rows/shop-database.ts'
export { run } from './run.ts'
export { serve } from './serve.ts'
export {
  type RunningShop,
  type ShopSetup,
  type StartShop,
  startWorld,
  type World,
  type WorldOptions,
} from './world/world.ts'
