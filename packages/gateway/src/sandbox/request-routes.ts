import { operationKeys, type RecordedEvent } from '@tallystick/core'
import * as z from 'zod'
import type { Recording } from '../recording/recording.ts'
import { type Route, readBody, readFields, type SandboxGateway, SandboxRequestError } from './route.ts'

const KEY = z.enum(operationKeys, `must be one of ${operationKeys.join(', ')}`)
const Operation = z.strictObject({ operation: KEY })
const Request = z.strictObject({
  operation: KEY,
  endpoint: z.string('must be the id of an endpoint').optional(),
  path: z.string('must be a path of the operation').optional(),
  fields: z.record(z.string(), z.string('must be a text'), 'must be the fields by their names on the wire'),
})

const NO_REQUEST = {
  status: 404,
  body: { error: 'there is no such request in the recording, or it asks for no operation' },
}

/** What the interface has, and requests of it that the sandbox signs in place of a merchant. */
export const REQUEST_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/operations$/,
    shown: '/__sandbox/operations',
    meaning: 'Every operation of the interface.',
    answer: async (_, { sandbox }) => ({ body: { operations: sandbox.requests.operations } }),
  },
  {
    method: 'GET',
    path: /^\/operations\/([^/]+)$/,
    shown: '/__sandbox/operations/{operation}',
    isUnmasked: true,
    meaning: 'One operation with its fields, and an example of a request.',
    answer: async ({ id }, { sandbox }) => {
      const { operation } = readFields(Operation, { operation: id })
      return { body: sandbox.requests.operation(operation) }
    },
  },
  {
    method: 'GET',
    path: /^\/requests\/(\d{1,15})$/,
    shown: '/__sandbox/requests/{id}',
    isPrivate: true,
    isUnmasked: true,
    meaning:
      'A recorded request put right: what to send and what to sign, with examples for what is masked or missing.',
    answer: async ({ id }, { recording, sandbox }) => {
      const [request, reply] = recording === undefined ? [] : exchange(Number(id), recording)
      const draft = request && sandbox.requests.putRight(request, reply)
      return draft === undefined ? NO_REQUEST : { body: draft }
    },
  },
  {
    method: 'POST',
    path: /^\/requests$/,
    shown: '/__sandbox/requests',
    takes: {
      operation: 'the key of an operation, such as sale',
      endpoint: 'the id of an endpoint or a group; default: the first endpoint',
      path: "one of the operation's; default: the usual one",
      fields: 'the fields by their names on the wire, without the signature',
    },
    isRecorded: true,
    meaning: "Signs a request with the keys of the endpoint's merchant, and sends it.",
    answer: async ({ body, by }, gateway) => ({ body: await sent(readBody(Request, body), by.from, gateway) }),
  },
]

type EventOf<Type extends RecordedEvent['type']> = Extract<RecordedEvent, { readonly type: Type }>

function exchange(id: number, recording: Recording) {
  let request: EventOf<'request'> | undefined
  for (const event of recording.events(id - 1)) {
    if (event.type === 'request' && event.id === id) request = event
    else if (event.id === id) return [] as const
    if (event.type === 'reply' && event.request === id) return [request, event] as const
  }
  return [request] as const
}

async function sent(
  asked: z.infer<typeof Request>,
  peer: string | undefined,
  { sandbox, handle, recording }: SandboxGateway,
) {
  const request = signed(() => sandbox.requests.signed(asked))
  // By it the request is found in the recording: others may come in meanwhile.
  const { 'user-agent': userAgent } = request.headers
  const ids: { request?: number; reply?: number; orderId?: string | undefined; verifiedBy?: string | undefined } = {}
  const unsubscribe = recording?.subscribe((event, id) => {
    if (event.type === 'request' && event.headers['user-agent'] === userAgent) ids.request = id
    if (event.type !== 'reply' || event.request !== ids.request) return
    ids.reply = id
    ids.orderId = event.orderId
    ids.verifiedBy = event.verifiedBy
  })
  try {
    const { status: httpStatus, body } = await handle({ ...request, peer })
    return { ...ids, httpStatus, page: pageIn(body) }
  } finally {
    unsubscribe?.()
  }
}

/** Where a customer is to be sent, which the recording has not: whoever knows the address can open the page. */
function pageIn(body: string): string | undefined {
  try {
    const page: unknown = JSON.parse(body)['redirect-url']
    return typeof page === 'string' ? page : undefined
  } catch {
    return undefined
  }
}

/** Refuses an endpoint or a path that there is not. */
function signed<Made>(make: () => Made): Made {
  try {
    return make()
  } catch (error) {
    throw new SandboxRequestError((error as Error).message)
  }
}
