import { expect, test } from 'vitest'
import { checkHistories } from './histories/check-histories.ts'

/** The long form is `pnpm prove gateway-histories`. */
test('[S3-01] [S3-02] [S3-03] [S3-05] [S3-06] [S3-07] [G5-01] [G5-07] [G13-20] random histories go as they do on paper, in memory and in SQLite alike', async () => {
  const { counts } = await checkHistories({ runs: 8 })
  expect(Object.keys(counts).length).toBeGreaterThan(25)
}, 120_000)
