import { type FieldIssue, InvalidInputError } from '../errors/payment-error.ts'
import type { Model } from '../models/model.ts'
import type { Parsed } from '../models/parse-model.ts'
import { catalogue, type OperationKey, type RequestValues } from '../operations/catalogue.ts'
import type { RequestInput } from '../operations/request-inputs.ts'
import { defineProfile, type Profile } from '../profile/profile.ts'
import { Payload } from '../sensitive/masked.ts'
import { readCsv, writeCsv } from './csv.ts'
import type { Pair } from './form.ts'
import { decodeRequest, encodeRequest, parseRequest } from './request.ts'

/** The rows of the plural forms of recurring payments, as comma-separated values (gaps part 14). */

/** The operation that each row of a plural form stands for. */
export const ROW_OPERATIONS = {
  createRecurringPayments: 'createRecurringPayment',
  processRecurringPayments: 'processRecurringPayment',
  updateRecurringPayments: 'updateRecurringPayment',
} as const satisfies Partial<Record<OperationKey, OperationKey>>

/** A plural form. */
export type RowsKey = keyof typeof ROW_OPERATIONS

/** The operation of one row. */
export type RowOperation<K extends RowsKey = RowsKey> = (typeof ROW_OPERATIONS)[K]

/** The columns that the vendor's newest pages print, in their order. The others follow as the model has them. */
const FIRST_COLUMNS: Readonly<Record<RowsKey, readonly string[]>> = {
  createRecurringPayments: [
    'recurringCardType',
    'clientOrderId',
    'cardNumber',
    'cvv2',
    'cardPrintedName',
    'expireYear',
    'expireMonth',
  ],
  processRecurringPayments: ['clientOrderId', 'recurringPaymentId', 'amount'],
  updateRecurringPayments: [
    'clientOrderId',
    'recurringPaymentId',
    'cardNumber',
    'cardPrintedName',
    'expireYear',
    'expireMonth',
    'amount',
  ],
}

/** More rows than a gateway of ours takes at once. */
export const MOST_ROWS = 100

/**
 * Writes rows as the `payload` of a plural form: a header, and a line for each row. Each row is the input of the operation
 * without the plural.
 *
 *     await client.processRecurringPayments({ payload: recurringRows('processRecurringPayments', rows) })
 *
 * @param profile the client's, if its amounts or wire names differ from the usual
 * @throws InvalidInputError that names each wrong field with its row, counted from 1
 */
export function recurringRows<K extends RowsKey>(
  key: K,
  rows: readonly RequestInput<RowOperation<K>>[],
  profile: Profile = defineProfile({ baseUrl: 'https://gate.example.com' }),
): Payload {
  const issues: FieldIssue[] = []
  if (rows.length === 0 || rows.length > MOST_ROWS) {
    const problem = `must be 1 to ${MOST_ROWS}`
    issues.push({ field: 'rows', wireName: 'payload', problem, remedy: 'Send several requests if there are more.' })
  }
  const written = rows.map((row, at) => {
    const parsed = parseRequest(ROW_OPERATIONS[key], withLogin(key, row), profile)
    if (parsed.ok) return new Map(encodeRequest(ROW_OPERATIONS[key], parsed.value, profile))
    issues.push(...parsed.issues.map((issue) => ({ ...issue, field: `row ${at + 1}: ${issue.field}` })))
    return new Map<string, string>()
  })
  if (issues.length > 0) throw new InvalidInputError(catalogue[key].name, issues)
  return new Payload(writeCsv(columnsOf(key, written, profile), written))
}

/** No column: who sends the request is in its signature (conflict N2). A creation of one has the field. */
function withLogin(key: RowsKey, row: object) {
  return key === 'createRecurringPayments' ? { ...row, login: '-' } : { ...row }
}

