import { createHash } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { createCallbackHandler, type Exchange, storeCard } from '../src/index.ts'
import { fakeTransport, json, lost } from './fake-transport.ts'
import { baseUrl, merchant } from './merchant.ts'

/** A client of another copy, such as another version or an isolated module of a test runner. Its errors have other classes. */
async function clientOfAnotherCopy(...exchanges: readonly Exchange[]) {
  vi.resetModules()
  const { createPaymentClient } = await import('../src/index.ts')
  return createPaymentClient({ ...merchant, baseUrl, transport: fakeTransport(...exchanges) })
}

describe('If two copies of the package are loaded', () => {
  test('storeCard also returns the reference if the card cannot be shown', async () => {
    const reference = json({ type: 'create-card-ref-response', status: 'approved', 'card-ref-id': '1326586' })
    const client = await clientOfAnotherCopy(reference, lost)
    expect(await storeCard(client, { clientOrderId: 'invoice-a', orderId: '6768788' })).toMatchObject({
      outcome: 'accepted',
      cardRefId: '1326586',
      card: { code: 'NO_REPLY' },
    })
  })

  test('a callback handler reports why a status could not be read', async () => {
    const unconfirmed: string[] = []
    const handle = createCallbackHandler({
      client: await clientOfAnotherCopy(lost),
      onOutcome: () => undefined,
      onNotice: 'ignore',
      onUnconfirmed: ({ code }) => void unconfirmed.push(code),
    })
    const control = createHash('sha1').update(`approved1A${merchant.controlKey}`).digest('hex')
    const query = `status=approved&orderid=1&client_orderid=A&control=${control}`
    expect(await handle({ method: 'GET', query })).toMatchObject({ status: 503 })
    expect(unconfirmed).toEqual(['NO_REPLY'])
  })
})
