import type { RecordedEvent } from '@tallystick/core'
import { expect, test } from 'vitest'
import { edgesFrom, stepsOf } from '../src/order/way.ts'

test('[F-E12] what may follow a kind of operation is by the rules of the specification', () => {
  const shown = (kind: string) =>
    edgesFrom(kind).map(({ from, to, actions }) => `${from} > ${to}: ${actions.join(' ')}`)
  expect(shown('sale')).toEqual(['sale > reversal: void return', 'sale > chargeback: chargeback'])
  expect(shown('preauth')).toEqual([
    'preauth > capture: capture',
    'preauth > cancel: void return release',
    'capture > reversal: void return',
    'capture > chargeback: chargeback',
  ])
  expect(shown('payout-check')).toEqual(['payout-check > payout-pay: pay'])
  expect(shown('account-verification')).toEqual([])
})

test('[F-E12] the way of an operation is as it was recorded, from its creation to its status', () => {
  const operation = {
    id: 'o-1',
    status: 'approved',
    createdAt: '2030-01-01T00:00:00.000Z',
    statusAt: '2030-01-01T00:00:09.000Z',
  }
  const state = (operationId: string, status: string, at: number) => ({ type: 'state', operationId, status, at })
  const start = Date.UTC(2030, 0, 1)
  const events = [
    state('o-1', 'sent', start + 1),
    state('o-2', 'declined', start + 2),
    state('o-1', 'unknown', start + 3),
    state('o-1', 'approved', start + 9_000),
  ] as unknown as readonly RecordedEvent[]
  const steps = stepsOf(operation, events)
  expect(steps.map(({ status, at }) => [status, at - start])).toEqual([
    ['created', 0],
    ['sent', 1],
    ['unknown', 3],
    ['approved', 9_000],
  ])
  expect(stepsOf(operation, []).map(({ status }) => status)).toEqual(['created', 'approved'])
})
