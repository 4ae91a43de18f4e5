import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ACTS } from '../src/gateway/scenario.ts'

const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

test('the README has every fault, with the call that asks for it and its name in the gateway', () => {
  const [section = ''] = readme.split('\n## ').filter((one) => one.startsWith('What can go wrong\n'))
  const rows = [...section.matchAll(/^\| [^|]+ \| `(\w+)` \| `([\w-]+)` \|$/gm)]
  expect(Object.fromEntries(rows.map(([, act, fault]) => [act, fault]))).toEqual(ACTS)
  expect(rows).toHaveLength(Object.keys(ACTS).length)
})
