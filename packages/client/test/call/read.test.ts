import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { retryRead } from '../../src/call/read.ts'
import { createPaymentClient, type Exchange } from '../../src/index.ts'
import { steppedClock } from '../clocks.ts'
import { fakeTransport, json, lost } from '../fake-transport.ts'
import { privatePem } from '../keys.ts'
import { baseUrl, merchant } from '../merchant.ts'
import { operations } from '../operations.ts'

const approved = json({ type: 'status-response', status: 'approved', 'paynet-order-id': '6768788' })
const refused = json({ type: 'validation-error', 'error-message': 'no' }, 400)
const notSent: Exchange = { kind: 'not-sent', seen: 'the connection was refused' }

function reading(...exchanges: readonly Exchange[]) {
  const clock = steppedClock(merchant.clock.now())
  const transport = fakeTransport(...exchanges)
  const { readAttempts: _, ...rest } = merchant
  const options = { ...rest, privateKey: privatePem, baseUrl, transport, clock }
  return { clock, transport, client: createPaymentClient(options) }
}

describe('A read', () => {
  test('is repeated if nothing was sent or no answer came, with waits that grow', async () => {
    const { client, clock, transport } = reading(notSent, lost, approved)
    const reply = client.status({ clientOrderId: 'A' })
    await clock.advance(1000)
    expect(await reply).toMatchObject({ status: 'approved' })
    expect(transport.sent).toHaveLength(3)
    expect(transport.options[1]?.timeoutMs).toBeLessThan(70_000)
    const [first = 0, second = 0] = clock.waits
    expect(first).toBeGreaterThanOrEqual(100)
    expect(first).toBeLessThanOrEqual(200)
    expect(second).toBeGreaterThanOrEqual(200)
    expect(second).toBeLessThanOrEqual(400)
  })

  test('is repeated after waits that are shortened at random by half at most, and not if no time is left', async () => {
    const chance = vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => chance.mockRestore())
    const clock = steppedClock()
    const times: number[] = []
    const ask = async (timeoutMs: number) => {
      times.push(timeoutMs)
      throw new Error('no answer')
    }
    const terms = { readAttempts: 9, timeoutMs: 300, now: clock.now, clock, signal: undefined }
    const failed = retryRead(ask, () => true, terms).catch(() => clock.now())
    await clock.advance(60_000)
    expect([await failed, clock.waits, times]).toEqual([100, [100], [300, 200]])
    chance.mockReturnValue(0.5)
    await Promise.all([retryRead(ask, () => true, { ...terms, readAttempts: 2 }).catch(() => {}), clock.advance(1000)])
    expect(clock.waits).toEqual([100, 150])
  })

  test('is repeated only when the wait is over', async () => {
    const { client, clock, transport } = reading(lost, approved)
    const reply = client.status({ clientOrderId: 'A' })
    await clock.advance(99)
    expect(transport.sent).toHaveLength(1)
    await clock.advance(101)
    expect(transport.sent).toHaveLength(2)
    await reply
  })

  test('is given up after three times, with the last error', async () => {
    const { client, clock, transport } = reading(lost)
    const failed = client.status({ clientOrderId: 'A' }).catch((error: unknown) => error)
    await clock.advance(10_000)
    expect(await failed).toMatchObject({ code: 'NO_REPLY' })
    expect(transport.sent).toHaveLength(3)
  })

  test('[G13-07] is given up within the time limit of the call, however often it is repeated', async () => {
    const clock = steppedClock()
    const times: number[] = []
    const ask = (timeoutMs: number) => {
      times.push(timeoutMs)
      return new Promise<never>((_resolve, reject) =>
        clock.schedule(Math.min(timeoutMs, 4000), () => reject(new Error('no answer'))),
      )
    }
    const failedAfter = async (timeoutMs: number) => {
      const began = clock.now()
      const terms = { readAttempts: 3, timeoutMs, now: clock.now, clock, signal: undefined }
      const failed = retryRead(ask, () => true, terms).catch(() => clock.now() - began)
      await clock.advance(60_000)
      return await failed
    }
    expect(await failedAfter(4000)).toBe(4000)
    expect(times.splice(0)).toEqual([4000])
    expect(await failedAfter(10_000)).toBeLessThanOrEqual(10_000)
    expect(times).toEqual([10_000, expect.closeTo(5850, -3), expect.closeTo(1550, -3)])
  })

  test('is not repeated if the gateway has answered', async () => {
    const { client, transport } = reading(refused)
    await expect(client.status({ clientOrderId: 'A' })).rejects.toMatchObject({ code: 'REJECTED' })
    expect(transport.sent).toHaveLength(1)
  })

  test('is not repeated once it was aborted', async () => {
    const { client, transport } = reading(lost)
    const asked = client.status({ clientOrderId: 'A' }, { signal: AbortSignal.abort() })
    await expect(asked).rejects.toMatchObject({ code: 'NO_REPLY' })
    expect(transport.sent).toHaveLength(1)
  })
})

test.each(operations.filter(({ key }) => !['status', 'getCardInfo', 'getRecurringPayment'].includes(key)))(
  '[S4-41] $key is sent once, even if the connection was refused',
  async (operation) => {
    const { client, clock, transport } = reading(notSent)
    const sending = Promise.resolve(operation.send(client)).catch(() => {})
    await clock.advance(60_000)
    await sending
    expect(transport.sent).toHaveLength(1)
  },
)
