import { createSandbox, listen, type Timeline } from '@tallystick/gateway'
import { cards, saleInput, startGateway, type TestGateway } from '@tallystick/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { World } from '../../src/world.ts'
import { tryCommand } from '../try-command.ts'

let gateway: TestGateway
let sandbox: Awaited<ReturnType<typeof listen>>

beforeEach(async () => {
  gateway = await startGateway({ socket: false, sendCallback: async () => ({ status: 410 }), onCallback: () => {} })
  sandbox = await listen(createSandbox(gateway))
})
afterEach(async () => {
  await sandbox.close()
  await gateway.close()
})

const TERMINAL: Partial<World> = { isTerminal: true, columns: 80 }

const at = (args: readonly string[], changes: Partial<World> = {}) =>
  tryCommand([...args, '--sandbox', sandbox.origin], {}, changes)

async function paid(clientOrderId: string, card: keyof typeof cards = 'approved'): Promise<string> {
  const sale = saleInput({ ...cards[card], clientOrderId, serverCallbackUrl: 'https://shop.example.com/cb' })
  const made = await gateway.client().sale({ ...sale, amount: '10.42', currency: 'EUR' })
  if (made.outcome !== 'accepted') throw new Error(made.outcome)
  await gateway.settled()
  return made.reply.orderId
}

describe('tallystick orders', () => {
  test('[F-C22] is a table on a terminal, which fits into 80 columns', async () => {
    const [first, second] = [await paid('order-a'), await paid(`order-${'b'.repeat(60)}`, 'declined')]
    const { code, printed } = await at(['orders'], TERMINAL)
    const { login } = gateway.merchant
    const [head, ...rows] = printed.trimEnd().split('\n')
    expect([code, head]).toEqual([0, 'CREATED (UTC)        ORDER            STATUS    AMOUNT     MERCHANT AND ITS ID'])
    expect(rows.find((row) => row.includes(first))).toMatch(`  ${first}  approved  10.42 EUR  ${login} order-a`)
    const cutRow = rows.find((row) => row.includes(second))
    expect(cutRow).toMatch(`  ${second}  declined  10.42 EUR  ${login} `)
    expect([cutRow?.length, cutRow?.at(-1)]).toEqual([80, '…'])
    expect(rows).toHaveLength(2)
  })

  test('[F-C22] is one JSON object a line for a program', async () => {
    const ids = [await paid('order-a'), await paid('order-b')]
    const { printed } = await at(['orders'])
    const lines = printed.trimEnd().split('\n')
    expect(lines.map((line): string => JSON.parse(line).orderId).toSorted()).toEqual(ids.toSorted())
    expect((await at(['orders', '--json'], TERMINAL)).printed).toBe(printed)
  })

  test('[F-C22] has colours only where they may be, and nothing of the merchant steers the terminal', async () => {
    await paid('order-a')
    await paid('order-b', 'declined')
    const { printed } = await at(['orders'], { ...TERMINAL, isColoured: true })
    expect(printed).toContain('  \u001B[32mapproved\u001B[39m  ')
    expect(printed).toContain('  \u001B[31mdeclined\u001B[39m  ')
    expect((await at(['orders'], TERMINAL)).printed).not.toContain('\u001B')
    expect((await at(['orders'], { isColoured: true })).printed).not.toContain('\u001B')
  })

  test('[F-C22] are filtered by status, merchant, id and number', async () => {
    for (const id of ['a', 'b']) await paid(`order-${id}`)
    await paid('order-c', 'declined')
    const named = async (...args: string[]) => {
      const { printed } = await at(['orders', ...args])
      const lines = printed.split('\n').filter((line) => line !== '')
      return lines.map((line): string => JSON.parse(line).clientOrderId).toSorted()
    }
    expect(await named('--status', 'approved')).toEqual(['order-a', 'order-b'])
    expect(await named('--status', 'approved', '--limit', '1')).toHaveLength(1)
    expect(await named('--status', 'unknown')).toEqual([])
    expect(await named('--client-order-id', 'order-c')).toEqual(['order-c'])
    expect(await named('--login', 'nobody')).toEqual([])
    await expect(at(['orders', '--status', 'aproved'])).rejects.toThrow(
      'the sandbox refused it: status: must be one of',
    )
    await expect(at(['orders', 'order-a'])).rejects.toThrow('order-a is too much: tallystick order order-a shows one')
  })

  test('[F-C22] are found by the variable, where a sandbox without a file prints it', async () => {
    const orderId = await paid('order-a')
    const environment = { TALLYSTICK_SANDBOX: sandbox.origin }
    expect((await tryCommand(['orders'], {}, { environment })).printed).toContain(orderId)
    const wrong = tryCommand(['orders'], {}, { environment: { TALLYSTICK_SANDBOX: 'here' } })
    await expect(wrong).rejects.toThrow('TALLYSTICK_SANDBOX takes an absolute address, such as http://127.0.0.1:9465')
  })
})

describe('tallystick order', () => {
  test('[F-C22] shows operations with their amounts, postings, and callbacks with attempts and answers', async () => {
    const orderId = await paid('order-a')
    const client = gateway.client()
    await client.return({ clientOrderId: 'order-a', orderId, amount: '4.00', currency: 'EUR', comment: 'Broken' })
    await gateway.settled()
    const { code, printed } = await at(['order', 'order-a'], TERMINAL)
    const lines = printed.split('\n')
    expect(code).toBe(0)
    expect(lines).toContain(`order     ${orderId}`)
    expect(lines).toContain('amount    6.42 EUR now, 10.42 EUR at first')
    expect(printed).toMatch(
      new RegExp(`\\noperations\\n {2}\\S+ \\S+ {2}${orderId}-1 {2}sale 10.42\\n {2}\\S+ \\S+ {2}approved\\n`),
    )
    expect(printed).toMatch(
      new RegExp(`\\n {2}\\S+ \\S+ {2}${orderId}-2 {2}reversal 4.00\\n {2}\\S+ \\S+ {2}approved\\n`),
    )
    expect(printed).toMatch(new RegExp(`\\ncallbacks\\n {2}${orderId}-1 {2}refused, sent 1 times, last answer 410\\n`))
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(80)
    for (const secret of [cards.approved.cardNumber, gateway.merchant.controlKey.reveal()])
      expect(printed).not.toContain(secret)
  })

  test('[F-C22] is one JSON object for a program, by either id', async () => {
    const orderId = await paid('order-a')
    const byId: Timeline = JSON.parse((await at(['order', orderId])).printed)
    expect(byId).toMatchObject({ clientOrderId: 'order-a', status: 'approved', callbacks: [{ attempts: 1 }] })
    expect(JSON.parse((await at(['order', 'order-a'])).printed)).toEqual(byId)
  })

  test('[F-C22] ends with 1 if no order has the id, or several', async () => {
    expect(await at(['order', '123456789012345'])).toMatchObject({
      code: 1,
      printed: '',
      warned: [expect.stringMatching(/^the sandbox has no order 123456789012345: /)],
    })
    const taken = await paid('order-a')
    const twin = await paid(taken)
    const { code, printed, warned } = await at(['order', taken], TERMINAL)
    expect([code, warned]).toEqual([1, [`the sandbox has more than one order ${taken}: name it by its gateway's id`]])
    for (const id of [taken, twin]) expect(printed).toContain(`  ${id}  approved  `)
    await expect(at(['order'])).rejects.toThrow('ID is missing')
    await expect(at(['order', 'a', 'b'])).rejects.toThrow('b is too much: it is tallystick order ID')
  })
})
