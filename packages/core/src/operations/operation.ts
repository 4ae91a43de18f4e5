import type { Model } from '../models/model.ts'
import { isRecord } from '../options/kind.ts'

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

/** Authentication by a SHA-1 control over terms (specification part 5.1). */
export interface ControlAuth {
  readonly scheme: 'control'
  readonly terms: readonly ControlTerm[]
  /** Whether the specification states the formula, or a public source does. */
  readonly origin: 'stated' | 'filled in'
}

/** Authentication by OAuth 1.0a (specification part 5.2). */
export interface OAuthAuth {
  readonly scheme: 'oauth'
  /** The method, or `by-profile` if public sources disagree. */
  readonly method: OAuthMethod | 'by-profile'
  readonly origin: 'stated' | 'filled in'
}

export type Auth = ControlAuth | OAuthAuth

/** What an operation does to the world: decides whether it may be repeated after a lost reply. */
export type Effect = 'reads' | 'moves-money' | 'stores-card' | 'uploads'

/** One operation of the interface. */
export interface Operation {
  /** The specification's name of the operation, such as `SALE`. */
  readonly name: string
  /** Whether the specification names it, or we had to. */
  readonly nameOrigin: 'stated' | 'filled in'
  /** The path below the base URL, without the endpoint id. */
  readonly path: string
  /** Other paths under which gateways of the family serve it. */
  readonly otherPaths: readonly string[]
  /** How an endpoint group is addressed: `/group/{id}`, the bare id, or not at all. */
  readonly groupAddress: 'segment' | 'bare' | 'none'
  readonly request: Model
  readonly reply: Model
  readonly auth: Auth
  readonly effect: Effect
  /** Whether the gateway asks for the card on its own page, or the request has everything. */
  readonly kind: 'form' | 'direct'
  /** One sentence. */
  readonly meaning: string
}

type Defaults = 'nameOrigin' | 'otherPaths' | 'groupAddress' | 'kind'

/** An operation as declared: the parts that types are made of keep their literals. */
export interface OperationOf<
  Name extends string,
  Path extends string,
  Request extends Model,
  Reply extends Model,
  Does extends Effect,
  By extends Auth,
> extends Operation {
  readonly name: Name
  readonly path: Path
  readonly request: Request
  readonly reply: Reply
  readonly effect: Does
  readonly auth: By
}

/** Declares an operation: the identity but for its defaults. */
export function defineOperation<
  const Name extends string,
  const Path extends string,
  Request extends Model,
  Reply extends Model,
  const Does extends Effect,
  By extends Auth,
>(
  operation: Omit<OperationOf<Name, Path, Request, Reply, Does, By>, Defaults> & Partial<Pick<Operation, Defaults>>,
): OperationOf<Name, Path, Request, Reply, Does, By> {
  return { nameOrigin: 'stated', otherPaths: [], groupAddress: 'segment', kind: 'direct', ...operation }
}

/** A control formula that the specification states. */
export function control(...terms: readonly ControlTerm[]): ControlAuth {
  return { scheme: 'control', terms, origin: 'stated' }
}

/** A control formula from a source of the gaps, which the specification does not show. */
export function filledInControl(...terms: readonly ControlTerm[]): ControlAuth {
  return { ...control(...terms), origin: 'filled in' }
}

export function oauth(method: OAuthAuth['method'], origin: OAuthAuth['origin'] = 'stated'): OAuthAuth {
  return { scheme: 'oauth', method, origin }
}

/**
 * A caller's input of an operation, with the fields that its class has as accessors: without its amount, a partial return would
 * be a full one. Anything that `Object.prototype` has is not a field.
 */
export function fieldsOf({ request }: Operation, input: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(input)) return {}
  if (Object.getPrototypeOf(input) === Object.prototype) return input
  const names = [...Object.keys(request.fields), 'extra']
  const inherited = names.filter((name) => name in input && !(name in Object.prototype))
  return { ...input, ...Object.fromEntries(inherited.map((name) => [name, input[name]])) }
}
