import { describe, expect, test } from 'vitest'
import type { CallbackEvent } from '../../src/index.ts'
import { desk } from '../support/desk.ts'

const ADDRESS = 'https://shop.example.com/cb'

describe('the listener for callbacks', () => {
  test('is called for each that was sent, with its result and when it is sent again', async () => {
    const heard: CallbackEvent[] = []
    const statuses = [503, 200]
    const {
      clock,
      store,
      sale: sell,
    } = desk({
      sendCallback: async () => ({ status: statuses.shift() ?? 500 }),
      onCallback: (called) => void heard.push(called),
    })
    const { orderid: orderId } = await sell({ server_callback_url: `${ADDRESS}?tenant=7#part` })
    const serialNumber = (await store.orderById(orderId))?.operations[0]?.serialNumber
    expect(serialNumber).toMatch(/^[0-9a-f-]{36}$/)
    const [first] = heard
    expect(heard).toEqual([
      { serialNumber, orderId, address: ADDRESS, answer: '503', state: 'open', made: 1, dueAt: expect.any(Number) },
    ])
    await clock.advance('1d')
    expect(heard.slice(1)).toEqual([
      { serialNumber, orderId, address: ADDRESS, answer: '200', state: 'acknowledged', made: 2, dueAt: undefined },
    ])
    expect(first?.dueAt).toBeGreaterThan(0)
  })

  test('is called for a host that is down, but not for a delivery that was only put off', async () => {
    const heard: CallbackEvent[] = []
    const refused = Object.assign(new Error('nobody'), { code: 'ECONNREFUSED' })
    const {
      clock,
      calls,
      sale: sell,
    } = desk({
      sendCallback: () => Promise.reject(refused),
      onCallback: (called) => void heard.push(called),
    })
    await sell({ server_callback_url: ADDRESS })
    await clock.advance('2d')
    expect(calls).toEqual([])
    expect(heard.length).toBeGreaterThan(5)
    expect(heard.map(({ made }) => made)).toEqual(heard.map((_, at) => at + 1))
    expect(new Set(heard.map(({ answer, state }) => `${answer} ${state}`))).toEqual(new Set(['ECONNREFUSED open']))
  })

  test('is called at the end of each if a host is down for longer than 14 days, even for one that was put off until then', async () => {
    const given: string[] = []
    const { clock, sale: sell } = desk({
      sendCallback: () => Promise.reject(new Error('away')),
      onCallback: ({ orderId, state }) => void (state === 'given-up' && given.push(orderId)),
    })
    const orderIds: (string | undefined)[] = []
    for (let n = 0; n < 40; n++) {
      orderIds.push((await sell({ client_orderid: `inv-${n}`, server_callback_url: ADDRESS })).orderid)
      await clock.advance('7m')
    }
    // By chance, the first attempt of one of so many may be put off for days. Its 14 days begin only then.
    await clock.advance('30d')
    expect(given).toHaveLength(40)
    expect(new Set(given)).toEqual(new Set(orderIds))
  })

  test('is given no card number that a merchant has put into an address', async () => {
    const heard: CallbackEvent[] = []
    const { sale: sell } = desk({ onCallback: (called) => void heard.push(called) })
    const paths = ['4485940822379130', '4485/9408/2237/9130', '4485%209408%202237%209130', '%3448594082237913%30']
    for (const [n, path] of paths.entries()) {
      await sell({ client_orderid: `inv-${n}`, server_callback_url: `https://shop.example.com/${path}/cb` })
    }
    expect(heard.map(({ address }) => address)).toEqual(paths.map(() => 'https://shop.example.com/448594******9130/cb'))
  })

  test('is given an address without a card number unchanged, even one that cannot be decoded', async () => {
    const heard: CallbackEvent[] = []
    const { sale: sell } = desk({ onCallback: (called) => void heard.push(called) })
    const addresses = ['https://shop.example.com/a%20b/%E0', 'https://shop.example.com/a%2Fb']
    for (const [n, address] of addresses.entries()) {
      await sell({ client_orderid: `inv-${n}`, server_callback_url: address })
    }
    expect(heard.map(({ address }) => address)).toEqual(addresses)
  })

  test('loses no callback if it throws, and that is reported', async () => {
    const full = new Error('the log is full')
    const onCallback = () => {
      throw full
    }
    const { heard, calls, sale: sell } = desk({ onCallback })
    await sell({ server_callback_url: ADDRESS })
    expect(calls).toHaveLength(1)
    expect(heard.flat()).toContain(full)
  })
})
