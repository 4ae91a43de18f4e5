import { isFinalStatus, type OperationKind, type Profile, type ReplyValues } from '@tallystick/core'
import { GATEWAY_CODES, type ShownStatus, shownStatus } from '@tallystick/core/internal'
import type { SealedCard } from '../vault/sealed-card.ts'
import { majorUnits, NO_CURRENCY } from './amounts.ts'
import { lastOperation, ruledOrder, upTo } from './operations.ts'
import type {
  BankReferences,
  OperationOutcome,
  OrderCard,
  OrderDestination,
  StoredOperation,
  StoredOrder,
} from './order.ts'

/** What the status shows of an order at a time: its last operation, or the requested one (gaps part 13). */
export function shownOrder(order: StoredOrder, operation: StoredOperation, profile: Profile, at?: number) {
  const { currency } = order.terms
  const now = shownStatus(ruledOrder(order))
  const then = shownStatus(ruledOrder(upTo(order, operation)), operation === lastOperation(order) ? at : undefined)
  const outcome = shownOutcome(operation, then)
  const { errorCode, errorMessage, verified3dStatus } = outcome
  const money =
    currency === NO_CURRENCY
      ? {}
      : {
          amount: majorUnits(now.amount, currency, profile),
          initialAmount: majorUnits(now.initialAmount, currency, profile),
          currency,
        }
  return {
    status: then.status,
    transactionType: then.transactionType,
    errorCode,
    errorMessage,
    ...shownReferences({ ...operation, outcome }),
    verified3dStatus,
    orderStage: then.orderStage ?? orderStage(operation),
    ...money,
  }
}

/** The outcome of a payout-check that was not paid in time: it is no longer approved (rule `check-expiry`). */
const EXPIRED_CHECK: OperationOutcome = {
  errorCode: GATEWAY_CODES.refusedByRule,
  errorMessage: 'Not paid in time, by rule check-expiry: check again, under a new order id.',
}

/** The outcome of an operation that fits its shown status. */
export function shownOutcome({ status, outcome }: StoredOperation, shown: ShownStatus): OperationOutcome {
  return status === 'approved' && shown.status === 'declined' ? EXPIRED_CHECK : outcome
}

/** What is stored and shown of a card. */
export function shownCard(sealed: SealedCard): OrderCard {
  const { cardId, bin, lastFourDigits, cardType, cardholderName, expireMonth, expireYear } = sealed
  return {
    cardId,
    bin,
    lastFourDigits,
    cardType,
    cardholderName,
    cardExpireMonth: expireMonth,
    cardExpireYear: expireYear,
  }
}

/** What is stored and shown of a card that receives money. */
export function shownDestination({ cardId, bin, lastFourDigits, cardType }: SealedCard): OrderDestination {
  return { cardId, bin, lastFourDigits, cardType }
}

/** How the bank names what it did, without what else came of it. */
export function referencesOf(outcome: BankReferences): BankReferences {
  const { approvalCode, processorTxId, rrn, creditRrn, arn, creditArn, creditApprovalCode } = outcome
  const { terminalId, batchId, responseCode, reasonCode, processedAt } = outcome
  return {
    approvalCode,
    processorTxId,
    rrn,
    creditRrn,
    arn,
    creditArn,
    creditApprovalCode,
    terminalId,
    batchId,
    responseCode,
    reasonCode,
    processedAt,
  }
}

/** What a status and a callback show of an operation: when it was decided, and how the bank names it. */
export function shownReferences({ status, statusAt, outcome }: StoredOperation) {
  const { approvalCode, processorTxId, rrn, creditRrn, arn, creditArn, creditApprovalCode } = outcome
  const { terminalId, batchId, responseCode, reasonCode, processedAt } = outcome
  const isDecided = isFinalStatus(status) || status === 'unknown'
  return {
    approvalCode,
    processorTxId,
    processorRrn: rrn,
    processorCreditRrn: creditRrn,
    processorDebitArn: arn,
    processorCreditArn: creditArn,
    processorAuthCreditCode: creditApprovalCode,
    terminalId,
    processorBatchId: batchId,
    authResponseCode: responseCode,
    reasonCode,
    processingDate: isDecided ? shownInstant(statusAt) : undefined,
    acquirerProcessingDate: processedAt === undefined ? undefined : shownInstant(processedAt),
  } satisfies Partial<Omit<ReplyValues<'status'>, 'extra'>>
}

/** As the family writes it, in UTC: `2030-01-31 06:00:00 UTC` (gaps part 4). */
function shownInstant(at: number): string {
  return `${new Date(at).toISOString().slice(0, -5).replace('T', ' ')} UTC`
}

/** How an `order-stage` begins, and how it ends after a failure, by kind (gaps part 5, those that were seen). */
const STAGES: Readonly<Record<OperationKind, readonly [name: string, failed: string]>> = {
  sale: ['sale', 'failed'],
  preauth: ['auth', 'declined'],
  'account-verification': ['account_verification', 'declined'],
  capture: ['capture', 'declined'],
  cancel: ['cancel', 'declined'],
  reversal: ['reversal', 'declined'],
  chargeback: ['chargeback', 'declined'],
  'payout-check': ['payout_check', 'declined'],
  'payout-pay': ['payout', 'declined'],
  payout: ['payout', 'declined'],
  transfer: ['transfer', 'declined'],
}

/** How far an operation has come. `undefined`: there is no word for it. */
export function orderStage({ kind, status, outcome }: StoredOperation): string | undefined {
  const [name, failed] = STAGES[kind]
  if (status === 'approved') return `${name}_approved`
  if (status === 'declined' || status === 'filtered' || status === 'error') return `${name}_${failed}`
  return outcome.awaits === undefined ? undefined : `${name}_3d_validating`
}
