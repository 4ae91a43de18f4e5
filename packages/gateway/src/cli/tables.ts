import type { OrderHistory, OrderSummary } from '../inspection/history.ts'
import type { GivenUpCallback } from '../inspection/inspection.ts'

/** What operators read, as text for a terminal. */

/** A table that is cut to a width at its last column. `Infinity` cuts nothing: a file has no width. */
function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>, width: number): string {
  const lines = [head, ...rows.map((row) => row.map(plain))]
  const widths = head.map((_, column) => Math.max(...lines.map((line) => Array.from(line[column] ?? '').length)))
  const written = lines.map((line) => line.map((cell, column) => padded(cell, widths[column] ?? 0)).join('  '))
  return `${written.map((line) => cut(line.trimEnd(), width)).join('\n')}\n`
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - Array.from(text).length))
}

function cut(line: string, width: number): string {
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

export function ordersTable(orders: readonly OrderSummary[], width: number): string {
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
  return table(['CREATED (UTC)', 'ORDER', 'STATUS', 'AMOUNT', 'MERCHANT AND ITS ID'], rows, width)
}

export function callbacksTable(callbacks: readonly GivenUpCallback[], width: number): string {
  const rows = callbacks.map(({ id, givenUpAt, attempts, lastAnswer = 'never sent', state, reason, host }) => {
    const answer = state === 'refused' ? '' : `, ${lastAnswer}`
    return [time(givenUpAt).slice(0, -3), id, `${attempts}`, `${reason}, ${host}${answer}`]
  })
  return table(['GIVEN UP (UTC)', 'CALLBACK', 'SENT', 'REASON, HOST AND LAST ANSWER'], rows, width)
}

/** An order with its history: sections of lines, empty ones left out. */
export function historyText(order: OrderHistory, width: number): string {
  const { orderId, status, transactionType, orderStage, login, endpointId, clientOrderId, createdAt } = order
  const { amount, initialAmount, currency, card, destination, operations, postings, callbacks, tasks, records } = order
  const head = [
    ['order', orderId],
    ['status', [status, transactionType, orderStage].filter(isText).join(', ')],
    ['merchant', `${login}, endpoint ${endpointId}`],
    ['its id', clientOrderId],
    ['created', `${time(createdAt)} UTC`],
    ...(amount === undefined ? [] : [['amount', `${amount} ${currency} now, ${initialAmount} ${currency} at first`]]),
    ...(card === undefined ? [] : [['card', cardText(card)]]),
    ...(destination === undefined ? [] : [['paid to', cardText(destination)]]),
  ].map(([name = '', text = '']) => cut(`${name.padEnd(10)}${plain(text)}`, width))
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
}: OrderHistory['callbacks'][number]) {
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
