import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operationDiagram, stateDiagram } from '../state-docs/diagrams.ts'
import { statePage } from '../state-docs/state-page.ts'
import { root } from '../workspace.ts'

test('docs/state.md matches the rules (rewrite it with `pnpm docs:state`)', () => {
  expect(readFileSync(join(root, 'docs/state.md'), 'utf8')).toBe(statePage())
})

describe('diagrams', () => {
  test('[G5-01] [G5-06] the state machine of an operation', () => {
    expect(stateDiagram()).toBe(`stateDiagram-v2
  [*] --> created
  created --> sent
  created --> error
  sent --> approved
  sent --> declined
  sent --> filtered
  sent --> error
  sent --> processing
  sent --> unknown
  processing --> approved
  processing --> declined
  processing --> filtered
  processing --> error
  processing --> unknown
  unknown --> approved
  unknown --> declined
  unknown --> filtered
  unknown --> error
  approved --> [*]
  declined --> [*]
  filtered --> [*]
  error --> [*]
`)
  })

  test('[S3-01] [S3-04] which operation each action makes from which', () => {
    expect(operationDiagram()).toBe(`flowchart LR
  order --> sale
  order --> preauth
  order --> account-verification
  order --> payout-check
  order --> payout
  order --> transfer
  preauth -- capture --> capture
  preauth -- void --> cancel
  sale -- void --> reversal
  capture -- void --> reversal
  preauth -- return --> cancel
  sale -- return --> reversal
  capture -- return --> reversal
  payout-check -- pay --> payout-pay
  sale -- chargeback --> chargeback
  capture -- chargeback --> chargeback
  preauth -- release --> cancel
`)
  })
})
