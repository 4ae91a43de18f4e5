import { approvalCodes } from './secret-scan.ts'
import type { Cell } from './stored-cells.ts'

/** 15 digits (gaps part 13). */
const ORDER_ID = /^[1-9]\d{14}$/
const OPERATION_ID = /^[1-9]\d{14}-\d+$/
const INSTANT = /^1\d{12}$/
const SECOND = /^1\d{9}$/
const DIGEST = /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** 16 bytes. */
const TOKEN = /^[\w-]{22}$/

/**
 * Values that a gateway, a journal or the flows of these tests make up, and that may contain any four digits by chance. Each is
 * known by its name, which is that of a column, a member of a JSON text or a parameter of an address, and by the form of the
 * whole value. A CVV in a value of another name or form is found.
 */
const MADE: Readonly<Record<string, RegExp>> = {
  order_id: ORDER_ID,
  orderid: ORDER_ID,
  orderId: ORDER_ID,
  reference_id: ORDER_ID,
  recurring_payment_id: ORDER_ID,
  recurringPaymentId: ORDER_ID,
  processorTxId: /^PNTEST-[1-9]\d{14}$/,
  'processor-tx-id': /^PNTEST-[1-9]\d{14}$/,
  operation_id: OPERATION_ID,
  operationId: OPERATION_ID,
  delivery_id: OPERATION_ID,
  deliveryId: OPERATION_ID,
  task_id: /^[a-z]+-[1-9]\d{14}(?:-\d+)?$/,
  client_order_id: /^[ft][0-9a-z]{24,27}$/,
  client_orderid: /^[ft][0-9a-z]{24,27}$/,
  clientOrderId: /^[ft][0-9a-z]{24,27}$/,
  merchant_order: /^[ft][0-9a-z]{24,27}$/,
  made_at: INSTANT,
  created_at: INSTANT,
  createdAt: INSTANT,
  changed_at: INSTANT,
  status_at: INSTANT,
  at: INSTANT,
  due_at: INSTANT,
  first_at: INSTANT,
  sent_at: INSTANT,
  timestamp: SECOND,
  digest: DIGEST,
  signed_as: DIGEST,
  control: DIGEST,
  fingerprint: DIGEST,
  card_id: DIGEST,
  cardId: DIGEST,
  intent_id: UUID,
  intentId: UUID,
  // The key of an outcome: the order and a number.
  key: /^[ft][0-9a-z]{24,27}:\d+$/,
  serial_number: UUID,
  serialNumber: UUID,
  page_token: TOKEN,
  token: TOKEN,
  threeDsSessionData: TOKEN,
  key_id: /^\d{4}-\d\d-\d\d-[0-9a-f]{8}$/,
  key_name: /^[a-z]+\.\d{4}-\d\d-\d\d-[0-9a-f]{8}$/,
  check_value: DIGEST,
  // AES-256-GCM: 12 bytes before and 16 after the 32 of a key and the 16 of a padded card number.
  wrapped_key: /^[\s\S]{60}$/,
  sealed_pan: /^[\s\S]{44}$/,
  // The same 28 bytes and a JSON text, in base64.
  requestFields: /^[A-Za-z\d+/]{40,}={0,2}$/,
}

/** Each stored value that was made up. */
export function madeValues(cells: readonly Cell[]): readonly (string | RegExp)[] {
  const leaves = cells.flatMap(leavesOf)
  const made = [...new Set(leaves.filter(isMade).map(({ text }) => text))]
  return [...made, ...approvalCodes(made.filter((text) => text.startsWith('PNTEST-')))]
}

function isMade({ column, text }: Cell): boolean {
  return Object.hasOwn(MADE, column) && MADE[column]?.test(text) === true
}

/** The members of a JSON text, the parts of an address, or else the value itself. */
function leavesOf({ column, text }: Cell): readonly Cell[] {
  const value = jsonOf(text)
  if (value !== undefined) return membersOf(column, value)
  if (!/^https?:\/\//.test(text)) return [{ column, text }]
  const { pathname, searchParams } = new URL(text)
  const token = { column: 'token', text: pathname.slice(pathname.lastIndexOf('/') + 1) }
  return [token, ...[...searchParams].map(([name, value]) => ({ column: name, text: value }))]
}

/** The parsed text, or `undefined`: sealed bytes may begin like JSON. */
function jsonOf(text: string): unknown {
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function membersOf(name: string, value: unknown): readonly Cell[] {
  if (typeof value !== 'object' || value === null) return leavesOf({ column: name, text: String(value) })
  const isList = Array.isArray(value)
  return Object.entries(value).flatMap(([member, inner]) => membersOf(isList ? name : member, inner))
}
