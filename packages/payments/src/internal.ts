/**
 * What the other packages of tallystick need of this one. No part of the public interface: it may change in any release, so a package
 * depends on exactly its own version.
 */
export { operationEnd, PAID_OPERATIONS, paidPayment, paymentNotice } from './events.ts'
export { checkPaymentsOptions, DATABASE_KIND, mergedTexts, SETTINGS_KINDS, storeOf } from './options.ts'
export { returnPage } from './routes.ts'
