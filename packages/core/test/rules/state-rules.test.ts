import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ACTION_NAMES } from '../../src/rules/actions.ts'
import { OPERATION_KIND_NAMES, OPERATION_KINDS } from '../../src/rules/operation-kinds.ts'
import { sqlColumns, sqlConstraints } from '../../src/rules/sql-constraints.ts'
import { STATE_RULES } from '../../src/rules/state-rules.ts'
import { acted, inStatus } from './orders.ts'

/** The table of operations in part 4 of the specification; a void and a return make a cancel or a reversal. */
test('an order can begin with exactly these operations', () => {
  const openings = OPERATION_KIND_NAMES.filter((kind) => OPERATION_KINDS[kind].opens)
  expect(openings).toEqual(['sale', 'preauth', 'account-verification', 'payout-check', 'payout', 'transfer'])
})

describe('the table of rules', () => {
  const ids = STATE_RULES.map(({ id }) => id)

  test('has the seven rules of the specification, and each id once', () => {
    expect(ids.filter((id) => id.startsWith('S'))).toHaveLength(7)
    expect(ids).toEqual(expect.arrayContaining(['S3-01', 'S3-02', 'S3-03', 'S3-04', 'S3-05', 'S3-06', 'S3-07']))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has the rules of the gaps and our own', () => {
    const others = ids.filter((id) => !id.startsWith('S')).sort()
    expect(others.filter((id) => id.startsWith('G'))).toEqual(
      'G12-07 G12-10 G13-17 G13-18 G13-19 G13-20 G13-21 G13-22 G3.2-14 G3.2-15 G5-01 G5-06 G5-07'.split(' '),
    )
    expect(others.filter((id) => !id.startsWith('G'))).toEqual([
      'check-expiry',
      'final-original',
      'one-in-flight',
      'opening-amount',
      'opening-kind',
      'operation-id',
      'operation-machine',
      'order-money',
      'pay-once',
    ])
  })

  test('says for each rule what it is, where it is from and what it applies to', () => {
    const subjects = [...ACTION_NAMES, 'store-card', 'open', 'advance', 'status']
    for (const { text, source, appliesTo } of STATE_RULES) {
      expect(text).toMatch(/^(?:[A-Z`]|payout-check ).*[^ ]\.$/)
      expect(source).toMatch(/^(?:interface part|gaps part|ours:) /)
      expect(appliesTo).not.toEqual([])
      expect(subjects).toEqual(expect.arrayContaining([...appliesTo]))
    }
  })
})

describe('[G5-04] transaction types', () => {
  test('are the documented ones', () => {
    const types = new Set(OPERATION_KIND_NAMES.map((kind) => OPERATION_KINDS[kind].transactionType))
    expect([...types].sort()).toEqual([
      'account verification',
      'cancel',
      'capture',
      'chargeback',
      'payout',
      'preauth',
      'reversal',
      'sale',
      'transfer',
    ])
  })
})

describe('SQL constraints', () => {
  const { orders, operations } = sqlConstraints()

  test('[G5-07] limit captures by the authorization, and returns by what was captured', () => {
    expect(orders.filter(({ rule }) => rule !== undefined)).toEqual([
      {
        name: 'hold_within_authorized',
        expression: 'captured + cancelled + hold_in_flight <= authorized',
        rule: 'G5-07',
      },
      {
        name: 'taken_within_captured',
        expression: 'returned + charged_back + taken_in_flight <= captured',
        rule: 'G5-07',
      },
      { name: 'payout_within_registered', expression: 'paid_out + payout_in_flight <= registered', rule: 'S3-07' },
    ])
  })

  test('know the statuses and kinds of operations', () => {
    expect(operations.map(({ name, rule }) => [name, rule])).toEqual([
      ['amount_not_negative', undefined],
      ['kind_known', undefined],
      ['status_known', 'operation-machine'],
    ])
    expect(operations.map(({ expression }) => expression)).toEqual([
      'amount >= 0',
      "kind IN ('sale', 'preauth', 'account-verification', 'capture', 'cancel', 'reversal', 'chargeback', " +
        "'payout-check', 'payout-pay', 'payout', 'transfer')",
      "status IN ('created', 'sent', 'processing', 'unknown', 'approved', 'declined', 'filtered', 'error')",
    ])
  })

  const columns =
    'authorized captured cancelled returned charged_back registered paid_out ' +
    'hold_in_flight taken_in_flight payout_in_flight'

  test('allow no negative sum and nothing negative in flight', () => {
    const signs = orders.filter(({ rule }) => rule === undefined)
    expect(signs.map(({ expression }) => expression)).toEqual(columns.split(' ').map((column) => `${column} >= 0`))
  })

  test('are over the columns of an order', () => {
    const order = acted(acted(inStatus('preauth', 'approved'), 'b', 'capture', 4000n), 'c', 'return', 1000n, 'sent')
    expect(sqlColumns(order.operations)).toEqual({
      authorized: 10_000n,
      captured: 4000n,
      cancelled: 0n,
      returned: 0n,
      charged_back: 0n,
      registered: 0n,
      paid_out: 0n,
      hold_in_flight: 0n,
      taken_in_flight: 1000n,
      payout_in_flight: 0n,
    })
  })

  test('[G5-07] a database refuses what they forbid, and accepts the rest', () => {
    const database = new DatabaseSync(':memory:')
    const names = columns.split(' ')
    const checks = orders.map(({ name, expression }) => `CONSTRAINT ${name} CHECK (${expression})`)
    database.exec(`CREATE TABLE orders (${[...names.map((name) => `${name} INTEGER NOT NULL`), ...checks].join(', ')})`)
    const insert = database.prepare(`INSERT INTO orders VALUES (${names.map(() => '?').join(', ')})`)
    const amount = fc.integer({ min: -1, max: 5 })
    const row = fc.tuple(amount, amount, amount, amount, amount, amount, amount, amount, amount, amount)
    fc.assert(
      fc.property(row, (values) => {
        const [authorized, captured, cancelled, returned, chargedBack, registered, paidOut, hold, taken, payout] =
          values
        const right =
          values.every((value) => value >= 0) &&
          captured + cancelled + hold <= authorized &&
          returned + chargedBack + taken <= captured &&
          paidOut + payout <= registered
        const run = () => insert.run(...values)
        if (right) expect(run).not.toThrow()
        else expect(run).toThrow(/CHECK constraint failed/)
      }),
      { numRuns: 300, examples: [[[5, 4, 1, 3, 1, 2, 2, 0, 0, 0]], [[5, 5, 0, 4, 1, 0, 0, 0, 1, 0]]] },
    )
    database.close()
  })
})
