import { styleText } from 'node:util'
import type { OrderHistory, OrderSummary, Timeline } from '../inspection/history.ts'
import type { GivenUpCallback } from '../inspection/inspection.ts'

/** What operators read, as text for a terminal. */

/** How wide a text may be, and whether it may have colours. */
export interface Shape {
  /** `Infinity` cuts nothing: a file has no width. */
  readonly width: number
  readonly isColoured: boolean
}

/** A table that is cut to a width at its last column. The cells of one column have the colour of their status. */
function table(
  head: readonly string[],
  rows: ReadonlyArray<readonly string[]>,
  { width, isColoured }: Shape,
  statusColumn?: number,
): string {
  const lines = [head, ...rows.map((row) => row.map(plain))]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => Array.from(line[column] ?? '').length)))
  const written = lines.map((line) => {
    const text = cut(
      line
        .map((cell, column) => padded(cell, widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
      width,
    )
    const status = statusColumn === undefined ? undefined : line[statusColumn]
    // It stands behind cells that have no such word.
    return isColoured && status !== undefined ? text.replace(` ${status} `, ` ${inColour(status, status)} `) : text
  })
  return `${written.join('\n')}\n`
}

const COLOURS = {
  approved: 'green',
  acknowledged: 'green',
  declined: 'red',
  filtered: 'red',
  error: 'red',
  refused: 'red',
  'given-up': 'red',
  processing: 'yellow',
  open: 'yellow',
  unknown: 'yellow',
} as const

/** The text in the colour of a status, if that has one. */
export function inColour(status: string, text: string): string {
  const colour = Object.entries(COLOURS).find(([name]) => name === status)?.[1]
  return colour === undefined ? text : styleText(colour, text, { validateStream: false })
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - Array.from(text).length))
}

