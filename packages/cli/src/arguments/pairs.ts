import type { Pair } from '@tallystick/core'
import { UsageError } from '../usage-error.ts'

/** `FIELD=VALUE` operands, by their names on the wire. @throws UsageError */
export function pairsOf(operands: readonly string[]): readonly Pair[] {
  const pairs = operands.map(pairOf)
  const names = pairs.map(([name]) => name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new UsageError(`${twice} is given twice`)
  return pairs
}

function pairOf(operand: string): Pair {
  const equals = operand.indexOf('=')
  if (equals < 1) throw new UsageError('a field is given as FIELD=VALUE, such as amount=10.42')
  return [operand.slice(0, equals), operand.slice(equals + 1)]
}
