import { describe, expect, test } from 'vitest'
import { newClientOrderId } from '../../src/call/client-order-id.ts'
import { hasShiftingBorder } from '../../src/call/operate.ts'
import { createPaymentClient } from '../../src/index.ts'
import { acknowledged, fakeTransport } from '../fake-transport.ts'
import { baseUrl, merchant } from '../merchant.ts'
import { operations } from '../operations.ts'

describe('newClientOrderId', () => {
  test('makes 26 characters that begin and end with a letter, others each time', () => {
    const ids = Array.from({ length: 5000 }, () => newClientOrderId())
    for (const id of ids) expect(id).toMatch(/^[a-z][0-9a-v]{24}[a-z]$/)
    expect(new Set(ids).size).toBe(5000)
  })

  test('sorts by time, from 1970 to 3000', () => {
    const times = [0, 1, 31, 32, 999_999_999_999, 1_000_000_000_000, Date.UTC(2026, 10, 21), Date.UTC(3000, 0, 1)]
    const ids = times.map((now) => newClientOrderId({ now: () => now }))
    expect([...ids].sort()).toEqual(ids)
  })

  test('has 26 characters whatever the clock says', () => {
    for (const now of [0, 2 ** 45, Number.MAX_SAFE_INTEGER])
      expect(newClientOrderId({ now: () => now })).toHaveLength(26)
  })

  test('uses the client’s clock', () => {
    const client = createPaymentClient({ ...merchant, baseUrl, transport: fakeTransport() })
    const other = newClientOrderId({ now: () => merchant.clock.now() })
    expect(client.newClientOrderId().slice(0, 10)).toBe(other.slice(0, 10))
  })
})

test.each([
  ['A1', true],
  ['1A', true],
  [' 7 ', true],
  ['A1A', false],
  ['order-', false],
])('a digit at the border of %j could shift: %s', (id, shifts) => {
  expect(hasShiftingBorder(id)).toBe(shifts)
})

test('an id with a digit at its border causes one warning in a sale, which is sent, and none in a status request', async () => {
  const warnings: string[] = []
  const transport = fakeTransport(acknowledged)
  const onWarning = (warning: string) => void warnings.push(warning)
  const client = createPaymentClient({ ...merchant, baseUrl, transport, onWarning })
  await operations.find(({ key }) => key === 'sale')?.send(client)
  expect(transport.sent).toHaveLength(1)
  expect(warnings).toEqual([expect.stringContaining('902B4FF5')])
  await client.status({ clientOrderId: '902B4FF5' }).catch(() => {})
  expect(warnings).toHaveLength(1)
})
