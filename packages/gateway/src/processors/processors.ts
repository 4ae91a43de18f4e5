import type { OperationKey, RequestValues } from '@tallystick/core'
import type { Answer } from '../http/answer.ts'
import { processCreateCardRef, processCreateCardRefV4, processGetCardInfo } from './card-references.ts'
import {
  processAccountVerificationForm,
  processPaymentForm,
  processPayoutForm,
  processPreauthForm,
  processSaleForm,
} from './forms.ts'
import { processCapture, processPayoutPay, processReturn, processVoid } from './modifications.ts'
import {
  processAccountVerification,
  processPanEligibilitySend,
  processPreauth,
  processRebill,
  processSale,
} from './payments.ts'
import { processPayout, processPayoutCheck } from './payouts.ts'
import type { ProcessContext, Processor } from './processor.ts'
import { processCreateRecurringPayment } from './recurring-payments.ts'
import { processStatus } from './status.ts'
import { processTransfer, processTransferByRef } from './transfers.ts'
import { processUploadCresResult, processUploadMethodUrlResult, processUploadParesResult } from './uploads.ts'

/** The processor of each operation of the catalogue. */
const processors: { readonly [K in OperationKey]: Processor<K> } = {
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
}

export function processRequest<K extends OperationKey>(
  key: K,
  request: RequestValues<K>,
  context: ProcessContext,
): Promise<Answer> {
  const processor: Processor<K> = processors[key]
  return processor(request, context)
}
