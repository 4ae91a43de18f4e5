import { expect, test } from 'vitest'
import { callbacksTable, historyText, inJson, ordersTable } from '../../src/cli/tables.ts'
import { desk } from '../support/desk.ts'

/** Direction marks, an escape sequence of terminals, and letters of the merchant's. */
const HOSTILE = 'inv \u202E\u001B[31m\u0085\u2028 Ключ'
const SHOWN = 'inv \\u{202e}\\u{1b}[31m\\u{85}\\u{2028} Ключ'

const NARROW = { width: 80, isColoured: false }
const WIDE = { width: Infinity, isColoured: false }

async function some() {
  const { gateway, sale } = desk({ sendCallback: async () => ({ status: 410 }) })
  const { orderid } = await sale({ server_callback_url: 'https://shop.example.com/cb', cvv2: '116' })
  const { items } = await gateway.inspect.orders()
  const history = await gateway.inspect.order(orderid)
  if (history === undefined) throw new Error('no order')
  return { orderid, items, history, callbacks: (await gateway.inspect.givenUpCallbacks()).items }
}

test('[F-D12] a table of orders fits into 80 columns, and a file has all of it', async () => {
  const { items, orderid } = await some()
  const long = items.map((each) => ({ ...each, clientOrderId: 'x'.repeat(128) }))
  const [head, row] = ordersTable(long, NARROW).split('\n')
  expect(head).toBe('CREATED (UTC)        ORDER            STATUS    AMOUNT     MERCHANT AND ITS ID')
  expect(row).toBe(`2030-01-01 00:00:00  ${orderid}  declined  10.42 EUR  shop ${'x'.repeat(15)}…`)
  expect(ordersTable(long, WIDE)).toContain('x'.repeat(128))
})

test('[F-D12] what is shown of callbacks and of an order fits into 80 columns', async () => {
  const { history, callbacks, orderid } = await some()
  const givenUp = {
    ...callbacks[0],
    attempts: 30,
    reason: '30 attempts',
    lastAnswer: 'ECONNREFUSED',
    state: 'given-up',
  }
  expect(
    callbacksTable([...callbacks, { ...callbacks[0], ...givenUp }] as typeof callbacks, NARROW).split('\n'),
  ).toEqual([
    'GIVEN UP (UTC)    CALLBACK           SENT  REASON, HOST AND LAST ANSWER',
    `2030-01-01 00:00  ${orderid}-1  1     refused by 410, shop.example.com`,
    `2030-01-01 00:00  ${orderid}-1  30    30 attempts, shop.example.com, ECONN…`,
    '',
  ])
  const lines = historyText({ ...history, clientOrderId: 'x'.repeat(128) }, NARROW).split('\n')
  expect(lines).toContain('status    declined, sale, sale_failed')
  expect(lines).toContain('card      VISA 444433******1111')
  expect(lines).toContain(`  ${orderid}-1  refused, sent 1 times, last answer 410`)
  expect(Math.max(...lines.map(({ length }) => length))).toBe(80)
})

test('[F-D12] nothing that a merchant writes steers a terminal', async () => {
  const { items, history, callbacks } = await some()
  const hostile = items.map((each) => ({ ...each, clientOrderId: HOSTILE }))
  expect(ordersTable(hostile, WIDE)).toContain(`shop ${SHOWN}`)
  expect(historyText({ ...history, clientOrderId: HOSTILE }, WIDE)).toContain(SHOWN)
  const answered = callbacks.map((each) => ({ ...each, host: HOSTILE }))
  expect(callbacksTable(answered, WIDE)).toContain(SHOWN)
  const line = inJson({ id: HOSTILE })
  expect(line).not.toMatch(/[^\p{L}\p{N}\p{P}\p{S} ]/u)
  expect(JSON.parse(line)).toEqual({ id: HOSTILE })
})
