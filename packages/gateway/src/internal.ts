/**
 * What the other packages of tallystick need of this one. No part of the public interface: it may change in any release, so a package
 * depends on exactly its own version.
 */
export { cut, historyText, inColour, inJson, ordersTable, plain, type Shape } from './cli/tables.ts'
export type { FaultPlace } from './faults/faults.ts'
export { exampleCard, exampleCustomer, exampleRequest } from './inspection/example-request.ts'
export type { Account } from './ledger/ledger.ts'
export { candidateUrls, controlEvidence } from './requests/explain-refusal.ts'
export { advancingClock } from './runtime/clock.ts'
