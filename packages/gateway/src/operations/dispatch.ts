import type { OperationKey, RequestValues } from '@tallystick/core'
import type { RowsKey } from '@tallystick/core/internal'
import type { Processor, RequestContext } from '../context.ts'
import type { Answer } from '../http/reply.ts'
import { processCreateCardRef, processCreateCardRefV4, processGetCardInfo } from './card-references.ts'
import { processCapture, processPayoutPay, processReturn, processVoid } from './modifications.ts'
import {
  processAccountVerification,
  processAccountVerificationForm,
  processPanEligibilitySend,
  processPaymentForm,
  processPayoutForm,
  processPreauth,
  processPreauthForm,
  processRebill,
  processSale,
  processSaleForm,
  processTransfer,
  processTransferByRef,
} from './payments.ts'
import { processPayout, processPayoutCheck } from './payouts.ts'
import { processProcessRecurringPayment } from './process-recurring.ts'
import { processCreateRecurringPayment } from './recurring.ts'
import { processStatus } from './status.ts'
import { processGetRecurringPayment, processUpdateRecurringPayment } from './update-recurring.ts'
import { processUploadCresResult, processUploadMethodUrlResult, processUploadParesResult } from './uploads.ts'

/** The operations of one request each; each row of the others is one of these. */
export type SingleKey = Exclude<OperationKey, RowsKey>

/** The processor of each. */
const processors: { readonly [K in SingleKey]: Processor<K> } = {
  uploadCresResult: processUploadCresResult,
  uploadMethodUrlResult: processUploadMethodUrlResult,
  uploadParesResult: processUploadParesResult,
  sale: processSale,
  saleForm: processSaleForm,
  preauth: processPreauth,
  preauthForm: processPreauthForm,
  capture: processCapture,
  void: processVoid,
  return: processReturn,
  accountVerification: processAccountVerification,
  accountVerificationForm: processAccountVerificationForm,
  paymentForm: processPaymentForm,
  createCardRef: processCreateCardRef,
  getCardInfo: processGetCardInfo,
  makeRebill: processRebill,
  status: processStatus,
  payout: processPayout,
  payoutForm: processPayoutForm,
  createCardRefV4: processCreateCardRefV4,
  createRecurringPayment: processCreateRecurringPayment,
  payoutCheck: processPayoutCheck,
  payoutPay: processPayoutPay,
  panEligibilitySend: processPanEligibilitySend,
  transfer: processTransfer,
  transferByRef: processTransferByRef,
  processRecurringPayment: processProcessRecurringPayment,
  updateRecurringPayment: processUpdateRecurringPayment,
  getRecurringPayment: processGetRecurringPayment,
}

export function processRequest<K extends SingleKey>(
  key: K,
  request: RequestValues<K>,
  context: RequestContext,
): Promise<Answer> {
  const processor: Processor<K> = processors[key]
  return processor(request, context)
}
