import type { ComponentChildren } from 'preact'
import type { Sandbox } from './sandbox.ts'

/** What the page has of `GET /__sandbox/operations/{operation}`. */
export interface Draft {
  readonly key: string
  /** Each with its name on the wire, and in the models. */
  readonly fields: ReadonlyArray<{ readonly name: string; readonly field: string }>
  /** A request that would be accepted, by the names on the wire. */
  readonly example: ReadonlyArray<{ readonly name: string; readonly value: string }>
}

interface Answer {
  /** The id of its event, by which it has a page. */
  readonly request?: number
  readonly httpStatus: number
  readonly orderId?: string
}

interface Sending {
  readonly draft: Draft
  readonly endpointId: string | undefined
  /** By the names of the models, in place of the example's. What the operation does not have is left out. */
  readonly values: Readonly<Record<string, string>>
}

/** Has the sandbox sign and send the example of an operation, with other values. */
export async function sendDraft(sandbox: Sandbox, { draft, endpointId, values }: Sending) {
  const example = Object.fromEntries(draft.example.map(({ name, value }) => [name, value]))
  return await send(sandbox, { draft, endpointId, values }, example)
}

/** Has the sandbox sign and send a request with these values alone. Returns what to say of it. */
export async function signedRequest(
  sandbox: Sandbox,
  { operation, ...sending }: Omit<Sending, 'draft'> & { readonly operation: string },
): Promise<ComponentChildren> {
  const draft = await sandbox.ask<Draft>('GET', `/operations/${operation}`)
  return (await send(sandbox, { draft, ...sending })).said
}

async function send(
  sandbox: Sandbox,
  { draft, endpointId, values }: Sending,
  others: Readonly<Record<string, string>> = {},
) {
  const named = draft.fields.flatMap(({ name, field }) => {
    const value = values[field]
    return value === undefined ? [] : [[name, value] as const]
  })
  const asked = { operation: draft.key, endpoint: endpointId, fields: { ...others, ...Object.fromEntries(named) } }
  const { request, httpStatus, orderId } = await sandbox.ask<Answer>('POST', '/requests', asked)
  const answer = httpStatus < 400 ? 'Accepted' : `Refused with ${httpStatus}`
  const said = request === undefined ? answer : <a href={`#/request/${request}`}>{answer}: see the request</a>
  return { said, orderId }
}
