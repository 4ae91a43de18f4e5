import { cards, type TestCard } from '@tallystick/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { playJourney } from '../src/journey.ts'
import { startWorld, type World } from '../src/world.ts'

let world: World
const log: string[] = []
beforeAll(async () => {
  world = await startWorld({ gatewayPort: 0, shopPort: 0, log: (line) => log.push(line) })
})
afterAll(() => world.close())

async function buy(product: string, card: TestCard): Promise<Response> {
  return fetch(`${world.shopUrl}/orders`, {
    method: 'POST',
    body: new URLSearchParams({ product, ...card }),
    redirect: 'manual',
  })
}

describe('the shop', () => {
  test('sells a product: the page of the order says so once the callback came', async () => {
    const address = (await buy('hazel', cards.approved)).headers.get('location') ?? ''
    await world.shop.orders.settled(address.split('/').at(-1) ?? '', AbortSignal.timeout(5000))
    const page = await fetch(world.shopUrl + address).then((response) => response.text())
    expect(page).toContain('Paid with VISA ending in 1111.')
    expect(page).not.toContain('http-equiv="refresh"')
  })

  test('never shows or logs the card', async () => {
    const address = (await buy('hazel', { ...cards.approved, cardPrintedName: '<b>JOHN</b>' })).headers.get('location')
    const pages = await Promise.all(
      [address ?? '', '/'].map((path) => fetch(world.shopUrl + path).then((r) => r.text())),
    )
    const orders = JSON.stringify(world.shop.orders.all())
    expect([...log, orders, pages[0]].join('\n')).not.toContain(cards.approved.cardNumber)
  })

  test('has no such product, and no such order', async () => {
    expect((await buy('gold', cards.approved)).status).toBe(404)
    expect((await fetch(`${world.shopUrl}/orders/none`)).status).toBe(404)
  })

  test('does not believe an amount that is not the price', () => {
    const { orders } = world.shop
    const order = orders.open({ id: 'x', name: 'x', price: '10.00', currency: 'USD' })
    const reply = { type: 'status-response', status: 'approved', amount: '0.01', currency: 'USD', extra: {} }
    orders.settle({ clientOrderId: order.id, orderId: '1', status: 'approved', reply })
    expect(orders.find(order.id)?.state).toBe('needs a person')
  })
})

test('the journey of npm start comes out right', async () => {
  const lines: string[] = []
  expect(await playJourney(world, (line) => lines.push(line))).toBe(0)
  expect(lines.filter((line) => line.trim() === 'right')).toHaveLength(4)
})
