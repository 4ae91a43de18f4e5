/** The operations with their fields and replies, from the catalogue of core. */
import {
  catalogue,
  type Model,
  type Operation,
  type OperationKey,
  operationKeys,
} from '../../packages/core/src/index.ts'
import { type ModelField, ServerErrorResponse, ValidationErrorResponse } from '../../packages/core/src/internal.ts'
import { openApiDocument } from '../../packages/core/src/openapi.ts'
import { replyValues } from '../../packages/testing/src/index.ts'
import { code, list, table } from './markdown.ts'

/** A row for each operation of a page. */
export function operationIndex(page: string, keys: readonly OperationKey[]): string {
  return table(
    ['Operation', 'What it does', 'Effect', 'Signature'],
    keys.map((key) => {
      const { meaning, effect, ...operation }: Operation = catalogue[key]
      const signatures = [...addressesOf(operation.name).keys()].join('; ')
      return [`[\`${key}\`](${page}#${key.toLowerCase()})`, meaning, code(effect), signatures]
    }),
  )
}

/** All about each operation of a page. */
export function operationSections(keys: readonly OperationKey[]): string {
  return keys.flatMap((key, at) => [`## ${key}`, ...aboutOperation(key), fieldsOf(key, keys.slice(0, at))]).join('\n\n')
}

function aboutOperation(key: OperationKey): readonly string[] {
  const { name, nameOrigin, meaning, effect, request, reply, groupAddress }: Operation = catalogue[key]
  const atGroup = groupAddress === 'bare' ? '; a group of endpoints has its id in the same place' : ''
  const addresses = Array.from(addressesOf(name), ([signature, paths]) => [
    `Address: ${paths.map((path) => code(`POST ${path}`)).join(', ')}${atGroup}`,
    `Signature: ${signature}`,
  ])
  const facts = [
    `Method of the client: \`client.${key}(input)\``,
    ...addresses.flat(),
    `Effect: ${code(effect)}`,
    `Schemas: \`${request.name}\`, answered by [\`${reply.name}\`](replies.md#${reply.name.toLowerCase()})`,
    `Name in the specification: ${nameOrigin === 'stated' ? code(name) : 'none'}`,
  ]
  return [meaning, list(facts)]
}

const { paths } = openApiDocument()
const SCHEMES: Readonly<Record<string, string>> = {
  oauthHmacSha1: 'OAuth 1.0a with HMAC-SHA1',
  oauthRsaSha256: 'OAuth 1.0a with RSA-SHA256',
}

/** The addresses of an operation by how a request to them is signed. */
function addressesOf(name: string): ReadonlyMap<string, readonly string[]> {
  const served = Object.entries(paths).filter(([, { post }]) => post['x-tallystick-operation'] === name)
  const signed = Map.groupBy(served, ([, { post }]) => {
    const formula = post['x-tallystick-control']
    if (formula !== undefined) return `control, the SHA-1 of ${code(formula)}`
    return Object.keys(post.security[0] ?? {})
      .map((scheme) => SCHEMES[scheme])
      .join(', ')
  })
  return new Map(Array.from(signed, ([signature, entries]) => [signature, entries.map(([path]) => path)]))
}

type Row = readonly string[]

/** A table up to this length is easier to read than what differs from another. */
const SHORT = 15

/** The fields of an operation. A long table that stands on the page already, for one of the operations `before` it, is not repeated. */
function fieldsOf(key: OperationKey, before: readonly OperationKey[]): string {
  const rows = requestRows(catalogue[key].request)
  const [nearest] = before
    .map((base) => {
      const others = requestRows(catalogue[base].request)
      const without = others.filter(([name]) => !rows.some(([own]) => own === name)).map(([name]) => name)
      const own = rows.filter((row) => !others.some((other) => other.join() === row.join()))
      return { base, without, own, size: without.length + own.length }
    })
    .toSorted((a, b) => a.size - b.size)
  if (rows.length <= SHORT || nearest === undefined || nearest.size >= rows.length) return requestTable(rows)
  const { base, without, own } = nearest
  const missing = without.length === 0 ? '' : `, without ${without.join(', ')}`
  const sentence = `The fields are those of [${base}](#${base.toLowerCase()})${missing}.`
  return own.length === 0 ? sentence : `${sentence} These are new or differ:\n\n${requestTable(own)}`
}

/** The fields of a request, with the name that is sent. */
function requestRows({ fields }: Model): readonly Row[] {
  return Object.entries(fields).map(([name, field]) => {
    const required = name === 'login' ? `${requirement(field)}; our client adds it` : requirement(field)
    return [code(name), code(field.wireName), required, field.meaning, field.format.bound, sourceOf(field)]
  })
}

function requestTable(rows: readonly Row[]): string {
  return table(['Field', 'Sent as', 'Required', 'Meaning', 'Value', 'Source'], rows)
}

/** The fields of a reply or a callback, with all names under which they are read. */
export function replyTable({ fields }: Model): string {
  const rows = Object.entries(fields).map(([name, field]) => {
    const absent = field.format.read(undefined)
    // A field that a reply may lack is there all the same if its absence has a meaning.
    const presence = typeof absent === 'string' ? `no: then it is ${code(absent)}` : requirement(field)
    return [
      code(name),
      [field.wireName, ...field.aliases].map(code).join(', '),
      presence,
      field.meaning,
      sourceOf(field),
    ]
  })
  return table(['Field', 'Received as', 'Always', 'Meaning', 'Source'], rows)
}

function requirement({ necessity, condition = '' }: ModelField): string {
  return necessity === 'required' ? 'yes' : condition
}

function sourceOf({ origin: { kind, part } }: ModelField): string {
  return `${kind === 'stated' ? 'interface' : 'gaps'} ${part}`
}

/** Every reply, with the operations that it answers. */
export function replies(): string {
  const answers = Map.groupBy(operationKeys, (key): Model => catalogue[key].reply)
  const refused = 'ask for the status, unless the HTTP status is 403, which refuses the signature'
  return [
    ...Array.from(answers, ([model, keys]) =>
      reply(model, `Answers ${keys.map(code).join(', ')}.`, new Set(keys.map((key) => replyValues(key).type ?? ''))),
    ),
    reply(ValidationErrorResponse, 'Answers any operation.', ['validation-error']),
    reply(ServerErrorResponse, `Answers any operation: ${refused}.`, ['error']),
  ].join('\n\n')
}

function reply(model: Model, answers: string, types: Iterable<string>): string {
  const type = `Its \`type\` is ${Array.from(types, code).join(' or ')}.`
  return [`## ${model.name}`, `${model.meaning} ${answers}`, type, replyTable(model)].join('\n\n')
}
