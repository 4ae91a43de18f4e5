import type { RecordedEvent } from '@tallystick/core'
import { isAboutOrder } from '@tallystick/core/internal'
import { changesOf, orderOf } from './recorded-order.ts'
import { type Sandbox, SandboxError } from './sandbox.ts'

/** A recording in place of the sandbox: it answers what can be told from the events, and does nothing. */
export function recordedSandbox(events: readonly RecordedEvent[]): Sandbox {
  return {
    ask: async (method, path) => {
      const answer = method === 'GET' ? answerTo(path, events) : undefined
      if (answer === undefined) throw nobodyThere()
      return answer as never
    },
    file: () => Promise.reject(nobodyThere()),
    events: async function* (path) {
      const query = new URLSearchParams(path.split('?')[1] ?? '')
      const orderId = query.get('orderId')
      const after = Number(query.get('after') ?? 0)
      const named = orderId === null ? undefined : changesOf(events, orderId)[0]?.clientOrderId
      for (const event of events) {
        if (event.id > after && (orderId === null || isAboutOrder(event, orderId, named))) yield event
      }
    },
  }
}

function nobodyThere(): SandboxError {
  return new SandboxError(404, 'This is a recording: there is no sandbox behind it.')
}

function answerTo(path: string, events: readonly RecordedEvent[]): unknown {
  const [, orderId] = /^\/orders\/(\w+)$/.exec(path) ?? []
  if (orderId !== undefined) return orderOf(events, orderId)
  if (path === '/clock') return { now: new Date(events.at(-1)?.at ?? 0).toISOString() }
  if (!path.startsWith('/orders')) return undefined
  const ids = new Set(events.flatMap((event) => (event.type === 'state' ? event.orderId : [])))
  return { orders: [...ids].reverse().flatMap((id) => orderOf(events, id) ?? []) }
}
