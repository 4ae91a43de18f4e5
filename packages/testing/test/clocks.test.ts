import { mock } from 'node:test'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { clientClock, instantClock, machineClock } from '../src/clocks.ts'
import { accepted, fakeClient, fakeClock, fakeNonce, saleInput, startGateway } from '../src/index.ts'

describe('a fake clock', () => {
  test.each([
    [undefined, '2030-01-01T00:00:00.000Z'],
    ['2031-02-03T04:05:06Z', '2031-02-03T04:05:06.000Z'],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [86_400_000, '1970-01-02T00:00:00.000Z'],
  ])('set to %s stands at %s', (start, expected) => {
    expect(new Date(fakeClock(start).now()).toISOString()).toBe(expected)
  })

  test('refuses a start that is no date', () => {
    expect(() => fakeClock('soon')).toThrow("fakeClock starts at a date, such as '2030-01-31T12:00:00Z', not at soon")
  })

  test('advances on demand, and timers that fall due run at their own times', async () => {
    const clock = fakeClock(0)
    const seen: number[] = []
    clock.schedule(60_000, () => void seen.push(clock.now()))
    await clock.advance('1h')
    expect([seen, clock.now()]).toEqual([[60_000], 3_600_000])
  })
})

test("the machine's clock can be advanced", async () => {
  const clock = machineClock()
  const before = Date.now()
  let isDue = false
  clock.schedule(86_400_000, () => {
    isDue = true
  })
  await clock.advance('1d')
  expect(isDue).toBe(true)
  expect(clock.now()).toBeGreaterThanOrEqual(before + 86_400_000)
})

test('a timer of a client fires once, and can be cancelled', async () => {
  const below = fakeClock(0)
  const clock = clientClock(below)
  const heard: string[] = []
  const cancel = clock.schedule(1000, () => heard.push('called off'))
  clock.schedule(1000, () => heard.push('due'))
  cancel()
  await below.advance('2s')
  expect([heard, clock.now()]).toEqual([['due'], 2000])
})

test('on an instant clock timers fire in the order of their times, and can be cancelled', async () => {
  const clock = instantClock()
  const start = clock.now()
  const heard: Array<readonly [string, number]> = []
  const hear = (name: string) => () => void heard.push([name, clock.now() - start])
  const cancel = clock.schedule(500, hear('called off'))
  clock.schedule(3000, hear('late'))
  clock.schedule(1000, hear('soon'))
  cancel()
  await expect.poll(() => heard.length).toBe(2)
  expect(heard).toEqual([
    ['soon', 1000],
    ['late', 3000],
  ])
})

describe('if a test has replaced the global timers', () => {
  afterEach(() => void vi.useRealTimers())

  test('a fake client still needs no time', async () => {
    vi.useFakeTimers()
    const fake = fakeClient()
    fake.answer('status', accepted({ status: 'processing' }), accepted({ status: 'approved' }))
    expect(await fake.waitForOutcome({ clientOrderId: 'a-1-z' })).toMatchObject({ outcome: 'approved' })
  })

  test('a call without a socket still uses real timers', async () => {
    const clock = fakeClock()
    await using gateway = await startGateway({ socket: false, clock })
    vi.useFakeTimers()
    const client = gateway.client()
    clientClock(clock).schedule(1000, () => {})
    const selling = client.sale(saleInput())
    expect(vi.getTimerCount()).toBe(0)
    expect(await selling).toMatchObject({ outcome: 'accepted' })
    await clock.advance('2s')
  })

  test.for([
    [['queueMicrotask'], 'queueMicrotask is faked'],
    [['setImmediate'], 'setImmediate is faked'],
    [['queueMicrotask', 'setImmediate'], 'queueMicrotask and setImmediate are faked'],
  ] as const)('without which requests over a socket may hang, that is told: %j', async ([toFake, faked]) => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    onTestFinished(() => emitWarning.mockRestore())
    await using gateway = await startGateway()
    gateway.client()
    expect(emitWarning).not.toHaveBeenCalled()
    vi.useFakeTimers({ toFake: [...toFake] })
    await using withoutSocket = await startGateway({ socket: false })
    withoutSocket.client()
    expect(emitWarning).not.toHaveBeenCalled()
    gateway.client()
    const late = await startGateway()
    vi.useRealTimers()
    await late.close()
    const told = [expect.stringMatching(`^${faked}, so requests over a socket may hang`), expect.anything()]
    expect(emitWarning.mock.calls).toEqual([told, told])
  })

  test('in the way of node:test, that is told too', async () => {
    const emitWarning = vi.spyOn(process, 'emitWarning').mockReturnValue(undefined)
    onTestFinished(() => emitWarning.mockRestore())
    mock.timers.enable({ apis: ['setImmediate'] })
    onTestFinished(() => mock.timers.reset())
    const gateway = await startGateway()
    mock.timers.reset()
    await gateway.close()
    expect(emitWarning).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^setImmediate is faked/), {
      type: 'TestGatewayWarning',
      detail: 'https://tallystick.github.io/tallystick/errors/testing.html#timers_faked',
      code: 'TIMERS_FAKED',
    })
  })

  test('but those that connections need, a gateway on a socket answers many requests', async () => {
    await using gateway = await startGateway()
    const client = gateway.client()
    vi.useFakeTimers({ toNotFake: ['queueMicrotask', 'nextTick', 'setImmediate'] })
    for (const sale of [saleInput(), saleInput(), saleInput()]) {
      expect(await client.sale(sale)).toMatchObject({ outcome: 'accepted' })
      expect((await gateway.fetch(gateway.merchant.baseUrl)).status).toBe(404)
    }
  })
})

test('fake nonces are known beforehand and differ', () => {
  const [nonce, other] = [fakeNonce(), fakeNonce('other')]
  expect([nonce(), nonce(), other(), nonce()]).toEqual(['nonce-1', 'nonce-2', 'other-1', 'nonce-3'])
})
