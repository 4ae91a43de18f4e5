import { maskCardNumbers } from '@tallystick/core'
import type { GatewayRequest } from '@tallystick/core/internal'
import * as z from 'zod'
import type { Gateway } from '../gateway.ts'
import type { StreamedReply } from '../http/server.ts'
import type { SandboxAccess } from '../inspection/sandbox-access.ts'
import type { Operator } from '../store/operator-record.ts'

export interface SandboxGateway extends Gateway {
  readonly sandbox: SandboxAccess
}

/** What a request says besides its method. */
export interface Asked {
  /** The part of the path that names an order. */
  readonly id: string
  readonly query: URLSearchParams
  /** Names in lower case. */
  readonly headers: GatewayRequest['headers']
  readonly body: string
  /** On whose word. */
  readonly by: Operator
}

/** JSON, with the status 200 by default; or a reply of another kind. */
type Said = { readonly status?: number; readonly body: unknown } | { readonly reply: StreamedReply }

/** One request that the sandbox serves. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** Matches the path below `/__sandbox`; what it captures names an order. */
  readonly path: RegExp
  /** The path as it is shown to users. */
  readonly shown: string
  /** Fields of the body or, of a GET, of the query. */
  readonly takes?: Readonly<Record<string, string>>
  readonly meaning: string
  /** Whether it is recorded as an operator's act. What moves an order records itself. */
  readonly isRecorded?: true
  /**
   * Whether it shows what came in: then it needs the operator key although it changes nothing, and answers only to names of
   * this machine.
   */
  readonly isPrivate?: true
  /** Whether its answer has numbers of test cards, or a key that is asked for. Any other answer is masked. */
  readonly isUnmasked?: true
  readonly answer: (asked: Asked, gateway: SandboxGateway) => Promise<Said>
}

/** The caller has to change its request: the message says what, the field where. */
export class SandboxRequestError extends Error {
  override readonly name = 'SandboxRequestError'
  readonly field: string | undefined

  constructor(message: string, field?: string) {
    super(message)
    this.field = field
  }
}

/** @throws SandboxRequestError that names the first field that is wrong */
export function readFields<Model extends z.ZodType>(model: Model, given: unknown): z.infer<Model> {
  const read = model.safeParse(given)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const [field] = issue?.code === 'unrecognized_keys' ? issue.keys : (issue?.path ?? [])
  const name = field === undefined ? undefined : maskCardNumbers(String(field))
  throw new SandboxRequestError(maskCardNumbers(`${name ?? 'the body'}: ${issue?.message ?? 'is wrong'}`), name)
}

/** An empty body is an empty object. @throws SandboxRequestError */
export function readBody<Model extends z.ZodType>(model: Model, body: string): z.infer<Model> {
  return readFields(model, body.trim() === '' ? {} : parse(body))
}

const NoFields = z.strictObject({})

/** @throws SandboxRequestError for a body with any field: the route takes none */
export function requireNoFields(body: string): void {
  readBody(NoFields, body)
}

function parse(body: string): unknown {
  try {
    return JSON.parse(fromBytes(body))
  } catch {
    throw new SandboxRequestError('the body is not JSON')
  }
}

/** A server passes a body on as one character per byte, and JSON is in UTF-8. Any other text is decoded already. */
function fromBytes(body: string): string {
  try {
    const bytes = Uint8Array.from(body, (char) => {
      const code = char.charCodeAt(0)
      if (code > 0xff) throw new RangeError('not a byte')
      return code
    })
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return body
  }
}
