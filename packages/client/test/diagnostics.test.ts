import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DIAGNOSTICS } from '../src/index.ts'
import { acknowledged, fakeTransport, json, lost } from './fake-transport.ts'
import { merchantClient } from './merchant.ts'
import { operations } from './operations.ts'

let told: unknown[] = []
const listen = (message: unknown) => void told.push(message)

beforeEach(() => {
  told = []
  subscribe(DIAGNOSTICS.callStarted, listen)
  subscribe(DIAGNOSTICS.callEnded, listen)
})

afterEach(() => {
  unsubscribe(DIAGNOSTICS.callStarted, listen)
  unsubscribe(DIAGNOSTICS.callEnded, listen)
})

test('the names of the channels are as documented', () => {
  expect(DIAGNOSTICS).toEqual({ callStarted: 'tallystick:client:call:start', callEnded: 'tallystick:client:call:end' })
})

test('a call is told when it begins and when it is judged, without its card', async () => {
  const sale = operations.find(({ key }) => key === 'sale')
  await sale?.send(merchantClient(fakeTransport(acknowledged)))
  await sale?.send(merchantClient(fakeTransport(lost)))
  await sale?.send(merchantClient(fakeTransport(json({ type: 'validation-error' }, 400))))
  const call = { operation: 'SALE', clientOrderId: '902B4FF5', orderId: undefined, endpointId: '253' }
  expect(told).toMatchObject([
    call,
    { ...call, outcome: 'unknown', code: 'NO_REPLY' },
    call,
    { ...call, outcome: 'unknown', code: 'NO_REPLY', httpStatus: undefined, milliseconds: 0 },
    call,
    { ...call, outcome: 'rejected', code: 'REJECTED', httpStatus: 400 },
  ])
  expect(JSON.stringify(told)).not.toMatch(/4444|D5F82EC1/)
})
