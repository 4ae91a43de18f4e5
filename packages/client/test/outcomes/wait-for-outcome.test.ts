import { getEventListeners } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import { type Clock, createPaymentClient, type Exchange, type Transport } from '../../src/index.ts'
import { Waiters } from '../../src/outcomes/poll.ts'
import { watchOutcome } from '../../src/outcomes/wait-for-outcome.ts'
import type { WaitOptions } from '../../src/result.ts'
import { steppedClock } from '../clocks.ts'
import { fakeTransport, json, lost, replied } from '../fake-transport.ts'
import { baseUrl, merchant } from '../merchant.ts'

const order = { clientOrderId: '902B4FF5', orderId: '6768788' }

const SERIAL_NUMBER = '00000000-0000-4000-8000-000000000001'

function status(text: string, byRequestSn?: string): Exchange {
  const ids = { 'paynet-order-id': '6768788', 'merchant-order-id': '902B4FF5', 'by-request-sn': byRequestSn }
  return json({ type: 'status-response', status: text, ...ids })
}

const noSuchOrder = json({ type: 'validation-error', 'error-message': 'no such order', 'error-code': '9' }, 400)

function waiting(...exchanges: readonly Exchange[]) {
  const clock = steppedClock(Date.UTC(2030, 0, 1))
  const transport = fakeTransport(...exchanges)
  return { clock, transport, client: createPaymentClient({ ...merchant, baseUrl, transport, clock }) }
}

