import { parse } from '../arguments/parse.ts'
import type { Command } from '../command.ts'
import { UsageError } from '../usage-error.ts'
import { candidateFrom } from './candidate-from.ts'
import { CERTIFY_HELP, CERTIFY_OPTIONS } from './certify-options.ts'
import type { Check } from './check.ts'
import { changeChecks } from './checks/changes.ts'
import { controlChecks, credentialsCheck } from './checks/controls.ts'
import { oauthChecks } from './checks/oauth.ts'
import { otherCardChecks } from './checks/other-cards.ts'
import { pageAndCallbackChecks } from './checks/pages-and-callbacks.ts'
import { paymentChecks } from './checks/payments.ts'
import { recurringChecks } from './checks/recurring.ts'
import { type Result, resultsOf } from './results.ts'
import { linesOf, sumOf } from './shown-results.ts'

const CHECKS: readonly Check[] = [
  credentialsCheck,
  ...controlChecks,
  ...oauthChecks,
  ...paymentChecks,
  ...changeChecks,
  ...otherCardChecks,
  ...recurringChecks,
  ...pageAndCallbackChecks,
]

export const certify: Command = {
  name: 'certify',
  summary: 'tries a gateway as a client meets it, and says where it differs from the interface',
  help: CERTIFY_HELP,
  run: async (args, world) => {
    const { values, positionals } = parse('certify', args, CERTIFY_OPTIONS)
    if (positionals.length > 0)
      throw new UsageError(`${positionals[0]} is not understood: see tallystick certify --help`)
    const checks = CHECKS.filter(({ claim }) => claim.toLowerCase().includes(values.only.toLowerCase()))
    if (checks.length === 0) throw new UsageError(`--only: no line has the text ${values.only}`)
    const { candidate, close } = await candidateFrom(values, world)
    const results: Result[] = []
    try {
      for await (const result of resultsOf(checks, candidate, world)) {
        results.push(result)
        world.print(values.json ? `${JSON.stringify(result)}\n` : linesOf(result, world.columns))
      }
      if (!values.json) world.print(`\n${sumOf(results)}\n`)
      return results.some(({ verdict, unanswered }) => verdict === 'wrong' || unanswered) ? 1 : 0
    } finally {
      await close()
    }
  },
}
