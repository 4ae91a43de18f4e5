import type { Intent } from '@tallystick/client/ports'
import { type ReplyValues, readReply } from '@tallystick/core'
import { StatusResponse, writeReply } from '@tallystick/core/internal'
import { expect, test } from 'vitest'
import { decideStatus } from '../../src/status/decide.ts'
import { intentWith } from '../intents.ts'
import { circumstances, lostReturn } from './looks.ts'

type Shown = Partial<ReplyValues<'status'>>

const NAMES = Object.entries(StatusResponse.fields).map(([name, { wireName }]) => ({ name, wireName }))

/** A status with every field of the model, as a classic reply. */
function statusText(shown: Shown): string {
  const labels = Object.fromEntries(NAMES.map(({ name }) => [name, 'a-label']))
  const values = { ...labels, type: 'status-response', clientOrderId: 'order-a', orderId: '1', ...shown }
  return writeReply(StatusResponse, values as ReplyValues<'status'>, 'classic')
}

/** What is decided by a status: everything but the texts and dates that it only passes on. `undefined`: it is no reply. */
function verdict(intent: Intent, text: string) {
  const read = readReply('status', text)
  if (read.kind !== 'success') return undefined
  const {
    intent: after,
    outcomes,
    events,
  } = decideStatus(intent, { kind: 'found', reply: read.reply }, circumstances(60_000))
  const { state, status, reviewReason, holdsKey, holdsOrder, nextCheckAt, isPaidBefore } = after
  const told = outcomes.map(({ kind, status: of, amount, kept, currency, reference }) => ({
    kind,
    of,
    amount,
    kept,
    currency,
    reference,
  }))
  return { state, status, reviewReason, holdsKey, holdsOrder, nextCheckAt, isPaidBefore, told, events }
}

const paid: Shown = {
  status: 'approved',
  amount: '10.42',
  initialAmount: '10.42',
  currency: 'USD',
  transactionType: 'sale',
  orderStage: 'sale_approved',
}
const held: Shown = { ...paid, transactionType: 'preauth', orderStage: 'auth_approved' }
const before = { status: 'approved', transactionType: 'preauth', amount: '1042', orderStage: 'auth_approved' }

const cases: readonly (readonly [string, Intent, Shown])[] = [
  ['a sale that was accepted', intentWith({ state: 'ACCEPTED', orderId: '1' }), paid],
  [
    'a sale that is paid',
    intentWith({
      state: 'FINAL',
      status: 'approved',
      orderId: '1',
      nextCheckAt: 5,
      observed: { ...before, transactionType: 'sale', orderStage: 'sale_approved' },
    }),
    paid,
  ],
  ['a return that has not arrived', lostReturn({ before }), held],
  [
    'a void that has not arrived',
    lostReturn({ operation: 'void', amounts: [], before: { ...before, transactionType: undefined } }),
    { ...held, transactionType: undefined },
  ],
  [
    'a return by the number of its request',
    lostReturn({ state: 'ACCEPTED', serialNumber: 'sn-7', before }),
    { ...paid, amount: '7.42', transactionType: 'reversal', orderStage: 'sale_approved', byRequestSn: 'sn-8' },
  ],
  [
    'a payout that is checked',
    intentWith({ operation: 'payoutCheck', state: 'ACCEPTED', orderId: '1' }),
    { ...paid, status: 'processing', transactionType: 'payout', orderStage: 'payout_processing' },
  ],
]

/** Another value for each field whose value means something to the journal. */
const OTHERS: Readonly<Record<string, string>> = {
  status: 'declined',
  orderStage: 'payout_checked',
  transactionType: 'reversal',
  amount: '1.00',
  initialAmount: '1.00',
  currency: 'EUR',
  byRequestSn: 'sn-7',
}

test.each(cases)(
  '[F-A4] a status of which one field is damaged or comes twice decides as the whole one, or nothing: %s',
  (_what, intent, shown) => {
    const text = statusText(shown)
    const whole = verdict(intent, text)
    expect(whole).toBeDefined()
    for (const { name, wireName } of NAMES) {
      const given = new RegExp(`(^|&)${wireName}=[^&\n]*\n`)
      const damaged = [
        text.replace(given, `$1${wireName}=%ff\n`),
        text.replace(given, (field) => `${field}&${wireName}=${OTHERS[name] ?? 'another'}\n`),
        text.replace(
          given,
          (field, start) => `${start}${wireName}=${OTHERS[name] ?? 'another'}\n&${field.replace('&', '')}`,
        ),
      ]
      for (const one of damaged) expect([name, verdict(intent, one) ?? whole]).toEqual([name, whole])
    }
  },
)
