import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const source = join(import.meta.dirname, '../src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** What would make core impure: Node, the clock, randomness, the network, the environment. */
const IMPURE = [
  /from 'node:/,
  /import\('/,
  /\bnew Date\b/,
  /\bDate\.now\b/,
  /\bperformance\b/,
  /\bTemporal\b/,
  /\bMath\.random\b/,
  /\bcrypto\b/,
  /\bset(?:Timeout|Interval|Immediate)\b/,
  /\bfetch\(/,
  /\bprocess\./,
  /\bBuffer\b/,
  /\bconsole\b/,
]

describe('core is pure', () => {
  test.each(files)('%s', (name) => {
    const text = readFileSync(join(source, name), 'utf8')
    expect(IMPURE.filter((pattern) => pattern.test(text))).toEqual([])
  })

  test('and depends on zod alone', () => {
    const imports = files.flatMap((name) =>
      [...readFileSync(join(source, name), 'utf8').matchAll(/^[^'`]* from '([^.'][^']*)'$/gm)].map(
        ([, specifier]) => specifier,
      ),
    )
    expect(new Set(imports)).toEqual(new Set(['zod']))
  })
})
