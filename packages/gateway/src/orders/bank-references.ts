import { isFinalStatus, type ReplyValues } from '@tallystick/core'
import type { BankReferences, StoredOperation } from './order.ts'

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
