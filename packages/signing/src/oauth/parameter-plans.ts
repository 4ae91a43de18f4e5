import { compareTexts, normalizeParameters } from './normalize-parameters.ts'
import type { Parameter } from './parameter.ts'
import { percentEncode } from './percent-encode.ts'

/**
 * How to write parameters with these names: what depends on the names alone, worked out once. It holds no value of a
 * request, because plans are kept as long as the key that holds them.
 */
type Plan = {
  /** As the caller orders them. */
  readonly names: readonly string[]
  /** In the order of the parameter string. */
  readonly steps: readonly Step[]
}

/** One parameter: `&name=`, encoded, without `&` the first, and where among the parameters its value is. */
type Step = { readonly prefix: string; readonly at: number }

/** The plans that were made last. A key holds them: it is made once, and its requests have few shapes. */
export type ParameterPlans = { readonly made: Plan[]; next: number }

const MAX_PLANS = 64
const MAX_NAMES = 64

/** No plans yet. */
export function noPlans(): ParameterPlans {
  return { made: [], next: 0 }
}

/**
 * As {@link normalizeParameters}, which is the plain version, its reference in the tests, and what very many names and
 * names that repeat are left to.
 *
 * A fast path, for signing: sorting thirty pairs and encoding their names is most of what a signature takes, and comes
 * out the same for every request with the same names.
 */
export function normalizeByPlan(plans: ParameterPlans, parameters: readonly Parameter[]): string {
  const plan = planFor(plans, parameters)
  if (plan === undefined) return normalizeParameters(parameters)
  let text = ''
  for (const { prefix, at } of plan.steps) text += prefix + percentEncode(parameters[at]?.[1] as string)
  return text
}

function planFor(plans: ParameterPlans, parameters: readonly Parameter[]): Plan | undefined {
  for (const plan of plans.made) if (isFor(plan, parameters)) return plan
  const plan = parameters.length > MAX_NAMES ? undefined : makePlan(parameters.map(([name]) => name))
  if (plan === undefined) return undefined
  plans.made[plans.next] = plan
  plans.next = (plans.next + 1) % MAX_PLANS
  return plan
}

function isFor({ names }: Plan, parameters: readonly Parameter[]): boolean {
  if (names.length !== parameters.length) return false
  for (let at = 0; at < names.length; at++) if (names[at] !== parameters[at]?.[0]) return false
  return true
}

/** `undefined` where a name repeats: then the order depends on the values. */
function makePlan(names: readonly string[]): Plan | undefined {
  if (new Set(names).size < names.length) return undefined
  const encoded = names.map((name, at) => ({ name: percentEncode(name), at }))
  const sorted = encoded.sort((a, b) => compareTexts(a.name, b.name))
  return { names, steps: sorted.map(({ name, at }, place) => ({ prefix: `${place === 0 ? '' : '&'}${name}=`, at })) }
}
