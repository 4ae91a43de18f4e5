import { type Agent, type IncomingHttpHeaders, request as send } from 'node:http'

/** A request as it is passed from one process to the next, unchanged. */
export interface Passed {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** `refused`: not one byte left. `lost`: it may have arrived. */
export type Passing = Answer | 'refused' | 'lost'

/** Passes a request on to a process, once. */
export function pass({ method, url, headers, body }: Passed, origin: string, agent?: Agent): Promise<Passing> {
  return new Promise((resolve) => {
    const target = new URL(origin)
    const options = { host: target.hostname, port: target.port, path: url, method, headers, agent: agent ?? false }
    const outgoing = send(options, (response) => {
      let text = ''
      response.setEncoding('latin1').on('data', (chunk: string) => {
        text += chunk
      })
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }))
      response.once('close', () => resolve('lost'))
    })
    outgoing.once('error', (error) => {
      resolve('code' in error && error.code === 'ECONNREFUSED' ? 'refused' : 'lost')
    })
    outgoing.end(body)
  })
}
