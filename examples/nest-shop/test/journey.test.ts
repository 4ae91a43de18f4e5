import { playJourney, startWorld } from '@tallystick/shop-kit'
import { cards } from '@tallystick/testing'
import { expect, test } from 'vitest'
import { startShop } from '../src/start-shop.ts'

test('all eight families of the journey come out right, and print no card number', async () => {
  const world = await startWorld({ startShop, gatewayPort: 0, shopPort: 0 })
  const lines: string[] = []
  const chapters = await playJourney(world, (line) => lines.push(line))
  await world.close()
  expect(chapters.map(({ wrong }) => wrong)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  const printed = lines.join('\n')
  for (const { cardNumber } of Object.values(cards)) expect(printed).not.toContain(cardNumber)
})
