import { compareTexts } from './normalize-parameters.ts'
import { PROTOCOL_PREFIX } from './oauth-header.ts'
import type { Parameter } from './parameter.ts'
import { percentEncode } from './percent-encode.ts'
import type { ProtocolParts } from './protocol-parts.ts'
import { joinScripts, packSteps, type Script } from './script.ts'

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
