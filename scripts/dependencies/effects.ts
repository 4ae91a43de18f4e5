/** Finds where a file uses the clock, randomness, timers, the network or the environment instead of getting them passed. */
import { type Expression, type Program, Visitor } from 'oxc-parser'

export interface Effect {
  /** As written: `Date.now`. */
  readonly name: string
  readonly offset: number
}

/** Forbidden on every object, and as imports. */
const RANDOMNESS = new Set([
  'getRandomValues',
  'randomBytes',
  'randomFill',
  'randomFillSync',
  'randomInt',
  'randomUUID',
])

/** Forbidden as globals. A port may have a method of the same name. */
const GLOBALS = new Set(['fetch', 'setImmediate', 'setInterval', 'setTimeout'])

const MEMBERS = new Set([
  'AbortSignal.timeout',
  'Date.now',
  'Math.random',
  'performance.now',
  'performance.timeOrigin',
  'process.env',
  'process.hrtime',
  'Temporal.Now',
])

export function findEffects(program: Program): readonly Effect[] {
  const found: Effect[] = []
  /** Offsets of identifiers that are no references, or that were visited already: an import visits its name twice. */
  const settled = new Set<number>()
  new Visitor({
    MemberExpression: ({ computed, object, property, start }) => {
      const key = propertyName(property, computed)
      if (!computed) settled.add(property.start)
      if (key !== undefined && isEffect(object, key)) found.push({ name: `${textOf(object)}.${key}`, offset: start })
    },
    Property: ({ key, shorthand }) => void (shorthand || settled.add(key.start)),
    PropertyDefinition: ({ key }) => void settled.add(key.start),
    MethodDefinition: ({ key }) => void settled.add(key.start),
    TSMethodSignature: ({ key }) => void settled.add(key.start),
    TSPropertySignature: ({ key }) => void settled.add(key.start),
    Identifier: ({ name, start }) => {
      if ((RANDOMNESS.has(name) || GLOBALS.has(name)) && !settled.has(start)) found.push({ name, offset: start })
      settled.add(start)
    },
    NewExpression: ({ callee, arguments: given, start }) => {
      if (textOf(callee) === 'Date' && given.length === 0) found.push({ name: 'new Date()', offset: start })
    },
    CallExpression: ({ callee, start }) => {
      if (textOf(callee) === 'Date') found.push({ name: 'Date()', offset: start })
    },
  }).visit(program)
  return found
}

function isEffect(object: Expression, key: string): boolean {
  const owner = textOf(object)
  return RANDOMNESS.has(key) || MEMBERS.has(`${owner}.${key}`) || (owner === 'globalThis' && GLOBALS.has(key))
}

function propertyName(property: { type: string }, computed: boolean): string | undefined {
  if (!computed && 'name' in property) return String(property.name)
  return 'value' in property ? String(property.value) : undefined
}

/** The name of a plain object, also if it is read from `globalThis`; otherwise a text that equals no name. */
function textOf(expression: Expression): string {
  if (expression.type === 'Identifier') return expression.name
  const viaGlobal =
    expression.type === 'MemberExpression' && !expression.computed && textOf(expression.object) === 'globalThis'
  return viaGlobal ? (propertyName(expression.property, false) ?? '…') : '…'
}
