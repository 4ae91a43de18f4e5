import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('memory-after-answer.ts', import.meta.url))

function leftInMemory(...options: readonly string[]) {
  const flags = ['--conditions=@tallystick/source', '--no-warnings']
  return JSON.parse(String(execFileSync(process.execPath, [...flags, PROGRAM, ...options])))
}

test('after the answer nothing of the payer, the card or the 3DS result stays in memory while the acquirer decides', () => {
  expect(leftInMemory()).toEqual({
    // Those of a sale, a payout, a form, and of a sale with an upload: each before it was decided, but the last.
    waiting: 5,
    // The acquirer is asked by it, so the search finds what is there.
    inMemory: ['client_orderid of a sale'],
    cvvs: 0,
    isCalledBack: true,
  })
}, 300_000)

test('[F-E1] after the answer no card number stays in memory for a recording, which has the other fields', () => {
  const { inMemory } = leftInMemory('recorded')
  expect(inMemory).toContain('first_name of a sale')
  expect(inMemory.filter((held: string) => held.startsWith('credit_card_number'))).toEqual([])
}, 300_000)
