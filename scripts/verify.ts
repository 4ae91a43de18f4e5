/**
 * Checks everything that has to hold before a change is merged: what `npm test` and CI run.
 * Two steps run at a time if they do not disturb each other. A failed step does not stop the others. The last line is the
 * count: `N passed, N failed`.
 *
 *     node scripts/verify.ts                  all steps
 *     node scripts/verify.ts --only tests     one step; may be repeated
 *     node scripts/verify.ts --list           the steps
 *     node scripts/verify.ts --verbose        the output of every step, not only of those that fail
 */
import { parseArgs } from 'node:util'
import { inTurns } from './at-once.ts'
import { add, type Count, closingLine, countOf, nothing } from './verify/count.ts'
import { type Outcome, runStep } from './verify/run-step.ts'
import type { Step } from './verify/step.ts'
import { steps } from './verify/steps.ts'

const options = {
  help: { type: 'boolean', short: 'h' },
  list: { type: 'boolean' },
  only: { type: 'string', multiple: true },
  verbose: { type: 'boolean' },
} as const

const usage = `usage: node scripts/verify.ts [--list] [--only STEP]... [--verbose]

Runs these steps, two at a time if they do not disturb each other. The last line says how many passed and failed.

${list()}`

process.on('SIGINT', () => process.exit(130))
process.on('SIGTERM', () => process.exit(143))
await main()

async function main(): Promise<void> {
  const { help, list: listed, only, verbose } = readOptions()
  if (help) return console.log(usage)
  if (listed) return console.log(list())
  await runAll(only === undefined ? steps : only.map(stepNamed), verbose === true)
}

async function runAll(chosen: readonly Step[], verbose: boolean): Promise<void> {
  let total = nothing
  await inTurns(chosen, async (step) => {
    console.log(`> ${step.name}: ${step.shows}`)
    const outcome = await runStep(step)
    const count = countOf(step, outcome.succeeded)
    console.log(told(step, outcome, count, verbose))
    total = add(total, count)
  })
  if (total.failed > 0) process.exitCode = 1
  console.log(closingLine(total))
}

/** The whole output of a step in one piece, because another step may run at the same time. */
function told(step: Step, { output, seconds }: Outcome, count: Count, verbose: boolean): string {
  const all = verbose || count.failed > 0 ? `${output.trimEnd()}\n` : ''
  const skipped = step.skips === undefined ? '' : `: ${step.skips}`
  const warning = count.skipped > 0 ? `  ${step.name}: SKIPPED ${count.skipped} tests${skipped}\n` : ''
  const detail = step.report === undefined ? '' : `, ${closingLine(count)}`
  return `${all}${warning}  ${step.name}: ${count.failed === 0 ? 'ok' : 'FAILED'} in ${seconds.toFixed(1)} s${detail}`
}

function readOptions() {
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return stopWith(error instanceof Error ? error.message : String(error))
  }
}

function stepNamed(name: string): Step {
  return steps.find((step) => step.name === name) ?? stopWith(`there is no step ${name}`)
}

function stopWith(message: string): never {
  console.error(`${message}\n\n${usage}`)
  process.exit(2)
}

function list(): string {
  return steps.map(({ name, shows }) => `  ${name.padEnd(14)}${shows}`).join('\n')
}
