import { redactedId } from '../sensitive/redacted-id.ts'
import type { ReplyFields } from './reply-fields.ts'

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
