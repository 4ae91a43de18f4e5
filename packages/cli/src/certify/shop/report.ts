import { wrapped, wrappedBehind } from '../../help.ts'
import { costOf, type Result } from './run-scenarios.ts'
import type { Scenario } from './scenario.ts'

const COLUMN = 'wrong  '.length

/** Where the remedies are. */
const REMEDIES = 'https://github.com/tallystick/tallystick/blob/main/docs/shop-remedies.md'

export function remedyOf({ id }: Scenario): string {
  return `${REMEDIES}#${id}`
}

const WORDS = { right: 'right', wrong: 'WRONG', 'cannot be judged': '-' } as const

/** What is printed as soon as a scenario was judged. */
export function linesOf(result: Result, columns: number | undefined, recording?: string): string {
  const { scenario, verdict, detail, lines } = result
  const line = `${wrappedBehind(WORDS[verdict], `${scenario.id}: ${scenario.title}`, COLUMN, columns)}\n`
  if (detail === undefined) return line
  const below = (text: string) => `${wrapped(text, COLUMN, columns)}\n`
  if (verdict === 'cannot be judged') return line + below(`cannot be judged: ${detail}`)
  const shown = lines.map((each) => `${' '.repeat(COLUMN)}${each}\n`).join('')
  const place = placeOf(result, recording)
  const more = place === undefined ? '' : below(`recorded: ${place}`)
  return `${line}${below(detail)}${below(`costs: ${costOf(result)}`)}${shown}${more}${below(`remedy: ${remedyOf(scenario)}`)}`
}

/** The page of a recording, where it opens at the order. */
function placeOf({ orders }: Result, recording: string | undefined): string | undefined {
  const order = orders.at(-1)
  return recording?.endsWith('.html') && order !== undefined ? `${recording}#/order/${order}` : undefined
}

export function asJson(result: Result, recording?: string): string {
  const { scenario, verdict, detail, lines, events, orders, milliseconds } = result
  const { id, group, title, right } = scenario
  const found = { id, group, title, verdict, detail, cost: costOf(result), right, remedy: remedyOf(scenario) }
  const recorded = placeOf(result, recording)
  return `${JSON.stringify({ ...found, recorded, lines, events, orders, milliseconds })}\n`
}

export function sumOf(results: readonly Result[]): string {
  const countOf = (wanted: Result['verdict']) => results.filter(({ verdict }) => verdict === wanted).length
  const costs = new Set(results.flatMap((result) => costOf(result) ?? []))
  const sum = `${countOf('right')} right, ${countOf('wrong')} wrong, ${countOf('cannot be judged')} cannot be judged`
  return costs.size === 0 ? sum : `${sum}\nWhat it costs: ${[...costs].join('; ')}`
}

/** As CI servers read it. */
export function asJunit(results: readonly Result[]): string {
  const failures = results.filter(({ verdict }) => verdict === 'wrong').length
  const skipped = results.filter(({ verdict }) => verdict === 'cannot be judged').length
  const counts = `tests="${results.length}" failures="${failures}" skipped="${skipped}"`
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites><testsuite name="tallystick certify shop" ${counts}>
${results.map(testCase).join('\n')}
</testsuite></testsuites>
`
}

function testCase(result: Result): string {
  const { scenario, verdict, detail = '', lines, milliseconds } = result
  const name = `classname="shop.${scenario.group}" name="${xml(`${scenario.id}: ${scenario.title}`)}"`
  const open = `<testcase ${name} time="${(milliseconds / 1000).toFixed(3)}"`
  if (verdict === 'right') return `${open}/>`
  if (verdict === 'cannot be judged') return `${open}><skipped message="${xml(detail)}"/></testcase>`
  const text = [`costs: ${costOf(result)}`, ...lines, `remedy: ${remedyOf(scenario)}`].join('\n')
  return `${open}><failure message="${xml(detail)}">${xml(text)}</failure></testcase>`
}

function xml(text: string): string {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  // Other control characters are none of XML 1.0.
  return escaped.replaceAll(/(?![\t\n])\p{Cc}/gu, '?')
}
