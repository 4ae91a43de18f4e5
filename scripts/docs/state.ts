/** What may happen to an order, from the rules of core. */
import { STATE_RULES, sqlConstraints } from '../../packages/core/src/internal.ts'
import { ACTION_NAMES, actionFacts } from '../../packages/core/src/rules/actions.ts'
import { factsOf, OPERATION_KIND_NAMES } from '../../packages/core/src/rules/operation-kinds.ts'
import { OPERATION_STATUSES, TRANSITIONS } from '../../packages/core/src/rules/transitions.ts'
import { code, fence, table } from './markdown.ts'

/** How the status of an operation moves. */
export function statusDiagram(): string {
  const steps = OPERATION_STATUSES.flatMap((from) => {
    const next: readonly string[] = TRANSITIONS[from]
    return (next.length === 0 ? ['[*]'] : next).map((to) => `  ${from} --> ${to}`)
  })
  return fence('mermaid', ['stateDiagram-v2', '  [*] --> created', ...steps].join('\n'))
}

/** What an order begins with, and which operation each action makes from which. */
export function actionDiagram(): string {
  const openings = OPERATION_KIND_NAMES.filter((kind) => factsOf(kind).opens).map((kind) => `  order --> ${kind}`)
  const made = ACTION_NAMES.flatMap((action) =>
    Object.entries(actionFacts(action).makes).map(([from, to]) => `  ${from} -- ${action} --> ${to}`),
  )
  return fence('mermaid', ['flowchart LR', ...openings, ...made].join('\n'))
}

export function stateRules(): string {
  const rows = STATE_RULES.map(({ id, appliesTo, text, source }) => [code(id), appliesTo.join(', '), text, source])
  return table(['Id', 'Applies to', 'Rule', 'Source'], rows)
}

export function constraints(): string {
  const checks = sqlConstraints().orders.map(({ name, expression }) => `CONSTRAINT ${name} CHECK (${expression})`)
  return fence('sql', checks.join(',\n'))
}
