import { catalogue, decodeRequest, maskCardNumbers, type OperationKey, type Profile, parseForm } from '@tallystick/core'
import { describeIssue, nearestName } from '@tallystick/core/internal'

/** Written by the signature itself. */
const AUTHENTICATION = /^(?:control|oauth_.*)$/

/** What a gateway would refuse about a request, and names that it does not know, a line each. */
export function remarks(key: OperationKey, form: string, profile: Profile): readonly string[] {
  const pairs = parseForm(form)
  const decoded = decodeRequest(key, pairs, profile)
  const issues = decoded.ok ? [] : decoded.issues.map(describeIssue)
  const { read } = catalogue[key].request.spelling(profile.wireNames)
  const strange = pairs.map(([name]) => name).filter((name) => !read.has(name) && !AUTHENTICATION.test(name))
  return [...issues, ...strange.map((name) => strangeName(name, catalogue[key].name, [...read.keys()]))]
}

/** @param what the field should be one of */
export function strangeName(name: string, what: string, known: readonly string[]): string {
  const near = nearestName(name, known)
  const hint = near === undefined ? 'it is sent as it is' : `did you mean ${near}?`
  return `${maskCardNumbers(name)} is no documented field of ${what}: ${hint}`
}
