import { ACTION_NAMES, actionFacts } from '../../packages/core/src/rules/actions.ts'
import { factsOf, OPERATION_KIND_NAMES } from '../../packages/core/src/rules/operation-kinds.ts'
import { OPERATION_STATUSES, TRANSITIONS } from '../../packages/core/src/rules/transitions.ts'

/** The machine of an operation as a mermaid state diagram. */
export function stateDiagram(): string {
  const steps = OPERATION_STATUSES.flatMap((from) => {
    const next: readonly string[] = TRANSITIONS[from]
    return (next.length === 0 ? ['[*]'] : next).map((to) => `  ${from} --> ${to}`)
  })
  return ['stateDiagram-v2', '  [*] --> created', ...steps, ''].join('\n')
}

/** Which operation each action makes from which, as a mermaid flowchart. */
export function operationDiagram(): string {
  const openings = OPERATION_KIND_NAMES.filter((kind) => factsOf(kind).opens).map((kind) => `  order --> ${kind}`)
  const made = ACTION_NAMES.flatMap((action) =>
    Object.entries(actionFacts(action).makes).map(([from, to]) => `  ${from} -- ${action} --> ${to}`),
  )
  return ['flowchart LR', ...openings, ...made, ''].join('\n')
}