function columnsOf(key: RowsKey, rows: readonly ReadonlyMap<string, string>[], profile: Profile): readonly string[] {
  const model: Model = catalogue[ROW_OPERATIONS[key]].request
  const wireNames = new Map(model.spelling(profile.wireNames).sent)
  const first = FIRST_COLUMNS[key].map((name) => wireNames.get(name) ?? name)
  const used = new Set(rows.flatMap((row) => [...row.keys()]))
  used.delete(wireNames.get('login') ?? 'login')
  return [...new Set([...first, ...used])]
}

/** A row of a request as a gateway reads it. */
export interface ReadRow<K extends RowsKey> {
  /** The line of the payload on which it begins. */
  readonly line: number
  readonly parsed: Parsed<RequestValues<RowOperation<K>>>
}

/**
 * Reads the rows of a plural form, by the names in its header, in any order and spelling that the operation without the plural
 * takes. A body without `payload` is one row (conflict N2). The text: why there are no rows.
 */
export function readRecurringRows<K extends RowsKey>(
  key: K,
  { payload, extra }: RequestValues<RowsKey>,
  { login, profile }: { readonly login: string; readonly profile: Profile },
): readonly ReadRow<K>[] | string {
  const table = payload === undefined ? oneRow(extra) : readCsv(payload.reveal())
  if (!table.ok) return table.problem
  if (table.rows.length === 0) return 'has no row'
  if (table.rows.length > MOST_ROWS) return `has ${table.rows.length} rows, and ${MOST_ROWS} is the most`
  const { read } = catalogue[ROW_OPERATIONS[key]].request.spelling(profile.wireNames)
  return table.rows.map(({ line, cells }) => {
    const isLoginAbsent = read.has('login') && !cells.some(([name]) => read.get(name) === 'login')
    const pairs: readonly Pair[] = isLoginAbsent ? [...cells, ['login', login]] : cells
    return { line, parsed: decodeRequest(ROW_OPERATIONS[key], pairs, profile) as ReadRow<K>['parsed'] }
  })
}

function oneRow(extra: Readonly<Record<string, string>>) {
  const cells = Object.entries(extra)
  return { ok: true as const, rows: cells.length === 0 ? [] : [{ line: 1, cells }] }
}

/** What became of a row: the reply of the operation without the plural, or its refusal. */
export interface RecurringResult {
  readonly clientOrderId: string
  /** Of a recurring payment that was created, charged or changed. */
  readonly recurringPaymentId?: string | undefined
  /** Of a charge that was started. */
  readonly orderId?: string | undefined
  /** `approved`: created or changed. `processing`: the charge was started. `error`: refused, nothing was done for this row. */
  readonly status: string
  readonly errorCode?: string | undefined
  readonly errorMessage?: string | undefined
}

const RESULT_COLUMNS = {
  clientOrderId: 'client-orderid',
  recurringPaymentId: 'recurring-payment-id',
  orderId: 'paynet-order-id',
  status: 'status',
  errorCode: 'error-code',
  errorMessage: 'error-message',
} as const satisfies Record<keyof RecurringResult, string>

const RESULT_NAMES = Object.entries(RESULT_COLUMNS) as readonly (readonly [keyof RecurringResult, string])[]

/** Writes the results of rows, one line for each row in the order of the request. */
export function writeRecurringResults(results: readonly RecurringResult[]): string {
  const rows = results.map(
    (result) => new Map(RESULT_NAMES.map(([name, column]) => [column, result[name] ?? ''] as const)),
  )
  return writeCsv(Object.values(RESULT_COLUMNS), rows)
}

/**
 * Reads what became of each row from the `payload` of the reply to a plural form. Empty for a gateway that says nothing about
 * rows: no page of the family shows it, so ask for the status of each client order id there.
 */
export function recurringResults({
  payload = '',
}: {
  readonly payload?: string | undefined
}): readonly RecurringResult[] {
  const table = readCsv(payload)
  if (!table.ok) return []
  return table.rows.map(({ cells }) => {
    const texts = new Map(cells)
    const named = RESULT_NAMES.map(([name, column]) => [name, texts.get(column)] as const)
    const { clientOrderId = '', status = '', ...rest } = Object.fromEntries(named) as Partial<RecurringResult>
    return { clientOrderId, status, ...rest }
  })
}
