import { readFileSync } from 'node:fs'
import { catalogue, type Operation, type OperationKey, operationKeys } from '@tallystick/core'
import { expect, test } from 'vitest'

const page = readFileSync(new URL('../../../docs/client.md', import.meta.url), 'utf8')
const [, section = ''] = /^## Operations\n(.*?)^## /ms.exec(page) ?? []
const rows = [...section.matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \|$/gm)].map(([, method, does, signedBy]) => ({
  method,
  does,
  signedBy,
}))

const METHODS = {
  'HMAC-SHA1': 'OAuth, `controlKey`',
  'RSA-SHA256': 'OAuth, `privateKey`',
  'by-profile': 'OAuth, by the profile',
} as const

function signedBy(key: OperationKey): string {
  const { auth }: Operation = catalogue[key]
  return auth.scheme === 'control' ? 'control' : METHODS[auth.method]
}

test('the page of the client has a row for each operation of the catalogue, with what it is signed by', () => {
  const told = Object.fromEntries(rows.map((row) => [row.method, row.signedBy]))
  expect(told).toEqual(Object.fromEntries(operationKeys.map((key) => [key, signedBy(key)])))
  expect(rows).toHaveLength(operationKeys.length)
})

test.each(rows)('it says in a few words what $method does', ({ does = '' }) => {
  expect(does.split(' ').length).toBeLessThanOrEqual(6)
})
