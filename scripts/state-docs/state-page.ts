import { STATE_RULES, sqlConstraints } from '../../packages/core/src/index.ts'
import { operationDiagram, stateDiagram } from './diagrams.ts'

/** The page about states: diagrams, rules and constraints, all from the one table of core. */
export function statePage(): string {
  const rules = STATE_RULES.map(({ id, appliesTo, text, source }) => [`\`${id}\``, appliesTo.join(', '), text, source])
  const checks = sqlConstraints().orders.map(({ name, expression }) => `CONSTRAINT ${name} CHECK (${expression})`)
  const sections = [
    '# What may happen to an order',
    'Made by `pnpm docs:state` from the rules of `packages/core/src/rules`; a test compares them.',
    'An order is derived from its operations, which are only ever appended. Each is a small machine of its own:',
    fence('mermaid', stateDiagram()),
    'What an order begins with, and which request makes which operation of it:',
    fence('mermaid', operationDiagram()),
    '## The rules',
    'A refusal names the rule by its id. Ids that begin with S or G are those of `spec/requirements`.',
    table(['Rule', 'About', 'Text', 'Source'], rules),
    '## What a database holds',
    'The same rules over the columns that `sqlColumns(order)` gives. Amounts are in minor units.',
    fence('sql', checks.join(',\n')),
  ]
  return `${sections.join('\n\n')}\n`
}

function fence(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
}

function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`).join('\n')
}
