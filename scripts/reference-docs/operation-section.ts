import { catalogue, type Operation, type OperationKey } from '../../packages/core/src/index.ts'
import { openApiDocument } from '../../packages/core/src/openapi.ts'
import { code, list } from '../markdown.ts'
import { operationFields } from './operation-fields.ts'

const { paths } = openApiDocument()

const OAUTH: Readonly<Record<string, string>> = {
  oauthHmacSha1: 'OAuth 1.0a with HMAC-SHA1',
  oauthRsaSha256: 'OAuth 1.0a with RSA-SHA256',
}

/** All about one operation. `before` are those that stand above it on the page. */
export function operationSection(key: OperationKey, before: readonly OperationKey[]): readonly string[] {
  const operation: Operation = catalogue[key]
  const { meaning, request, reply, name } = operation
  const facts = list([
    `Method of the client: \`client.${key}(input)\``,
    ...addresses(operation),
    `Effect: ${code(operation.effect)}`,
    `Schemas: \`${request.name}\`, answered by [\`${reply.name}\`](replies.md#${reply.name.toLowerCase()})`,
    `Name in the specification: ${operation.nameOrigin === 'stated' ? code(name) : 'none'}`,
  ])
  return [`## ${key}`, meaning, facts, ...operationFields(key, before)]
}

/** How the requests of an operation are signed. Differs by path if the paths differ in that. */
export function signaturesOf(operation: Operation): ReadonlyMap<string, readonly string[]> {
  const signatures = new Map<string, string[]>()
  for (const [path, { post }] of Object.entries(paths)) {
    if (post['x-tallystick-operation'] !== operation.name) continue
    const signature = signatureOf(post)
    signatures.set(signature, [...(signatures.get(signature) ?? []), path])
  }
  return signatures
}

function signatureOf(post: (typeof paths)[string]['post']): string {
  const formula = post['x-tallystick-control']
  if (formula !== undefined) return `control, the SHA-1 of ${code(formula)}`
  return Object.keys(post.security[0] ?? {})
    .map((scheme) => OAUTH[scheme])
    .join(', ')
}

function addresses(operation: Operation): readonly string[] {
  return [...signaturesOf(operation)].flatMap(([signature, served]) => [
    `Address: ${served.map((path) => code(`POST ${path}`)).join(', ')}${groupAt(operation)}`,
    `Signature: ${signature}`,
  ])
}

function groupAt({ groupAddress }: Operation): string {
  return groupAddress === 'bare' ? '; a group of endpoints has its id in the same place' : ''
}
