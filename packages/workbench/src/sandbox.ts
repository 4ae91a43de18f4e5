import type { RecordedEvent } from '@tallystick/core'

/** The sandbox that has served this page. The key is kept in memory alone. */
export interface Sandbox {
  /** Asks for JSON. @throws SandboxError with what the sandbox says */
  ask<T>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<T>
  /** Asks for a file. @throws SandboxError */
  file(path: string): Promise<Blob>
  /** The events of a part of the recording, as they are sent: of a stream, also those that happen. @throws SandboxError */
  events(path: string, options?: EventsOptions): AsyncGenerator<RecordedEvent>
}

interface EventsOptions {
  readonly signal?: AbortSignal
  /** Only of a stream: what comes after the event with this id. */
  readonly lastEventId?: number | undefined
}

/** The sandbox refuses: the message says why. */
export class SandboxError extends Error {
  override readonly name = 'SandboxError'
  /** Of HTTP. 401: the key is missing or wrong. */
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const BASE = '/__sandbox'

export function sandboxWith(key: string): Sandbox {
  const headers = {
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    'tallystick-operator': 'workbench',
  }

  return {
    ask: async (method, path, body) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      return await (await answered(fetch(BASE + path, { method, headers, ...sent }))).json()
    },
    file: async (path) => await (await answered(fetch(BASE + path, { headers }))).blob(),
    events: async function* (path, { signal, lastEventId } = {}) {
      const after = lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) }
      const init = { headers: { ...headers, ...after }, ...(signal === undefined ? {} : { signal }) }
      const { body } = await answered(fetch(BASE + path, init))
      if (body === null) return
      let rest = ''
      for await (const part of body.pipeThrough(new TextDecoderStream())) {
        const lines = (rest + part).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) {
          // In a stream an event is in a line of data; in a file, a line.
          const json = line.startsWith('data: ') ? line.slice('data: '.length) : line
          if (json.startsWith('{')) yield JSON.parse(json)
        }
      }
    },
  }
}

async function answered(asked: Promise<Response>): Promise<Response> {
  const response = await asked
  if (response.ok) return response
  const said = (await response.json().catch(() => ({}))) as { readonly error?: string }
  throw new SandboxError(response.status, said.error ?? `The sandbox answers ${response.status}.`)
}
