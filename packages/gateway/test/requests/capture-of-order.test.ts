import { defineProfile } from '@tallystick/core'
import { expect, test, vi } from 'vitest'
import { readRequest } from '../../src/http/request.ts'
import { memoryStore } from '../../src/index.ts'
import { readMerchants } from '../../src/merchants/merchants.ts'
import { verifyCaptureOfOrder } from '../../src/requests/verify.ts'
import { afterNextTurn } from '../../src/runtime/system.ts'
import type { Store } from '../../src/store-port.ts'
import { desk } from '../support/desk.ts'
import { BASE_URL, merchants, NOW } from '../support/signed-requests.ts'

/** Time that passes only while a store reads. */
function readingTime(took: readonly number[]) {
  let now = 0
  const reads = [...took]
  const time = {
    now: () => now,
    pause: async (milliseconds: number) => {
      const end = now + milliseconds
      await new Promise<void>(afterNextTurn)
      now = Math.max(now, end)
    },
  }
  return {
    time,
    read: () => {
      now += reads.shift() ?? 0
    },
  }
}

test.for([
  ['a wrong control', '0'.repeat(40)],
  ['no control', ''],
] as const)(
  '[F-B11] a capture with %s costs the same work and time, whether the order exists or not',
  async ([, control]) => {
    const { preauth, request, store: orders } = desk({ store: memoryStore() })
    const ids = await preauth()
    const { decoy, byLogin, endpointOf } = readMerchants(merchants(), { sandbox: false }, false)
    const [merchant, at] = [byLogin('shop'), endpointOf({ login: 'shop', endpointId: '1111' })]
    if (merchant === undefined || at === undefined) throw new Error('the merchants are others')
    const costs = []
    const { time, read: passes } = readingTime([0.7, 0.2])
    for (const orderid of [ids.orderid, '123456789012345']) {
      const signed = request('/api/v2/capture', { ...ids, orderid })
      const body = signed.body.replace(/control=[^&]*/, `control=${control}`)
      const read = readRequest({ ...signed, body }, '/paynet', { format: 'json' })
      if (!read.ok) throw new Error('it cannot be read')
      const findOrder = vi.fn<Store['findOrder']>((names) => {
        passes()
        return orders.findOrder(names)
      })
      const begun = time.now()
      const controlKey = vi.fn<() => typeof decoy.controlKey>(() => decoy.controlKey)
      const watched = Object.defineProperty({ ...merchant }, 'controlKey', { get: controlKey })
      const target = { merchant: watched, endpoints: [at] as const }
      const profile = defineProfile({ baseUrl: BASE_URL })
      const input = { request: read, target, decoy, profile, now: NOW * 1000 }
      expect(await verifyCaptureOfOrder(input, { findOrder }, time)).toEqual({ ok: false })
      costs.push([findOrder.mock.calls.length, controlKey.mock.calls.length, time.now() - begun])
    }
    expect(costs).toEqual([
      [1, 1, 10],
      [1, 1, 10],
    ])
  },
)
