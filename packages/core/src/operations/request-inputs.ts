import type { Extra } from '../models/extra.ts'
import type { InputOf } from '../models/model.ts'
import type { OperationKey, Operations } from './catalogue.ts'

// An interface for each operation: an editor and the compiler show its name, and not how it is made. Of one without a member of its
// own they would show what it extends.

type InputFor<K extends OperationKey> = Omit<InputOf<Operations[K]['request']>, 'login' | 'extra'>

/** What a caller supplies for `uploadCresResult`. */
export interface UploadCresResultInput extends InputFor<'uploadCresResult'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `uploadMethodUrlResult`. */
export interface UploadMethodUrlResultInput extends InputFor<'uploadMethodUrlResult'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `uploadParesResult`. */
export interface UploadParesResultInput extends InputFor<'uploadParesResult'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `sale`. */
export interface SaleInput extends InputFor<'sale'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `saleForm`. */
export interface SaleFormInput extends InputFor<'saleForm'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `preauth`. */
export interface PreauthInput extends InputFor<'preauth'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `preauthForm`. */
export interface PreauthFormInput extends InputFor<'preauthForm'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `capture`. */
export interface CaptureInput extends InputFor<'capture'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `void`. */
export interface VoidInput extends InputFor<'void'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `return`. */
export interface ReturnInput extends InputFor<'return'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `accountVerification`. */
export interface AccountVerificationInput extends InputFor<'accountVerification'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `accountVerificationForm`. */
export interface AccountVerificationFormInput extends InputFor<'accountVerificationForm'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `paymentForm`. */
export interface PaymentFormInput extends InputFor<'paymentForm'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `createCardRef`. */
export interface CreateCardRefInput extends InputFor<'createCardRef'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `getCardInfo`. */
export interface GetCardInfoInput extends InputFor<'getCardInfo'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `makeRebill`. */
export interface MakeRebillInput extends InputFor<'makeRebill'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `status`. */
export interface StatusInput extends InputFor<'status'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `payout`. */
export interface PayoutInput extends InputFor<'payout'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `payoutForm`. */
export interface PayoutFormInput extends InputFor<'payoutForm'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `createCardRefV4`. */
export interface CreateCardRefV4Input extends InputFor<'createCardRefV4'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `createRecurringPayment`. */
export interface CreateRecurringPaymentInput extends InputFor<'createRecurringPayment'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `payoutCheck`. */
export interface PayoutCheckInput extends InputFor<'payoutCheck'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `payoutPay`. */
export interface PayoutPayInput extends InputFor<'payoutPay'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `panEligibilitySend`. */
export interface PanEligibilitySendInput extends InputFor<'panEligibilitySend'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `transfer`. */
export interface TransferInput extends InputFor<'transfer'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `transferByRef`. */
export interface TransferByRefInput extends InputFor<'transferByRef'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `processRecurringPayment`. */
export interface ProcessRecurringPaymentInput extends InputFor<'processRecurringPayment'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `updateRecurringPayment`. */
export interface UpdateRecurringPaymentInput extends InputFor<'updateRecurringPayment'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `createRecurringPayments`. */
export interface CreateRecurringPaymentsInput extends InputFor<'createRecurringPayments'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `processRecurringPayments`. */
export interface ProcessRecurringPaymentsInput extends InputFor<'processRecurringPayments'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `updateRecurringPayments`. */
export interface UpdateRecurringPaymentsInput extends InputFor<'updateRecurringPayments'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies for `getRecurringPayment`. */
export interface GetRecurringPaymentInput extends InputFor<'getRecurringPayment'> {
  /** Undocumented fields by their wire names, passed through as they are. */
  readonly extra?: Extra | undefined
}

/** What a caller supplies: the request's model without what the client adds. */
export type RequestInput<K extends OperationKey> = RequestInputs[K]

interface RequestInputs {
  readonly uploadCresResult: UploadCresResultInput
  readonly uploadMethodUrlResult: UploadMethodUrlResultInput
  readonly uploadParesResult: UploadParesResultInput
  readonly sale: SaleInput
  readonly saleForm: SaleFormInput
  readonly preauth: PreauthInput
  readonly preauthForm: PreauthFormInput
  readonly capture: CaptureInput
  readonly void: VoidInput
  readonly return: ReturnInput
  readonly accountVerification: AccountVerificationInput
  readonly accountVerificationForm: AccountVerificationFormInput
  readonly paymentForm: PaymentFormInput
  readonly createCardRef: CreateCardRefInput
  readonly getCardInfo: GetCardInfoInput
  readonly makeRebill: MakeRebillInput
  readonly status: StatusInput
  readonly payout: PayoutInput
  readonly payoutForm: PayoutFormInput
  readonly createCardRefV4: CreateCardRefV4Input
  readonly createRecurringPayment: CreateRecurringPaymentInput
  readonly payoutCheck: PayoutCheckInput
  readonly payoutPay: PayoutPayInput
  readonly panEligibilitySend: PanEligibilitySendInput
  readonly transfer: TransferInput
  readonly transferByRef: TransferByRefInput
  readonly processRecurringPayment: ProcessRecurringPaymentInput
  readonly updateRecurringPayment: UpdateRecurringPaymentInput
  readonly createRecurringPayments: CreateRecurringPaymentsInput
  readonly processRecurringPayments: ProcessRecurringPaymentsInput
  readonly updateRecurringPayments: UpdateRecurringPaymentsInput
  readonly getRecurringPayment: GetRecurringPaymentInput
}
