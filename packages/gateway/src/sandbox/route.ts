import type { Gateway } from '../gateway.ts'
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
  readonly body: string
  /** On whose word. */
  readonly by: Operator
}

/** Default status: 200. */
interface Said {
  readonly status?: number
  readonly body: unknown
}

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
  readonly answer: (asked: Asked, gateway: SandboxGateway) => Promise<Said>
}