/** The text, or what of it fits with a sign that there is more. */
export function cut(line: string, width: number): string {
  const characters = Array.from(line)
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join('')}…`
}

/** A merchant's text may hold what steers a terminal, turns its direction or does not show. */
export function plain(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}\p{DI}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** One line, with the same characters written as JSON can. */
export function inJson(value: unknown): string {
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu, (character) =>
    character
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** In UTC: `2030-01-31 06:00:00`. */
function time(iso: string | undefined): string {
  return iso === undefined ? '' : iso.slice(0, 19).replace('T', ' ')
}

export function ordersTable(orders: readonly OrderSummary[], shape: Shape): string {
  const rows = orders.map(({ createdAt, orderId, status, amount, initialAmount, currency, login, clientOrderId }) => {
    // Of what was not approved the whole amount is asked for, and nothing is there.
    const money = status === 'approved' ? amount : initialAmount
    return [
      time(createdAt),
      orderId,
      status,
      money === undefined ? '' : `${money} ${currency}`,
      `${login} ${clientOrderId}`,
    ]
  })
  return table(['CREATED (UTC)', 'ORDER', 'STATUS', 'AMOUNT', 'MERCHANT AND ITS ID'], rows, shape, 2)
}

export function callbacksTable(callbacks: readonly GivenUpCallback[], shape: Shape): string {
  const rows = callbacks.map(({ id, givenUpAt, attempts, lastAnswer = 'never sent', state, reason, host }) => {
    const answer = state === 'refused' ? '' : `, ${lastAnswer}`
    return [time(givenUpAt).slice(0, -3), id, `${attempts}`, `${reason}, ${host}${answer}`]
  })
  return table(['GIVEN UP (UTC)', 'CALLBACK', 'SENT', 'REASON, HOST AND LAST ANSWER'], rows, shape)
}

/** An order as an operator of a gateway sees it, or as a sandbox shows it. */
type ShownHistory = Omit<OrderHistory, 'records' | 'callbacks'> &
  Partial<Pick<OrderHistory, 'records'> & Pick<Timeline, 'faults'>> & {
    readonly callbacks: ReadonlyArray<
      Omit<OrderHistory['callbacks'][number], 'address'> & { address?: string | undefined }
    >
  }

/** An order with its history: sections of lines, empty ones left out. */
export function historyText(order: ShownHistory, { width, isColoured }: Shape): string {
  const { orderId, status, transactionType, orderStage, login, endpointId, clientOrderId, createdAt } = order
  const {
    amount,
    initialAmount,
    currency,
    card,
    destination,
    operations,
    postings,
    callbacks,
    tasks,
    records = [],
    faults = [],
  } = order
  const head = [
    ['order', orderId],
    ['status', [status, transactionType, orderStage].filter(isText).join(', ')],
    ['merchant', `${login}, endpoint ${endpointId}`],
    ['its id', clientOrderId],
    ['created', `${time(createdAt)} UTC`],
    ...(amount === undefined ? [] : [['amount', `${amount} ${currency} now, ${initialAmount} ${currency} at first`]]),
    ...(card === undefined ? [] : [['card', cardText(card)]]),
    ...(destination === undefined ? [] : [['paid to', cardText(destination)]]),
    ...(faults.length === 0 ? [] : [['faults', faults.join(', ')]]),
  ].map(([name = '', text = '']) => {
    const line = cut(`${name.padEnd(10)}${plain(text)}`, width)
    return isColoured && name === 'status' ? line.replace(status, inColour(status, status)) : line
  })
  const sections: ReadonlyArray<readonly [string, readonly string[]]> = [
    ['operations', operations.flatMap(operationLines)],
    [
      'postings',
      postings.map((each) => `${time(each.at)}  ${each.operationId}  ${each.account} ${each.amount} ${each.currency}`),
    ],
    ['callbacks', callbacks.flatMap(callbackLines)],
    ['due', tasks.map(({ kind, dueAt, tried }) => `${time(dueAt)}  ${kind}, tried ${tried} times`)],
    ['operators', records.flatMap(recordLines)],
  ]
  const written = sections.map(([name, lines]) =>
    lines.length === 0 ? '' : `\n${name}\n${lines.map((line) => `${cut(`  ${plain(line)}`, width)}\n`).join('')}`,
  )
  return `${head.join('\n')}\n${written.join('')}`
}

function cardText({ cardType = '', bin = '', lastFourDigits = '' }: NonNullable<OrderHistory['card']>): string {
  return `${cardType} ${bin}******${lastFourDigits}`
}

function operationLines({
  id,
  kind,
  amount,
  status,
  createdAt,
  statusAt,
  ...outcome
}: OrderHistory['operations'][number]) {
  const { errorCode, errorMessage, comment, awaits, verified3dStatus, methodCompletion, submitted } = outcome
  const { approvalCode, rrn, arn, processorTxId, serialNumber } = outcome
  return [
    `${time(createdAt)}  ${id}  ${kind} ${amount ?? ''}`,
    `${time(statusAt)}  ${status}${errorCode === undefined ? '' : `, ${errorCode} ${errorMessage ?? ''}`}`,
    ...named('3-D Secure', {
      'waits for': awaits,
      'method step': methodCompletion,
      result: verified3dStatus,
      'given to the bank': submitted && `${submitted.step} at ${time(new Date(submitted.at).toISOString())}`,
    }),
    ...named('bank', { approval: approvalCode, id: processorTxId, rrn, arn }),
    ...named('request', { id: serialNumber, comment }),
  ]
}

function callbackLines({
  id,
  state,
  attempts,
  lastAnswer,
  firstAt,
  dueAt,
  givenUpAt,
  address,
}: ShownHistory['callbacks'][number]) {
  return [
    `${id}  ${state}, sent ${attempts} times${isText(lastAnswer) ? `, last answer ${lastAnswer}` : ''}`,
    ...named('', { first: time(firstAt), next: time(dueAt), 'given up': time(givenUpAt), to: address }),
  ]
}

function recordLines({ at, who, from, act, before, after, why }: OrderHistory['records'][number]) {
  return [`${time(at)}  ${act} by ${who} from ${from}`, ...named('', { before, after, why })]
}

/** One line for what there is of it, under the one before. */
function named(of: string, facts: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = Object.entries(facts).flatMap(([name, text]) => (isText(text) ? [`${name} ${text}`] : []))
  return known.length === 0 ? [] : [`    ${of}${of === '' ? '' : ': '}${known.join(', ')}`]
}

function isText(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}
