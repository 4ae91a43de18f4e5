import { encodedTwice, NO_VALUE, NONCE, type Step } from './encode-twice.ts'
import { compareTexts } from './normalize-parameters.ts'
import { PROTOCOL_PREFIX } from './oauth-header.ts'
import type { Parameter } from './parameter.ts'
import { percentEncode } from './percent-encode.ts'
import type { ProtocolParts } from './protocol-parts.ts'

/**
 * How to write parameters with these names: what depends on the names alone, worked out once. It holds no value of a
 * request, because plans are kept as long as the key that holds them.
 */
export type Plan = {
  /** As the caller orders them. */
  readonly names: readonly string[]
  /** In the order of the parameter string, those before the protocol's parameters and those after them. */
  readonly before: readonly Step[]
  readonly after: readonly Step[]
  /** All steps, with the protocol's parameters as they were last. */
  latest: { readonly parts: ProtocolParts; readonly steps: readonly Step[] } | undefined
}

/** The plans that were made last. A key holds them: it is made once, and its requests have few shapes. */
export type ParameterPlans = { readonly made: Plan[]; next: number }

const MAX_PLANS = 64
const MAX_NAMES = 64

/** No plans yet. */
export function noPlans(): ParameterPlans {
  return { made: [], next: 0 }
}

/**
 * The plan that was made for parameters with these names in this order, if it was.
 *
 * A fast path, for signing: sorting thirty names is most of what a signature takes, and comes out the same for every
 * request with the same names.
 */
export function knownPlan({ made }: ParameterPlans, parameters: readonly Parameter[]): Plan | undefined {
  for (const plan of made) if (isFor(plan, parameters)) return plan
  return undefined
}

/**
 * Makes a plan and keeps it. `undefined` for very many names and for names that repeat, whose order depends on the
 * values: they are left to `normalizeParameters`.
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

/** The steps of a plan, with those for the protocol's parameters in their place: all begin alike, and no name of the caller's does. */
export function stepsOf(plan: Plan, parts: ProtocolParts): readonly Step[] {
  if (plan.latest?.parts === parts) return plan.latest.steps
  const { beforeNonce, afterNonce } = parts
  const protocol = [
    { name: beforeNonce, at: NONCE },
    { name: afterNonce, at: NO_VALUE },
  ]
  const steps = [...plan.before, ...protocol, ...plan.after]
  plan.latest = { parts, steps }
  return steps
}

function isFor({ names }: Plan, parameters: readonly Parameter[]): boolean {
  if (names.length !== parameters.length) return false
  for (let at = 0; at < names.length; at++) if (names[at] !== parameters[at]?.[0]) return false
  return true
}

/** `undefined` where a name repeats: then the order depends on the values. */
function makePlan(names: readonly string[]): Plan | undefined {
  if (new Set(names).size < names.length) return undefined
  const encoded = names.map((name, at) => ({ text: percentEncode(name), at }))
  const sorted = encoded.sort((a, b) => compareTexts(a.text, b.text))
  const steps = sorted.map(({ text, at }) => ({ name: encodedTwice(`&${text}=`), at }))
  const place = sorted.filter(({ text }) => text < PROTOCOL_PREFIX).length
  return { names, before: steps.slice(0, place), after: steps.slice(place), latest: undefined }
}
