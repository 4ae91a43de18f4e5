import { createHash } from 'node:crypto'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import type { Pair } from '@tallystick/core'
import type { CaseRequest } from './adapter-case.ts'

/** The control keys of the two shops, made for one run. */
export type CaseKeys = Readonly<Record<'a' | 'b', string>>

export interface RenderedRequest {
  readonly method: string
  /** Below the prefix, with the query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly body: Uint8Array | undefined
  readonly sent: CaseRequest['sent']
}

const FORM = 'application/x-www-form-urlencoded'
const BOUNDARY = 'tallystick-boundary'

/** The bytes of a request. Does not use the codecs of core, which it is to test. */
export function renderRequest(request: CaseRequest, keys: CaseKeys): RenderedRequest {
  const { method, headers = {}, sent } = request
  const pairs = signed(request, keys)
  const form = `${textOf(pairs)}${request.suffix ?? ''}`
  const isQuery = method === 'GET' || method === 'HEAD'
  const query = [request.query ?? '', isQuery ? form : ''].filter((text) => text !== '').join('&')
  const { type, body } = isQuery
    ? { type: undefined, body: undefined }
    : WRITERS[request.written ?? 'form'](pairs, form)
  return {
    method,
    path: `${pathOf(request)}${query === '' ? '' : `?${query}`}`,
    headers: { ...(type === undefined ? {} : { 'content-type': type }), ...headers },
    body: request.body === undefined ? body : Buffer.from(request.body),
    sent,
  }
}

function textOf(pairs: readonly Pair[]): string {
  const form = new URLSearchParams()
  for (const [name, value] of pairs) form.append(name, value)
  return form.toString()
}

function pathOf({ to, shop = 'a' }: CaseRequest): string {
  return to === 'gateway' ? '/paynet/api/v2/sale/253' : `/${shop}/${to}`
}

function signed(request: CaseRequest, keys: CaseKeys): readonly Pair[] {
  const { form = [], signed: signer = 'nobody', signedForm = form } = request
  if (signer === 'nobody') return form
  if (signer === 'wrong') return [...form, ['control', '0'.repeat(40)]]
  return [...form, ['control', controlOf(signedForm, keys[signer === 'by-a' ? 'a' : 'b'])]]
}

/** SHA-1 of status, orderid, client_orderid and the key (rule G6-07 of `spec/requirements`). */
function controlOf(form: readonly Pair[], key: string): string {
  const values = new Map(form)
  const order = values.get('client_orderid') ?? values.get('merchant_order') ?? ''
  const text = `${values.get('status') ?? ''}${values.get('orderid') ?? ''}${order}${key}`
  return createHash('sha1').update(text).digest('hex')
}

interface Written {
  readonly type: string
  readonly body: Uint8Array
}

/** How a form is written into a body. */
const WRITERS: Readonly<
  Record<NonNullable<CaseRequest['written']> | 'form', (pairs: readonly Pair[], form: string) => Written>
> = {
  form: (_pairs, form) => ({ type: FORM, body: Buffer.from(form) }),
  text: (_pairs, form) => ({ type: 'text/plain', body: Buffer.from(form) }),
  gzip: (_pairs, form) => ({ type: FORM, body: gzipSync(form) }),
  json: (pairs) => ({ type: 'application/json', body: Buffer.from(JSON.stringify(Object.fromEntries(pairs))) }),
  multipart: (pairs) => ({
    type: `multipart/form-data; boundary=${BOUNDARY}`,
    body: Buffer.from(multipart(pairs)),
  }),
}

function multipart(pairs: readonly Pair[]): string {
  const parts = pairs.map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  return `${parts.join('')}--${BOUNDARY}--\r\n`
}

export interface SeenAnswer {
  /** `0`: the connection ended without an answer; `cut`: within it. */
  readonly status: number | 'cut'
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: string
}

/** An adapter that has not answered by then fails. */
const PATIENCE_MS = 10_000
const NO_ANSWER: SeenAnswer = { status: 0, headers: {}, body: '' }

/** Sends a request over a connection of its own, byte for byte, and waits until it is answered or its connection ends. */
export function sendRequest(origin: string, rendered: RenderedRequest): Promise<SeenAnswer> {
  const { method, path, headers, body } = rendered
  return new Promise((resolve, reject) => {
    const outgoing = request(`${origin}${path}`, { method, agent: false, timeout: PATIENCE_MS })
    for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
    outgoing.once('timeout', () => {
      reject(new Error(`${method} ${path} was not answered within ${PATIENCE_MS / 1000} s`))
      outgoing.destroy()
    })
    outgoing.once('error', () => resolve(NO_ANSWER))
    outgoing.once('response', (incoming) => readAnswer(incoming, resolve))
    if (body === undefined) outgoing.end()
    else writeBody(outgoing, rendered, body)
  })
}

function readAnswer(incoming: IncomingMessage, resolve: (answer: SeenAnswer) => void): void {
  const { statusCode = 0, headers } = incoming
  let body = ''
  incoming.setEncoding('utf8')
  incoming.on('data', (text: string) => {
    body += text
  })
  incoming.once('close', () => resolve({ status: incoming.complete ? statusCode : 'cut', headers, body }))
  incoming.once('error', () => {})
}

function writeBody(outgoing: ClientRequest, { sent }: RenderedRequest, body: Uint8Array): void {
  const half = Math.floor(body.byteLength / 2)
  switch (sent) {
    case 'in-pieces':
      return void outgoing.write(body.subarray(0, half), () => setImmediate(() => outgoing.end(body.subarray(half))))
    case 'cut-short':
      outgoing.setHeader('content-length', body.byteLength)
      return void outgoing.write(body.subarray(0, half), () => outgoing.destroy())
    case undefined:
      outgoing.setHeader('content-length', body.byteLength)
      return void outgoing.end(body)
  }
}
