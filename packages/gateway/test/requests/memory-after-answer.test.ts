import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const PROGRAM = fileURLToPath(new URL('memory-after-answer.ts', import.meta.url))

test('after the answer nothing of the payer, the card or the 3DS result stays in memory while the acquirer decides', () => {
  const written = execFileSync(process.execPath, ['--conditions=@tallystick/source', '--no-warnings', PROGRAM])
  expect(JSON.parse(String(written))).toEqual({
    // Those of a sale, a payout, a form, and of a sale with an upload: each before it was decided, but the last.
    waiting: 5,
    // The acquirer is asked by it, so the search finds what is there.
    inMemory: ['client_orderid of a sale'],
    cvvs: 0,
    isCalledBack: true,
  })
}, 300_000)
