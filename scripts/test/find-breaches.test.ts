import { describe, expect, test } from 'vitest'
import { ruleFor } from '../dependencies/check-package.ts'
import { findBreaches } from '../dependencies/find-breaches.ts'
import { findCircles } from '../dependencies/layers.ts'

function messages(folder: string, text: string, path = 'src/a.ts'): readonly string[] {
  return findBreaches(ruleFor(folder), { path, text }).map(({ message }) => message)
}

describe('an import against the table is found', () => {
  test.for([
    ['of a value', `import { Agent } from 'undici'`],
    ['of a type', `import type { Agent } from 'undici'`],
    ['for its effect', `import 'undici'`],
    ['of a subpath', `import { x } from 'undici/lib/x.js'`],
    ['that is exported again', `export { Agent } from 'undici'`],
    ['that is exported again as a whole', `export * from 'undici'`],
    ['that is dynamic', `const { Agent } = await import('undici')`],
    ['inside a type', `export type Agent = import('undici').Agent`],
    ['by require', `const undici = require('undici')`],
  ] as const)('%s', ([, text]) => {
    expect(messages('signing', text)).toEqual([expect.stringMatching(/^imports undici\S*; it may import nothing$/)])
  })

  test('client does not import gateway', () => {
    expect(messages('client', `import { createGateway } from '@tallystick/gateway'`)).toEqual([
      'imports @tallystick/gateway; it may import @tallystick/core, @tallystick/signing, undici',
    ])
  })

  test('core imports nothing of Node, with or without its prefix', () => {
    expect(messages('core', `import { hash } from 'node:crypto'\nimport { join } from 'path'`)).toEqual([
      'imports node:crypto; of Node it may import nothing',
      'imports path; of Node it may import nothing',
    ])
  })

  test('signing imports only the cryptography of Node', () => {
    expect(messages('signing', `import { hash } from 'node:crypto'\nimport { readFileSync } from 'node:fs'`)).toEqual([
      'imports node:fs; of Node it may import node:crypto',
    ])
  })

  test('no file reaches into the folder of another package', () => {
    expect(messages('client', `import { Pan } from '../../core/src/pan.ts'`)).toEqual([
      'imports ../../core/src/pan.ts, which leaves the package',
    ])
  })

  test('only sources import what the build contains', () => {
    const text = `import { identityOf } from '@tallystick/durable/file-guard'`
    expect(messages('journal', text)).toEqual([])
    expect(messages('client', text)).toHaveLength(1)
    for (const path of ['dist/index.js', 'dist/index.d.ts']) expect(messages('journal', text, path)).toHaveLength(1)
  })

  test('with its line', () => {
    const [breach] = findBreaches(ruleFor('core'), {
      path: 'src/a.ts',
      text: `\n\nimport 'undici'\n`,
    })
    expect(breach).toMatchObject({ path: 'src/a.ts', line: 3 })
  })
})

describe('the order of the folders', () => {
  const order = ['index', 'pay send/all', 'send', 'states']
  const against = (path: string, specifier: string) =>
    findBreaches(ruleFor('journal'), { path, text: `import type { A } from '${specifier}'` }, order).length > 0

  test('a file imports what stands below it or on its own line', () => {
    expect(against('src/pay/pay.ts', '../send/send.ts')).toBe(false)
    expect(against('src/pay/pay.ts', '../send/all.ts')).toBe(false)
    expect(against('src/send/send.ts', './lost.ts')).toBe(false)
  })

  test('an import of what stands above is found, by types either', () => {
    expect(against('src/states.ts', './pay/pay.ts')).toBe(true)
    expect(against('src/send/send.ts', './all.ts')).toBe(true)
  })

  test('nothing may import a file that has no place', () => {
    expect(against('src/pay/pay.ts', '../new/new.ts')).toBe(true)
  })

  test('files that import each other in a circle are found together', () => {
    const imports = { a: ['b'], b: ['c', 'd'], c: ['a'], d: ['e'], e: [], f: ['f2'], f2: ['f'] }
    expect(findCircles(new Map(Object.entries(imports)))).toEqual([
      ['a', 'b', 'c'],
      ['f', 'f2'],
    ])
  })
})

test('in a built bundle too', () => {
  const bundle = 'dist/index.js'
  expect(messages('core', `import{hash}from"node:crypto";`, bundle)).toHaveLength(1)
  expect(messages('client', `import{createGateway}from"@tallystick/gateway";`, bundle)).toHaveLength(1)
})

describe('nothing is found', () => {
  test.for([
    ['in a comment', '// import x from "undici"'],
    ['in a text', `const text = 'import("undici")'`],
    ['where a package imports what its row allows', `import * as z from 'zod'\nimport { Pan } from './pan.ts'`],
  ] as const)('%s', ([, text]) => {
    expect(messages('core', text)).toEqual([])
  })
})

test('a file that does not parse is a breach, because it would hide others', () => {
  expect(messages('core', 'const = 1')).toHaveLength(1)
})
