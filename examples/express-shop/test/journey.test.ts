import { playJourney, startWorld } from '@tallystick/shop-kit'
import { cards } from '@tallystick/testing'
import { expect, test } from 'vitest'
import { startShop } from '../src/start-shop.ts'

test('the journey of npm start comes out right, and prints no card number', async () => {
  const world = await startWorld({ startShop, gatewayPort: 0, shopPort: 0 })
  const lines: string[] = []
  const chapters = await playJourney(world, (line) => lines.push(line))
  await world.close()
  expect(chapters).toEqual(
    [
      'Sale',
      'Hosted form with 3-D Secure',
      'Preauth, captured and returned in part',
      'Card reference and rebill',
      'Recurring payment',
      'Payout in two steps',
      'Transfer',
      'A lost reply',
    ].map((title, index) => ({ title: `${index + 1}  ${title}`, wrong: 0 })),
  )
  const printed = lines.join('\n')
  for (const { cardNumber } of Object.values(cards)) expect(printed).not.toContain(cardNumber)
})
