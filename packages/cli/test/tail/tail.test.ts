import { Secret } from '@tallystick/core'
import { createSandbox, listen } from '@tallystick/gateway'
import { cards, saleInput, startGateway, type TestGateway } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SentRequest, World } from '../../src/world.ts'
import { tryCommand } from '../try-command.ts'

const KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'
const TERMINAL: Partial<World> = { isTerminal: true, columns: 80 }

describe('tail, of a sandbox', () => {
  let gateway: TestGateway
  let sandbox: Awaited<ReturnType<typeof listen>>

  beforeEach(async () => {
    gateway = await startGateway({ socket: false, sendCallback: async () => ({ status: 200 }) })
    sandbox = await listen(createSandbox(gateway, { operatorKey: new Secret(KEY) }))
  })
  afterEach(async () => {
    await sandbox.close()
    await gateway.close()
  })

  const place = () => ({ TALLYSTICK_SANDBOX: sandbox.origin, TALLYSTICK_OPERATOR_KEY: KEY })
  const at = (args: readonly string[], changes: Partial<World> = {}) =>
    tryCommand(args, {}, { environment: place(), ...changes })

  async function pay(clientOrderId: string): Promise<string> {
    const sale = saleInput({ ...cards.approved, clientOrderId, serverCallbackUrl: 'https://shop.example.com/cb' })
    const made = await gateway.client().sale({ ...sale, amount: '10.42', currency: 'EUR' })
    if (made.outcome !== 'accepted') throw new Error(made.outcome)
    await gateway.settled()
    return made.reply.orderId
  }

  /** A control over the amount in units: the doctor knows this mistake. */
  async function refuse(clientOrderId: string): Promise<void> {
    const { endpointId, baseUrl, controlKey } = gateway.merchant
    const url = `${new URL(baseUrl).pathname}/api/v2/sale/${endpointId}`
    const terms = [endpointId, clientOrderId, '10.42', 'john.smith@example.com', controlKey.reveal()].join('')
    const bytes = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(terms))
    const control = Buffer.from(bytes).toString('hex')
    const fields = { client_orderid: clientOrderId, amount: '10.42', currency: 'EUR', email: 'john.smith@example.com' }
    const body = new URLSearchParams({ ...fields, control }).toString()
    const headers = { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' }
    expect((await gateway.handle({ method: 'POST', url, headers, body })).status).toBe(403)
  }

  test('[F-C23] shows what came in, was answered, decided and called back; of a refused request the cause and the remedy', async () => {
    const orderId = await pay('order-a')
    await refuse('order-b')
    const { code, printed, warned } = await at(['tail', '--once'], TERMINAL)
    expect([code, warned]).toEqual([0, []])
    const lines = printed.trimEnd().split('\n')
    const shown = lines.map((line) => line.replace(/^\d\d:\d\d:\d\d {2}/, '').replace(/, \d+ ms$/, ''))
    for (const line of [
      'in        order-a         POST /paynet/api/v2/sale/253 10.42 EUR',
      `out       order-a         200 sale, order ${orderId}`,
      'bank      order-a         execute sale 10.42 EUR: approved',
      'decided   order-a         sale 10.42 EUR: approved',
      'callback  order-a         approved: 200, acknowledged, try 1',
      'in        order-b         POST /paynet/api/v2/sale/253 10.42 EUR',
    ]) {
      expect(shown).toContain(line)
    }
    expect(printed).toMatch(/ refused {3}order-b {9}403 sale, .*\n {10}amount-in-units: .*\n {10}1042\n/)
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
    for (const secret of [cards.approved.cardNumber, gateway.merchant.controlKey.reveal(), KEY])
      expect(printed).not.toContain(secret)
  })

  test('[F-C23] is one JSON object a line for a program, and ends after the last', async () => {
    await pay('order-a')
    const all = (await at(['tail', '--once'])).printed.trimEnd().split('\n')
    const ids = all.map((line): number => JSON.parse(line).id)
    expect(ids).toEqual(ids.map((_, index) => index + 1))
    expect((await at(['tail', '--last', '2'])).printed.trimEnd().split('\n')).toEqual(all.slice(-2))
    expect((await at(['tail', '--once', '--json'], TERMINAL)).printed.trimEnd().split('\n')).toEqual(all)
  })

  test('[F-C23] goes on with what happens, until the sandbox ends', async () => {
    await pay('order-a')
    const seen: string[] = []
    const first = Promise.withResolvers<void>()
    const second = Promise.withResolvers<void>()
    const paint = (text: string) => {
      seen.push(text)
      if (text.includes('decided   order-a')) first.resolve()
      if (text.includes('decided   order-b')) second.resolve()
    }
    const following = at(['tail'], { ...TERMINAL, paint })
    await first.promise
    await pay('order-b')
    await second.promise
    await sandbox.close()
    expect(await following).toMatchObject({ code: 0, warned: ['the sandbox has ended'] })
    expect(seen[0]).toBe('UTC       WHAT      ORDER           DETAILS\n')
    sandbox = await listen(createSandbox(gateway))
  })

  test('[F-C23] needs the operator key, and a sandbox', async () => {
    const wrong = at(['tail'], { environment: { TALLYSTICK_SANDBOX: sandbox.origin } })
    await expect(wrong).rejects.toThrow('the operator key is missing or wrong: give --operator-key-file FILE')
    const other = await listen(async () => ({ status: 200, headers: {}, body: '<html>' }))
    const elsewhere = at(['tail', '--once', '--sandbox', other.origin])
    await expect(elsewhere).rejects.toThrow(`what answers at ${other.origin} is no sandbox`)
    await other.close()
    await expect(at(['tail', '--sandbox', other.origin])).rejects.toThrow(`no sandbox answers at ${other.origin}: `)
  })

  test('[F-C22] [F-C23] an order has the events that are about it, if the key is there', async () => {
    const orderId = await pay('order-a')
    await pay('order-b')
    const { printed } = await at(['order', orderId], TERMINAL)
    const [, events = ''] = printed.split('UTC       WHAT      ORDER           DETAILS\n')
    for (const what of ['in      ', 'out     ', 'decided ', 'callback']) expect(events).toContain(`  ${what}  order-a `)
    expect(events).not.toContain('order-b')
    const { code, ...without } = await at(['order', orderId], {
      ...TERMINAL,
      environment: { TALLYSTICK_SANDBOX: sandbox.origin },
    })
    expect(code).toBe(0)
    expect(without.printed).toContain(`order     ${orderId}\n`)
    expect(without.warned).toEqual([
      expect.stringMatching(/^what happened, and when, is not shown: the operator key is missing/),
    ])
  })
})

test('[F-C23] tail reads the lines of a stream, and nothing else that is in it', async () => {
  const event = { version: 1, id: 7, half: 'gateway', type: 'clock', at: 1_893_456_001_000, byMs: 1000 }
  const got: SentRequest[] = []
  const lines = ['id: 7', `data: ${JSON.stringify(event)}`, '', ':', '']
  const stream: World['stream'] = async (request) => {
    got.push(request)
    const said = async function* () {
      yield* lines
    }
    return { status: 200, statusText: 'OK', lines: said() }
  }
  const { printed } = await tryCommand(['tail'], {}, { stream })
  expect(JSON.parse(printed)).toEqual(event)
  expect(got).toEqual([{ method: 'GET', url: 'http://127.0.0.1:9465/__sandbox/recording/stream?last=10', headers: {} }])
  for (const [args, says] of [
    [['--last', '0'], '--last takes a number of events, such as 20'],
    [['--last', '5', '--once'], '--last and --once exclude each other'],
    [['order-a'], 'order-a is too much: it is tallystick tail'],
  ] as const) {
    await expect(tryCommand(['tail', ...args], {}, { stream })).rejects.toThrow(says)
  }
})
