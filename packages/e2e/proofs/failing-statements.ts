/**
 * Whichever database statement fails, no order is lost, doubled or half done.
 *
 *     pnpm prove failing-statements [--quick] [--runs n] [--seed n]
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { type OperationKey, operationKeys } from '@tallystick/core'
import { inFolder, type Order, type Outcome, prove, withCommas } from '@tallystick/proof-kit'
import { from, once } from '../../gateway/test/support/failing-database.ts'
import { type Attempt, type Attempted, attempt, prepare } from './failing-statements/attempt.ts'

interface Way {
  readonly faultAt: (n: number, statements: number) => Omit<Attempt, 'file'>
  /** How many statements there are to fail. */
  readonly most: (whole: Attempted) => number
}

/** How a statement fails, and what happens next. */
const WAYS: Readonly<Record<string, Way>> = {
  'fails once, and the process goes on': {
    faultAt: (n) => ({ fault: once(n), isEnded: false }),
    most: ({ statements }) => statements,
  },
  'fails once, and the process ends': {
    faultAt: (n) => ({ fault: once(n), isEnded: true }),
    most: ({ statements }) => statements,
  },
  'fails as all do from then on, and the process ends': {
    faultAt: (n) => ({ fault: from(n), isEnded: true }),
    most: ({ statements }) => statements,
  },
  'of the next start fails, after a process that was cut off halfway': {
    faultAt: (n, statements) => ({ fault: from(Math.ceil(statements / 2)), isEnded: true, nextFault: once(n) }),
    // Finishing what was left half done takes as many again.
    most: ({ starting, statements }) => starting + statements,
  },
}

await prove({
  name: 'failing-statements',
  meaning:
    'Each operation is carried out while the n-th statement of its database fails, for every n. Then, in the same process\n' +
    'or in the next: what was acknowledged is there, nothing was sent to the bank twice, the books are right, and every\n' +
    'operation has its outcome and its callback.',
  runs: { of: 'statements of each operation and way, at most', long: 1000, quick: 3 },
  run: (order) => inFolder('failing-statements', (folder) => walk(order, folder)),
})

async function walk(order: Order, folder: string): Promise<Outcome> {
  const findings: string[] = []
  let failures = 0
  for (const [at, key] of operationKeys.entries()) {
    const walked = await walkOperation(key, order, folder)
    failures += walked.failures
    findings.push(...walked.findings)
    order.progress(at + 1, operationKeys.length)
  }
  return {
    ok: findings.length === 0,
    figure:
      `${withCommas(failures)} failed statements in ${operationKeys.length} operations: ` +
      `${withCommas(findings.length)} orders lost, doubled, wrong or without an outcome`,
    findings,
  }
}

async function walkOperation(key: OperationKey, { runs, random }: Order, folder: string) {
  const prepared = await prepare(key, join(folder, `${key}.db`))
  const whole = await attempt(prepared, { file: join(folder, `${key}-whole.db`), isEnded: false })
  const findings = whole.findings.map((finding) => `${key}: without a failure: ${finding}`)
  let failures = 0
  for (const [way, { faultAt, most }] of Object.entries(WAYS)) {
    const all = Array.from({ length: most(whole) }, (_, index) => index + 1)
    const chosen = runs < all.length ? random.shuffle(all).slice(0, runs) : all
    for (const n of chosen) {
      const file = join(folder, `${key}-${failures++}.db`)
      const attempted = await attempt(prepared, { file, ...faultAt(n, whole.statements) })
      findings.push(...attempted.findings.map((finding) => `${key}: statement ${n} ${way}: ${finding}`))
      rmSync(file)
    }
  }
  return { failures, findings }
}
