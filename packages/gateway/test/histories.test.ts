import { expect, test } from 'vitest'
import { IN_ORDER } from './histories/bank.ts'
import { checkHistories } from './histories/check-histories.ts'
import { play } from './histories/play.ts'
import type { Step } from './histories/steps.ts'

/** The long form is `pnpm prove gateway-histories`. */
test('[S3-01] [S3-02] [S3-03] [S3-05] [S3-06] [S3-07] [G5-01] [G5-07] [G13-20] random histories go as they do on paper, in memory and in SQLite alike', async () => {
  const { counts } = await checkHistories({ runs: 8 })
  expect(Object.keys(counts).length).toBeGreaterThan(25)
}, 120_000)

const open = {
  does: 'open',
  path: 'sale',
  target: '1112',
  currency: 'EUR',
  cents: 1042,
  card: 'plain',
  threeDs: 'redirect',
  server: false,
  notify: false,
  reuses: undefined,
  stored: 0,
  fault: undefined,
  mood: IN_ORDER,
} satisfies Step

const resend = { does: 'resend', order: 0, outcome: 'approved' } satisfies Step

test('a callback to an endpoint that is not configured any more is sent again as it was', async () => {
  const restart = {
    does: 'restart',
    newVaultKey: false,
    newControlKey: true,
    clockBack: 0,
    notifyUrl: 'https://shop.example.com/two',
    takesDollars: true,
    servesBoth: true,
  } satisfies Step
  const elsewhere = [restart, resend]
  const gone = [{ ...restart, notifyUrl: undefined, servesBoth: false }, resend]
  const counts = await play([open, ...elsewhere, ...gone, ...elsewhere, { ...restart, notifyUrl: undefined }, resend])
  expect(counts).toMatchObject({ restart: 4, resend: 4 })
})

test('callbacks of many operations that are sent again come in any order', async () => {
  const failing = { ...IN_ORDER, truth: 'error' } as const
  const days = { does: 'go on', by: 7 * 86_400_000, shopIsDown: false, mood: failing } satisfies Step
  const held = { ...open, path: 'preauth', target: '1111', notify: true } as const
  const history = [held, days, days, { ...days, mood: IN_ORDER }, resend]
  expect(await play(history)).toMatchObject({ resend: 1 })
})
