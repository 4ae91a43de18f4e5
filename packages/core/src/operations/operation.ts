import type { Model } from '../models/model.ts'

/** A term of a control formula: the path's id, or a field of the request. The key is the last term, always. */
export type ControlTerm =
  | 'login'
  | 'endpointId'
  | 'clientOrderId'
  | 'orderId'
  | 'cardRefId'
  | 'amountInCents'
  | 'currency'
  | 'email'

/** The two signature methods of the interface; no other exists. */
export type OAuthMethod = 'HMAC-SHA1' | 'RSA-SHA256'

/** Authentication by a SHA-1 control over terms (interface part 5.1). */
export interface ControlAuth {
  readonly scheme: 'control'
  readonly terms: readonly ControlTerm[]
  /** Whether the specification states the formula, or a source of the gaps gave it. */
  readonly origin: 'stated' | 'filled in'
}

/** Authentication by OAuth 1.0a (interface part 5.2). */
export interface OAuthAuth {
  readonly scheme: 'oauth'
  /** The method, or `by-profile` where public sources disagree (conflict C5). */
  readonly method: OAuthMethod | 'by-profile'
  readonly origin: 'stated' | 'filled in'
}

export type Auth = ControlAuth | OAuthAuth

/** What an operation does to the world: decides whether a lost reply may be asked for again. */
export type Effect = 'reads' | 'moves-money' | 'stores-card' | 'uploads'

/** One operation of the interface. */
export interface Operation {
  /** The specification's name of the operation, such as `SALE`. */
  readonly name: string
  /** Whether the specification gives the name, or we had to. */
  readonly nameOrigin: 'stated' | 'filled in'
  /** The path below the base URL, without the endpoint id. */
  readonly path: string
  /** Other paths under which gateways of the family serve it (conflict C1). */
  readonly otherPaths: readonly string[]
  /** How an endpoint group is addressed: `/group/{id}`, the bare id, or not at all (gaps part 1). */
  readonly groupAddress: 'segment' | 'bare' | 'none'
  readonly request: Model
  readonly reply: Model
  readonly auth: Auth
  readonly effect: Effect
  /** Whether the gateway takes the card on its own page, or the request carries everything. */
  readonly kind: 'form' | 'direct'
  /** One sentence. */
  readonly meaning: string
}

type Defaults = 'nameOrigin' | 'otherPaths' | 'groupAddress' | 'kind'

/** The declaration as it was written, with the defaults that it left out. */
type WithDefaults<O> = Omit<Operation, keyof O> & O

/** Declares an operation: the identity but for its defaults, with every literal kept. */
export function defineOperation<const O extends Omit<Operation, Defaults> & Partial<Pick<Operation, Defaults>>>(
  operation: O,
): WithDefaults<O> {
  return { nameOrigin: 'stated', otherPaths: [], groupAddress: 'segment', kind: 'direct', ...operation }
}

/** A control formula that the specification states. */
export function control<const T extends readonly ControlTerm[]>(...terms: T): ControlAuth {
  return { scheme: 'control', terms, origin: 'stated' }
}

/** A control formula that the specification does not show and a source of the gaps gave. */
export function filledInControl<const T extends readonly ControlTerm[]>(...terms: T): ControlAuth {
  return { ...control(...terms), origin: 'filled in' }
}

export function oauth(method: OAuthAuth['method'], origin: OAuthAuth['origin'] = 'stated'): OAuthAuth {
  return { scheme: 'oauth', method, origin }
}
