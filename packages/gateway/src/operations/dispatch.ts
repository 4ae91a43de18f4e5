import type { OperationKey } from '@tallystick/core'
import {
  describeIssue,
  GATEWAY_CODES,
  RecurringPaymentRowsResponse,
  type RecurringResult,
  type RequestValues,
  ROW_OPERATIONS,
  type RowOperation,
  type RowsKey,
  readRecurringRows,
  ValidationErrorResponse,
  writeRecurringResults,
} from '@tallystick/core/internal'
import type { Processor, RequestContext } from '../context.ts'
import { type Answer, refusal } from '../http/reply.ts'
import { cardReferences } from './cards.ts'
import { modifications } from './modifications.ts'
import { payments } from './payments.ts'
import { processProcessRecurringPayment } from './process-recurring.ts'
import { processCreateRecurringPayment } from './recurring.ts'
import { processStatus } from './status.ts'
import { recurringPayments } from './update-recurring.ts'

/** The operations of one request each; each row of the others is one of these. */
export type SingleKey = Exclude<OperationKey, RowsKey>

const processors: { readonly [K in SingleKey]: Processor<K> } = {
  ...payments,
  ...modifications,
  ...cardReferences,
  ...recurringPayments,
  status: processStatus,
  createRecurringPayment: processCreateRecurringPayment,
  processRecurringPayment: processProcessRecurringPayment,
}

export function processRequest<K extends SingleKey>(
  key: K,
  request: RequestValues<K>,
  context: RequestContext,
): Promise<Answer> {
  const processor: Processor<K> = processors[key]
  return processor(request, context)
}

/** Carries out one row, as the request of its own that it stands for. */
type CarryOut = (key: RowOperation, values: RequestValues<RowOperation>) => Promise<Answer>

/**
 * The plural forms (gaps part 14). If a field of any row is wrong, nothing is done. Otherwise the rows are carried out one after the
 * other, each by itself: a refusal is in the result of its row, and the others go on. If the gateway fails midway, send the same
 * rows again: those that were carried out get their first answers.
 */
export async function answerRows(
  key: RowsKey,
  request: RequestValues<RowsKey>,
  { service: { profile }, merchant: { login } }: Pick<RequestContext, 'service' | 'merchant'>,
  carryOut: CarryOut,
): Promise<Answer> {
  const rows = readRecurringRows(key, request, { login, profile })
  if (typeof rows === 'string') return refusal(GATEWAY_CODES.invalidRequest, `payload (payload) ${rows}.`)
  const requests: RequestValues<RowOperation>[] = []
  const wrong: string[] = []
  for (const { line, parsed } of rows) {
    if (!parsed.ok) wrong.push(`Line ${line}: ${parsed.issues.map(describeIssue).join(' ')}`)
    else if ('login' in parsed.value && parsed.value.login !== login)
      wrong.push(`Line ${line}: login must be ${login}.`)
    else requests.push(parsed.value)
  }
  if (wrong.length > 0) return refusal(GATEWAY_CODES.invalidRequest, wrong.slice(0, MOST_TOLD).join(' '))
  const results: RecurringResult[] = []
  for (const values of requests) results.push(resultOf(values, await carryOut(ROW_OPERATIONS[key], values)))
  const isCharge = key === 'processRecurringPayments'
  return {
    httpStatus: 200,
    model: RecurringPaymentRowsResponse,
    values: {
      type: TYPES[key],
      status: isCharge ? 'processing' : 'approved',
      payload: writeRecurringResults(results),
    },
  }
}

/** A message tells the first of the wrong lines. */
const MOST_TOLD = 10

/** As pages print it for the charges: the same as without the plural. */
const TYPES: Readonly<Record<RowsKey, string>> = {
  createRecurringPayments: 'create-recurring-payment-response',
  processRecurringPayments: 'process-recurring-payment-response',
  updateRecurringPayments: 'update-recurring-payment-response',
}

function resultOf(values: RequestValues<RowOperation>, { model, values: told }: Answer): RecurringResult {
  const text = (name: string) => (typeof told[name] === 'string' ? told[name] : undefined)
  const { clientOrderId } = values
  const { recurringPaymentId: ofRequest }: Readonly<Partial<Record<'clientOrderId' | 'recurringPaymentId', string>>> =
    values
  const recurringPaymentId = text('recurringPaymentId') ?? ofRequest
  if (model === ValidationErrorResponse) {
    const why = { errorCode: text('errorCode'), errorMessage: text('errorMessage') }
    return { clientOrderId, recurringPaymentId, status: 'error', ...why }
  }
  return { clientOrderId, recurringPaymentId, orderId: text('orderId'), status: text('status') ?? '' }
}
