/**
 * Writes the catalogue's descriptions of fields into the built declarations, where editors find them. These declarations have no
 * map, so that an editor goes to them and not to the source, which has no descriptions. Part of the build; runs in the package's
 * folder, after `tsc`.
 *
 *     node declarations/describe-fields.ts
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { CallbackNotice } from '../src/callbacks/callback.ts'
import type { Model } from '../src/models/model.ts'
import { catalogue, operationKeys } from '../src/operations/catalogue.ts'
import type { Operation } from '../src/operations/operation.ts'
import { fieldText, meaningOf, type Use } from './field-text.ts'

const operations: readonly (readonly [string, Operation])[] = operationKeys.map((key) => [key, catalogue[key]])
const requests = usesOf(operations.map(([key, { request }]) => [key, request]))
const replies = usesOf(operations.map(([key, { reply }]) => [key, reply]))
const notice = usesOf([['callback', CallbackNotice]])

describe('requests/request-fields', 'interface RequestFields', (name) => fieldText(requests.get(name) ?? []))
describe('requests/three-ds', 'interface MethodUrlFields', (name) =>
  fieldText((requests.get(name) ?? []).filter(({ operation }) => operation === 'uploadMethodUrlResult')),
)
describe('replies/reply-fields', 'interface ReplyFields', (name) => meaningOf(replies.get(name) ?? []))
describe('callbacks/callback', 'interface CallbackFields', (name) => meaningOf(notice.get(name) ?? []))

function usesOf(models: readonly (readonly [string, Model])[]): ReadonlyMap<string, readonly Use[]> {
  const uses = models.flatMap(([operation, { fields }]) =>
    Object.entries(fields).map(([name, field]) => [name, { operation, field }] as const),
  )
  return new Map([...Map.groupBy(uses, ([name]) => name)].map(([name, each]) => [name, each.map(([, use]) => use)]))
}

/** Puts the text above each member of one declaration, which has each member on a line of its own. */
function describe(file: string, declaration: string, textOf: (member: string) => string): void {
  const path = `dist/${file}.d.ts`
  const declarations = readFileSync(path, 'utf8').replace(/\n\/\/# sourceMappingURL=.*/, '')
  const begin = declarations.indexOf(`export ${declaration}`)
  const end = declarations.indexOf('\n}', begin)
  if (begin < 0 || end < 0) throw new Error(`${path} has no ${declaration}`)
  const described = declarations.slice(begin, end).replace(/^ {4}readonly (\w+):/gm, (line, member: string) => {
    const text = textOf(member)
    if (text === '' || text.includes('*/')) throw new Error(`${path}: nothing can be said of ${member}`)
    return `    /** ${text} */\n${line}`
  })
  writeFileSync(path, declarations.slice(0, begin) + described + declarations.slice(end))
  rmSync(`${path}.map`)
}
