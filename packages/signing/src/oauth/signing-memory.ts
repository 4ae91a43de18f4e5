import { type LastParts, noParts, noPlans, type ParameterPlans } from './parameter-plans.ts'
import { noBeginnings, type RequestBeginnings } from './request-beginnings.ts'

/** What a key remembers of the requests that it has signed, to work it out only once. Never a value of a request. */
export type SigningMemory = {
  readonly plans: ParameterPlans
  readonly beginnings: RequestBeginnings
  readonly parts: LastParts
}

/** Nothing yet. */
export function noMemory(): SigningMemory {
  return { plans: noPlans(), beginnings: noBeginnings(), parts: noParts() }
}
