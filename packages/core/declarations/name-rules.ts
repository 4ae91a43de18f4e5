/**
 * Writes the names of rules, actions, sums and funds into the built declarations, instead of the whole tables from which the
 * compiler would derive them: an editor then shows the names. Part of the build; runs in the package's folder, between
 * `tsc` and the roll-up.
 *
 *     node declarations/name-rules.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { ACTION_NAMES, ORDER_ACTIONS } from '../src/rules/actions.ts'
import { FUND_NAMES, TOTAL_NAMES } from '../src/rules/funds.ts'
import { STATE_RULES } from '../src/rules/state-rules.ts'

const made = ACTION_NAMES.map((action) => `${action}: ${oneOf(Object.values(ORDER_ACTIONS[action].makes))}`)

replace('rules/state-rules', 'StateRuleId', oneOf(STATE_RULES.map(({ id }) => id)))
replace('rules/actions', 'OrderAction', oneOf(ACTION_NAMES))
replace('rules/actions', 'CreatedBy<A extends OrderAction>', `{ ${made.join('; ')} }[A]`)
replace('rules/funds', 'TotalName', oneOf(TOTAL_NAMES))
replace('rules/funds', 'Fund', oneOf(FUND_NAMES))

function oneOf(names: readonly string[]): string {
  return [...new Set(names)].map((name) => `'${name}'`).join(' | ')
}

function replace(file: string, alias: string, type: string): void {
  const path = `dist/${file}.d.ts`
  const [before, after] = readFileSync(path, 'utf8').split(`export type ${alias} = `)
  if (before === undefined || after === undefined) throw new Error(`${path} has no ${alias}`)
  writeFileSync(path, `${before}export type ${alias} = ${type}${after.slice(after.indexOf(';'))}`)
}
