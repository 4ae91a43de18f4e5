import { describe, expect, test } from 'vitest'
import { createPaymentClient, type Exchange } from '../../src/index.ts'
import { steppedClock } from '../clocks.ts'
import { fakeTransport, json, lost, replied } from '../fake-transport.ts'
import { baseUrl, merchant } from '../merchant.ts'

const order = { clientOrderId: '902B4FF5', orderId: '6768788' }

function status(text: string): Exchange {
  return json({ type: 'status-response', status: text, 'paynet-order-id': '6768788', 'merchant-order-id': '902B4FF5' })
}

const noSuchOrder = json({ type: 'validation-error', 'error-message': 'no such order', 'error-code': '9' }, 400)

function waiting(...exchanges: readonly Exchange[]) {
  const clock = steppedClock(Date.UTC(2030, 0, 1))
  const transport = fakeTransport(...exchanges)
  return { clock, transport, client: createPaymentClient({ ...merchant, baseUrl, transport, clock }) }
}

describe('waitForOutcome', () => {
  test.each(['approved', 'declined', 'filtered', 'error'])('gives %s as soon as the status says so', async (final) => {
    const { client, clock, transport } = waiting(status('processing'), status(final))
    const outcome = client.waitForOutcome(order)
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ outcome: final, ...order, reply: { status: final } })
    expect(transport.sent).toHaveLength(2)
  })

  test('[S4-40] goes on through lost replies, failures and answers that do not know the order yet', async () => {
    const nonsense = replied(502, 'text/html', '<h1>Bad gateway</h1>')
    const looks = [lost, nonsense, noSuchOrder, status('unknown'), status('processing'), status('approved')]
    const { client, clock, transport } = waiting(...looks)
    const outcome = client.waitForOutcome(order)
    await clock.advance(60_000)
    expect(await outcome).toMatchObject({ outcome: 'approved' })
    expect(transport.sent).toHaveLength(6)
  })

  test('[G12-10] ends undecided at the deadline, with the last look, and asks no more', async () => {
    const { client, clock, transport } = waiting(status('processing'))
    const outcome = client.waitForOutcome(order, { deadlineMs: 60_000 })
    await clock.advance(600_000)
    const told = await outcome
    expect(told).toMatchObject({ outcome: 'undecided', clientOrderId: '902B4FF5' })
    if (told.outcome !== 'undecided') throw new Error(told.outcome)
    expect(told.lastLook?.reply?.status).toBe('processing')
    expect(told.lastLook?.number).toBe(transport.sent.length)
  })

  test('[G5-03] looks after 2, 5 and 10 s, then every 5 s, then every 5 minutes, moved by a fifth at most', async () => {
    const { client, clock } = waiting(status('processing'))
    const outcome = client.waitForOutcome(order, { deadlineMs: 3_600_000 })
    await clock.advance(3_700_000)
    await outcome
    const within = (wait: number | undefined, plain: number) => {
      expect(wait).toBeGreaterThanOrEqual(0.8 * plain)
      expect(wait).toBeLessThanOrEqual(1.2 * plain)
    }
    within(clock.waits[0], 2000)
    // The second look may come before 2 s are over, so that the third is near the second.
    within(clock.waits[4], 5000)
    within(clock.waits[10], 5000)
    within(clock.waits.at(-3), 300_000)
  })

  test('a callback wakes it, but not twice within two seconds', async () => {
    const { client, clock, transport } = waiting(status('processing'), status('processing'), status('approved'))
    const outcome = client.waitForOutcome(order, { deadlineMs: 3_600_000 })
    await clock.advance(0)
    client.wake('another')
    client.wake(order.clientOrderId)
    client.wake(order.clientOrderId)
    await clock.advance(1000)
    expect(transport.sent).toHaveLength(1)
    await clock.advance(1500)
    expect(transport.sent).toHaveLength(2)
    await clock.advance(20_000)
    expect(await outcome).toMatchObject({ outcome: 'approved' })
  })

  test('is given up by its signal, in the middle of a wait', async () => {
    const { client, clock } = waiting(status('processing'))
    const controller = new AbortController()
    const outcome = client.waitForOutcome(order, { signal: controller.signal })
    await clock.advance(0)
    controller.abort(new Error('the customer left'))
    await expect(outcome).rejects.toThrow('the customer left')
  })

  test('throws what no later look can mend', async () => {
    const refused = waiting(json({ type: 'error' }, 403)).client.waitForOutcome(order)
    await expect(refused).rejects.toMatchObject({ code: 'AUTH_REJECTED' })
    const wrong = waiting(lost).client.waitForOutcome({ clientOrderId: '' })
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(waiting(lost).client.waitForOutcome(order, { deadlineMs: 0 })).rejects.toThrow('deadlineMs')
  })

  test('asks for one request of the order by its serial number', async () => {
    const { client, transport } = waiting(status('approved'))
    await client.waitForOutcome({ ...order, serialNumber: '00000000-0000-4000-8000-000000000001' })
    expect(transport.sent[0]?.body).toContain('by-request-sn=00000000-0000-4000-8000-000000000001')
  })

  test('shows each look to who watches', async () => {
    const { client, clock } = waiting(lost, status('processing'), status('declined'))
    const seen: Array<string | undefined> = []
    const watching = (async () => {
      for await (const { reply, error } of client.watchOutcome(order)) seen.push(reply?.status ?? error?.code)
    })()
    await clock.advance(30_000)
    await watching
    expect(seen).toEqual(['NO_REPLY', 'processing', 'declined'])
  })
})