/** A gateway that does not answer by itself: each call ends when its time is over, or by `answer`. */
function silentGateway(clock: Clock) {
  let answer: (exchange: Exchange) => void = () => {}
  const transport: Transport = {
    send: (_request, { timeoutMs }) =>
      new Promise((resolve) => {
        answer = resolve
        clock.schedule(timeoutMs, () => resolve(lost))
      }),
    close: async () => {},
  }
  return { transport, answer: (exchange: Exchange) => answer(exchange) }
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

  test('[G12-10] ends undecided at the deadline, with the last status check, and asks no more', async () => {
    const { client, clock, transport } = waiting(status('processing'))
    const outcome = client.waitForOutcome(order, { deadlineMs: 60_000 })
    await clock.advance(600_000)
    const told = await outcome
    expect(told).toMatchObject({ outcome: 'undecided', clientOrderId: '902B4FF5' })
    if (told.outcome !== 'undecided') throw new Error(told.outcome)
    expect(told.lastPoll?.reply?.status).toBe('processing')
    expect(told.lastPoll?.number).toBe(transport.sent.length)
  })

  test('ends soon after its deadline even if the clock is set back meanwhile', async () => {
    const { clock, transport } = waiting(status('processing'))
    let setBackMs = 0
    const now = () => clock.now() - setBackMs
    const client = createPaymentClient({ ...merchant, baseUrl, transport, clock: { ...clock, now } })
    const outcome = client.waitForOutcome(order, { deadlineMs: 60_000 })
    await clock.advance(30_000)
    setBackMs = 3_600_000
    await clock.advance(40_000)
    const late = Promise.resolve('still waiting')
    expect(await Promise.race([outcome, late])).toMatchObject({ outcome: 'undecided' })
  })

  test('[G5-03] waits 2 s for the second status check, later 5 s and in the end 5 minutes, give or take a fifth', async () => {
    const { client, clock } = waiting(status('processing'))
    const outcome = client.waitForOutcome(order, { deadlineMs: 3_600_000 })
    await clock.advance(3_700_000)
    await outcome
    const within = (wait: number | undefined, plain: number) => {
      expect(wait).toBeGreaterThanOrEqual(0.8 * plain)
      expect(wait).toBeLessThanOrEqual(1.2 * plain)
    }
    within(clock.waits[0], 2000)
    // The second status check may come before 2 s are over, and then the third one comes soon after it.
    within(clock.waits[4], 5000)
    within(clock.waits[10], 5000)
    within(clock.waits.at(-3), 300_000)
  })

  test('a callback for its order wakes it, but not within two seconds of the last status check', async () => {
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

  test('a callback wakes it even if the clock was set back in a pause', async () => {
    const { clock, transport } = waiting(status('processing'))
    let setBackMs = 0
    const now = () => clock.now() - setBackMs
    const client = createPaymentClient({ ...merchant, baseUrl, transport, clock: { ...clock, now } })
    const outcome = client.waitForOutcome(order, { deadlineMs: 3_600_000 })
    await clock.advance(700_000)
    const looks = transport.sent.length
    setBackMs = 3_600_000
    client.wake(order.clientOrderId)
    await clock.advance(2000)
    expect(transport.sent).toHaveLength(looks + 1)
    await client.close()
    await outcome
  })

  test('a callback wakes one wait for the order even if another one was aborted', async () => {
    const { client, clock, transport } = waiting(status('processing'))
    const controller = new AbortController()
    const left = client.waitForOutcome(order, { signal: controller.signal, deadlineMs: 3_600_000 })
    const stays = client.waitForOutcome(order, { deadlineMs: 3_600_000 })
    await clock.advance(700_000)
    controller.abort(new Error('the customer left'))
    await expect(left).rejects.toThrow('the customer left')
    const looks = transport.sent.length
    client.wake(order.clientOrderId)
    await clock.advance(2000)
    expect(transport.sent).toHaveLength(looks + 1)
    await client.close()
    await stays
  })

  test('leaves no timer and no listener behind, even if a callback has ended a pause', async () => {
    const { client, clock } = waiting(status('processing'), status('processing'), status('approved'))
    const { signal } = new AbortController()
    const outcome = client.waitForOutcome(order, { signal, deadlineMs: 3_600_000 })
    await clock.advance(0)
    client.wake(order.clientOrderId)
    client.wake(order.clientOrderId)
    await clock.advance(20_000)
    expect(await outcome).toMatchObject({ outcome: 'approved' })
    expect([clock.timers(), getEventListeners(signal, 'abort')]).toEqual([0, []])
  })

  test('is not woken once it has ended', async () => {
    const clock = steppedClock()
    const waiters = new Waiters()
    const add = waiters.add.bind(waiters)
    let woken = 0
    vi.spyOn(waiters, 'add').mockImplementation((id, wake) => {
      return add(id, () => {
        woken++
        wake()
      })
    })
    const reply = { type: 'status-response', orderId: '6768788', extra: {} }
    const statuses = ['processing', 'approved']
    const ask = async () => ({ ...reply, status: statuses.shift() ?? 'approved' })
    const looks = watchOutcome(order, { ask, clock, waiters, deadlineMs: 60_000, signal: undefined })
    await looks.next()
    const second = looks.next()
    await clock.advance(10_000)
    await second
    await looks.next()
    waiters.wake(order.clientOrderId)
    expect(woken).toBe(0)
  })

  test('after a callback during a status check the next check comes after two seconds, not after five minutes', async () => {
    const clock = steppedClock()
    let calledAt: number | undefined
    const transport: Transport = {
      send: async () => {
        if (calledAt !== undefined) return status('approved')
        if (clock.now() > 600_000) {
          calledAt = clock.now()
          client.wake(order.clientOrderId)
        }
        return status('processing')
      },
      close: async () => {},
    }
    const client = createPaymentClient({ ...merchant, baseUrl, transport, clock })
    const ended = client.waitForOutcome(order, { deadlineMs: 3_600_000 }).then(() => clock.now())
    await clock.advance(3_600_000)
    expect(await ended).toBe(Number(calledAt) + 2000)
  })

  test('ends undecided as soon as the client is closed, with the last status check, and asks no more', async () => {
    const { client, clock, transport } = waiting(status('processing'))
    const outcome = client.waitForOutcome(order, { deadlineMs: 3_600_000 })
    await clock.advance(0)
    await client.close()
    expect(await outcome).toMatchObject({
      outcome: 'undecided',
      clientOrderId: '902B4FF5',
      lastPoll: { reply: { status: 'processing' } },
    })
    expect(transport.sent).toHaveLength(1)
    expect(await client.waitForOutcome(order)).toMatchObject({ outcome: 'undecided' })
    expect(transport.sent).toHaveLength(2)
  })

  test('is aborted by its signal, in the middle of a wait', async () => {
    const { client, clock } = waiting(status('processing'))
    const controller = new AbortController()
    const outcome = client.waitForOutcome(order, { signal: controller.signal })
    await clock.advance(0)
    controller.abort(new Error('the customer left'))
    await expect(outcome).rejects.toThrow('the customer left')
  })

  test('is aborted by its signal during a status check, and does not wait after that', async () => {
    const clock = steppedClock()
    const { transport, answer } = silentGateway(clock)
    const client = createPaymentClient({ ...merchant, baseUrl, transport, clock })
    const controller = new AbortController()
    const outcome = client.waitForOutcome(order, { signal: controller.signal })
    await clock.advance(0)
    controller.abort(new Error('the customer left'))
    answer(lost)
    await expect(outcome).rejects.toThrow('the customer left')
    expect(clock.now()).toBe(0)
  })

  test.each([1, 999, 10_000, 300_000])('ends within %d ms though the gateway never answers', async (deadlineMs) => {
    const clock = steppedClock()
    const client = createPaymentClient({ ...merchant, baseUrl, transport: silentGateway(clock).transport, clock })
    const outcome = client.waitForOutcome(order, { deadlineMs }).then(({ outcome: told }) => [told, clock.now()])
    await clock.advance(600_000)
    expect(await outcome).toEqual(['undecided', expect.toSatisfy((endedAt: number) => endedAt <= deadlineMs)])
  })

  test('has a default deadline of 5 minutes, with the last status check a second before', async () => {
    const { client, clock } = waiting(status('processing'))
    const outcome = client.waitForOutcome(order).then(() => clock.now() - Date.UTC(2030, 0, 1))
    await clock.advance(600_000)
    expect(await outcome).toBe(299_000)
  })

  test('sends one request for each status check, even if reads may be repeated', async () => {
    const clock = steppedClock()
    const transport = fakeTransport(lost, status('approved'))
    const client = createPaymentClient({ ...merchant, baseUrl, transport, clock, readAttempts: 3 })
    const outcome = client.waitForOutcome(order)
    await clock.advance(1500)
    expect(transport.sent).toHaveLength(1)
    await clock.advance(1000)
    expect(await outcome).toMatchObject({ outcome: 'approved' })
  })

  test('a status check has no more time than a call, and the last one begins a second before the deadline', async () => {
    const { client, clock, transport } = waiting(status('processing'))
    const outcome = client.waitForOutcome(order, { deadlineMs: 60_000, timeoutMs: 30_000 })
    await clock.advance(60_000)
    await outcome
    expect(transport.options[0]?.timeoutMs).toBe(30_000)
    expect(transport.options.at(-1)?.timeoutMs).toBe(1000)
  })

  test('makes its last status check at half of the time if that is less than two seconds', async () => {
    const { client, clock, transport } = waiting(status('processing'))
    const outcome = client.waitForOutcome(order, { deadlineMs: 1000 })
    await clock.advance(1000)
    await outcome
    expect(transport.options.map(({ timeoutMs }) => timeoutMs)).toEqual([1000, 500])
  })

  test('makes a last status check of a second even if the clock was set forward past its deadline', async () => {
    const { clock, transport } = waiting(status('processing'), status('approved'))
    let aheadMs = 0
    const now = () => clock.now() + aheadMs
    const client = createPaymentClient({ ...merchant, baseUrl, transport, clock: { ...clock, now } })
    const outcome = client.waitForOutcome(order, { deadlineMs: 60_000 })
    await clock.advance(0)
    aheadMs = 3_600_000
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ outcome: 'approved' })
    expect(transport.options.at(-1)?.timeoutMs).toBe(1000)
  })

  test('throws an error that polling cannot fix', async () => {
    const refused = waiting(json({ type: 'error' }, 403)).client.waitForOutcome(order)
    await expect(refused).rejects.toMatchObject({ code: 'AUTH_REJECTED' })
    const wrong = waiting(lost).client.waitForOutcome({ clientOrderId: '' })
    await expect(wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    await expect(waiting(lost).client.waitForOutcome(order, { deadlineMs: 0 })).rejects.toThrow('deadlineMs')
  })

  test.each<readonly [message: string, options: unknown]>([
    ['the options must be an object', 30_000],
    ['the options must be an object', null],
    ['the options must be an object', new AbortController().signal],
    ['there is no option deadline; did you mean deadlineMs?', { deadline: 30_000 }],
    ['signal must be an AbortSignal', { signal: new AbortController() }],
    ['timeoutMs must be a number of milliseconds', { timeoutMs: Number.POSITIVE_INFINITY }],
    ['timeoutMs must be a number of milliseconds', { timeoutMs: 5n }],
  ])('rejects wrong options with a TypeError, and sends no request: %s', async (message, options) => {
    const { client, transport } = waiting(status('approved'))
    const waited = client.waitForOutcome(order, options as WaitOptions)
    await expect(waited).rejects.toThrow(`a wait: ${message}`)
    await expect(waited).rejects.toBeInstanceOf(TypeError)
    expect(transport.sent).toEqual([])
  })

  test.each([undefined, null, '902B4FF5'])('names the missing field if it is given %j as the order', async (given) => {
    const { client, transport } = waiting(status('approved'))
    await expect(client.waitForOutcome(given as never)).rejects.toThrow('clientOrderId (client_orderid) is required')
    await expect(client.watchOutcome(given as never).next()).rejects.toMatchObject({ code: 'INVALID_INPUT' })
    expect(transport.sent).toEqual([])
  })

  test('asks for the order that was given, even if the caller changes the object meanwhile', async () => {
    const { client, clock, transport } = waiting(status('processing'), status('approved'))
    const reused = { ...order }
    const outcome = client.waitForOutcome(reused)
    reused.clientOrderId = 'another'
    reused.orderId = '77'
    await clock.advance(10_000)
    expect(await outcome).toMatchObject({ outcome: 'approved', ...order })
    expect(transport.sent.map(({ body }) => new URLSearchParams(body).get('orderid'))).toEqual(['6768788', '6768788'])
  })

  test('asks for one request of the order by its serial number', async () => {
    const { client, clock, transport } = waiting(status('approved'), status('declined', SERIAL_NUMBER))
    const outcome = client.waitForOutcome({ ...order, serialNumber: SERIAL_NUMBER })
    await clock.advance(10_000)
    expect(transport.sent[0]?.body).toContain(`by-request-sn=${SERIAL_NUMBER}`)
    expect(await outcome).toMatchObject({ outcome: 'declined', ...order })
  })

  test.each([
    ['does not name the request', undefined],
    ['is of another request', '00000000-0000-4000-8000-000000000002'],
  ])('a final status that %s is not the outcome of that request', async (_case, named) => {
    const { client, clock } = waiting(status('approved', named))
    const outcome = client.waitForOutcome({ ...order, serialNumber: SERIAL_NUMBER }, { deadlineMs: 60_000 })
    await clock.advance(60_000)
    expect(await outcome).toMatchObject({ outcome: 'undecided', lastPoll: { reply: { status: 'approved' } } })
  })

  test('can be followed with watchOutcome, which yields each status check', async () => {
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
