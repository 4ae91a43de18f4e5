import { SigningError } from '../errors.ts'
import { headerEnd, headerStart, OAUTH_NAMES, PROTOCOL_PREFIX, type UnsignedHeader } from './oauth-header.ts'
import { compareTexts, type Parameter } from './parameters.ts'
import { percentEncode } from './percent.ts'
import { CONSUMER_KEY_RULE, type ProtocolRule, TIMESTAMP_RULE, VERSION } from './protocol-rules.ts'
import { joinScripts, NO_VALUE, NONCE, packSteps, type Script } from './script.ts'

/**
 * How to write parameters with these names: whatever depends on the names alone, worked out once. A plan holds no value of a
 * request, because it lives as long as its key.
 */
export type Plan = {
  /** As the caller orders them. */
  readonly names: readonly string[]
  /** In the order of the parameter string, before and after the protocol's parameters. */
  readonly before: Script
  readonly after: Script
  /** All of it, with the protocol's parameters of the last request. */
  latest: { readonly parts: ProtocolParts; readonly script: Script } | undefined
}

/** The most recent plans. A key holds them, because its requests have few shapes. */
export type ParameterPlans = { readonly made: Plan[]; next: number }

const MAX_PLANS = 64
const MAX_NAMES = 64

/** No plans yet. */
export function noPlans(): ParameterPlans {
  return { made: [], next: 0 }
}

/**
 * The plan for parameters with these names in this order, if there is one.
 *
 * A fast path: sorting thirty names is most of the work of a signature, and gives the same result for every request with the
 * same names.
 */
export function knownPlan({ made }: ParameterPlans, parameters: readonly Parameter[]): Plan | undefined {
  for (const plan of made) if (isFor(plan, parameters)) return plan
  return undefined
}

/**
 * Makes a plan and keeps it. `undefined` if there are very many names, or if one repeats, since then the order depends on the
 * values: that is left to `normalizeParameters`.
 *
 * @throws {SigningError} As {@link percentEncode}, of the names.
 */
export function newPlan(plans: ParameterPlans, parameters: readonly Parameter[]): Plan | undefined {
  const plan = parameters.length > MAX_NAMES ? undefined : makePlan(parameters.map(([name]) => name))
  if (plan === undefined) return undefined
  plans.made[plans.next] = plan
  plans.next = (plans.next + 1) % MAX_PLANS
  return plan
}

/** The script of a plan with the protocol's parameters, which share a prefix that no name of the caller has, in their place. */
export function scriptOf(plan: Plan, parts: ProtocolParts): Script {
  if (plan.latest?.parts !== parts) {
    plan.latest = { parts, script: joinScripts([plan.before, parts.script, plan.after]) }
  }
  return plan.latest.script
}

function isFor({ names }: Plan, parameters: readonly Parameter[]): boolean {
  if (names.length !== parameters.length) return false
  for (let at = 0; at < names.length; at++) if (names[at] !== parameters[at]?.[0]) return false
  return true
}

/** `undefined` if a name repeats: then the order depends on the values. */
function makePlan(names: readonly string[]): Plan | undefined {
  if (new Set(names).size < names.length) return undefined
  const encoded = names.map((name, at) => ({ text: percentEncode(name), at }))
  const sorted = encoded.sort((a, b) => compareTexts(a.text, b.text))
  const steps = sorted.map(({ text, at }) => ({ piece: `&${text}=`, at }))
  const place = sorted.filter(({ text }) => text < PROTOCOL_PREFIX).length
  const [before, after] = [packSteps(steps.slice(0, place)), packSteps(steps.slice(place))]
  return { names, before, after, latest: undefined }
}

/** Who signs, and in which second. */
type Sender = {
  readonly method: string
  readonly consumerKey: string
  readonly timestamp: number
  readonly realm?: string | undefined
}

/** What the protocol adds to every request of a sender within one second: everything but the nonce and the signature. */
export type ProtocolParts = Sender & {
  /** Decoded. */
  readonly header: Omit<UnsignedHeader, 'nonce'>
  /** The `Authorization` header before its nonce. */
  readonly headerStart: string
  /** The `Authorization` header behind its signature. */
  readonly headerEnd: string
  /** The protocol's parameters, as the parameter string holds them. */
  readonly script: Script
}

/** The most recent parts. A key holds them: it has one sender. */
export type LastParts = { made?: ProtocolParts }

/** No parts yet. */
export function noParts(): LastParts {
  return {}
}

/**
 * The parts of the protocol for a request.
 *
 * A fast path: writing them takes as long as SHA-1 of a third of the base string.
 *
 * @throws {SigningError} `BAD_ARGUMENT` when consumer key, timestamp or realm are outside their domain.
 */
export function partsFor(last: LastParts, { method, consumerKey, timestamp, realm }: Sender): ProtocolParts {
  const { made } = last
  if (made?.timestamp === timestamp && made.consumerKey === consumerKey && made.realm === realm) return made
  last.made = newParts({ method, consumerKey, timestamp, realm })
  return last.made
}

function newParts(sender: Sender): ProtocolParts {
  const header = {
    realm: sender.realm,
    consumerKey: obey(CONSUMER_KEY_RULE, sender.consumerKey),
    signatureMethod: sender.method,
    timestamp: obey(TIMESTAMP_RULE, String(sender.timestamp)),
    version: VERSION,
  }
  const { consumerKey, nonce, signatureMethod, timestamp, version } = OAUTH_NAMES
  return {
    ...sender,
    header,
    headerStart: headerStart(header),
    headerEnd: headerEnd(header),
    script: packSteps([
      { piece: `&${consumerKey}=${percentEncode(header.consumerKey)}&${nonce}=`, at: NONCE },
      {
        piece: `&${signatureMethod}=${header.signatureMethod}&${timestamp}=${header.timestamp}&${version}=${VERSION}`,
        at: NO_VALUE,
      },
    ]),
  }
}

/** @throws {SigningError} `BAD_ARGUMENT` when the value is outside its domain. */
export function obey({ rule, holds }: ProtocolRule, value: string): string {
  if (!holds(value)) throw new SigningError('BAD_ARGUMENT', rule)
  return value
}
