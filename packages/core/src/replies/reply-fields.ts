import { modelsOf } from '../models/model.ts'
import { redactedId } from '../sensitive/redact.ts'
import type { Status } from '../statuses.ts'

/** What the fields of replies hold, as `RequestFields` does for requests. */
export interface ReplyFields {
  readonly type: string
  readonly serialNumber: string
  readonly clientOrderId: string
  readonly endpointId: string
  readonly errorMessage: string
  readonly errorCode: string
  readonly orderId: string
  readonly status: Status
  readonly redirectUrl: string
  readonly cardRefId: string
  readonly bin: string
  readonly lastFourDigits: string
  readonly expireMonth: string
  readonly expireYear: string
  readonly cardPrintedName: string
  readonly cardType: string
  readonly maskedPan: string
  readonly result3d: string
  readonly receiptId: string
  readonly byRequestSn: string
  readonly transactionType: string
  readonly orderStage: string
  readonly reasonCode: string
  readonly approvalCode: string
  readonly authResponseCode: string
  readonly amount: string
  readonly currency: string
  readonly initialAmount: string
  readonly partialReversal: string
  readonly partialCapture: string
  readonly descriptor: string
  readonly originalGateDescriptor: string
  readonly name: string
  readonly cardholderName: string
  readonly cardExpireMonth: string
  readonly cardExpireYear: string
  readonly cardHashId: string
  readonly recurringPaymentId: string
  readonly bankName: string
  readonly cardCountry: string
  readonly productCode: string
  readonly productName: string
  readonly paymentTypeCode: string
  readonly paymentTypeName: string
  readonly destinationHashId: string
  readonly destinationBankName: string
  readonly destinationBin: string
  readonly destinationLastFourDigits: string
  readonly destinationCardType: string
  readonly email: string
  readonly phone: string
  readonly firstName: string
  readonly lastName: string
  readonly terminalId: string
  readonly processorTxId: string
  readonly processorRrn: string
  readonly processorCreditRrn: string
  readonly processorCreditArn: string
  readonly processorDebitArn: string
  readonly processorAuthCreditCode: string
  readonly processorBatchId: string
  readonly processingDate: string
  readonly acquirerProcessingDate: string
  readonly html: string
  readonly redirectTo: string
  readonly tdsStatus: string
  readonly methodUrl: string
  readonly threeDsServerTransId: string
  readonly verified3dStatus: string
  readonly verifiedRscStatus: string
  readonly creqFormAcsUrl: string
  readonly creqFormCreq: string
  readonly creqFormSessionData: string
  readonly pareqFormAcsUrl: string
  readonly pareqFormPareq: string
  readonly pareqFormMd: string
  readonly merchantData: string
  readonly loyaltyBalance: string
  readonly loyaltyMessage: string
  readonly loyaltyBonus: string
  readonly loyaltyProgram: string
  readonly uniqueCardRefId: string
  readonly destinationCardRefId: string
  readonly destinationRecurringPaymentId: string
  readonly payload: string
  readonly interval: string
  readonly period: string
  readonly startDate: string
  readonly finishDate: string
  readonly amountFrom: string
  readonly amountTo: string
  readonly amountSequence: string
  readonly comingCharges: string
  readonly recurringPaymentState: string
}

export const defineReply = modelsOf<ReplyFields>()

/** The fields of a status and of a callback by which the bank finds an operation again. */
const REFERENCES = [
  'approvalCode',
  'processorTxId',
  'processorRrn',
  'processorCreditRrn',
  'processorDebitArn',
  'processorCreditArn',
  'processorAuthCreditCode',
  'processorBatchId',
  'terminalId',
  'authResponseCode',
  'reasonCode',
  'acquirerProcessingDate',
] as const satisfies ReadonlyArray<keyof ReplyFields>

/** How the bank names an operation: for reconciliation with its statements, and for questions to it. As the gateway spells it. */
export type BankReferences = { readonly [K in (typeof REFERENCES)[number]]?: string | undefined }

/** When an operation was processed and how the bank names it, as far as a status or a callback says so. */
export interface Processed {
  /**
   * Milliseconds since 1970: when the gateway processed it (`paynet-processing-date`). Absent: it says no date, or one in a time
   * zone that we do not know, which `reply.processingDate` has as a text.
   */
  readonly processedAt?: number
  /** Absent: the gateway says none. */
  readonly references?: BankReferences
}

type Shown = BankReferences & { readonly processingDate?: string | undefined }

export function processed(shown: Shown): Processed {
  const said = REFERENCES.flatMap((name) => {
    const text = shown[name]?.trim()
    return text === undefined || text === '' ? [] : [[name, redactedId(text)] as const]
  })
  const processedAt = instantOf(shown.processingDate)
  return {
    ...(processedAt === undefined ? {} : { processedAt }),
    ...(said.length === 0 ? {} : { references: Object.fromEntries(said) }),
  }
}

/** `2015-04-09 17:14:26 MSK` (gaps part 4), and what else says its zone. */
const DATE = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d+)? ?(UTC|GMT|Z|MSK|[+-]\d\d:?\d\d)$/

/** Moscow has been three hours ahead all year since October 2014. */
const ZONES: Readonly<Record<string, string>> = { UTC: 'Z', GMT: 'Z', MSK: '+03:00' }

function instantOf(text = ''): number | undefined {
  const [, date, time, zone = ''] = DATE.exec(text.trim()) ?? []
  const offset = ZONES[zone] ?? zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')
  const at = date === undefined ? Number.NaN : Date.parse(`${date}T${time}${offset}`)
  return Number.isNaN(at) ? undefined : at
}
