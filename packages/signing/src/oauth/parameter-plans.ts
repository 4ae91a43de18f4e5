import { NAME_END, VALUE_END } from './encode-bytes.ts'
import { compareTexts } from './normalize-parameters.ts'
import type { Parameter } from './parameter.ts'
import { percentEncode, requireText } from './percent-encode.ts'

/**
 * How to write parameters with these names: what depends on the names alone, worked out once. It holds no value of a
 * request, because plans are kept as long as the key that holds them.
 */
export type Plan = {
  /** As the caller orders them. */
  readonly names: readonly string[]
  /** In the order of the parameter string. */
  readonly steps: readonly Step[]
}

/** One parameter: its name with the separators around it, the first of all without one before it, and where its value is. */
type Step = { readonly name: string; readonly at: number }

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

/**
 * The parameters as text, sorted and not encoded yet. Strings are put together quicker than bytes are copied: values are
 * short, and a loop over few bytes costs more than it copies.
 *
 * @throws {SigningError} `BAD_ARGUMENT` when a value is not a text.
 */
export function textByPlan({ steps }: Plan, parameters: readonly Parameter[]): string {
  let text = ''
  for (const { name, at } of steps) text += name + requireText((parameters[at] as Parameter)[1])
  return text
}

/** How many separators there are in {@link textByPlan}, unless a name or a value holds one. */
export function separatorsOf({ steps }: Plan): number {
  return 2 * steps.length - 1
}

function isFor({ names }: Plan, parameters: readonly Parameter[]): boolean {
  if (names.length !== parameters.length) return false
  for (let at = 0; at < names.length; at++) if (names[at] !== parameters[at]?.[0]) return false
  return true
}

/** `undefined` where a name repeats: then the order depends on the values. */
function makePlan(names: readonly string[]): Plan | undefined {
  if (new Set(names).size < names.length) return undefined
  const encoded = names.map((name, at) => ({ name, encoded: percentEncode(name), at }))
  const sorted = encoded.sort((a, b) => compareTexts(a.encoded, b.encoded))
  return {
    names,
    steps: sorted.map(({ name, at }, place) => ({ name: `${place === 0 ? '' : VALUE_END}${name}${NAME_END}`, at })),
  }
}
