import {
  catalogue,
  decodeRequest,
  type Endpoint,
  maskCardNumbers,
  type OperationKey,
  operationKeys,
  type Profile,
  parseForm,
} from '@tallystick/core'
import { describeIssue, endpointAddress, nearestName } from '@tallystick/core/internal'
import { BRAND_OPTIONS, BRAND_ROWS, NO_GATEWAY, profileOf } from '../arguments/brand.ts'
import { controlKey, KEY_OPTIONS, KEY_ROWS, privateKey } from '../arguments/keys.ts'
import { given, needed, operationOf, pairsOf, parse, secondsSince1970, UsageError } from '../arguments/parse.ts'
import type { Command } from '../command.ts'
import type { HelpPart } from '../help.ts'
import { asCurl, shownForPeople, signedRequest } from './signed-request.ts'

const HELP: readonly HelpPart[] = [
  'tallystick sign: signs a request, and shows what was signed',
  {
    heading: 'Usage',
    commands: ['tallystick sign OPERATION --endpoint ID [options] FIELD=VALUE...'],
  },
  {
    commands: [
      'tallystick sign sale --endpoint 1111 --key-file control.key \\',
      '  client_orderid=902B4FF5 amount=10.42 currency=USD email=john@example.com',
    ],
  },
  'Fields have their names on the wire. What a gateway would refuse about them is said, and does not keep a request ' +
    'from being signed. Nothing is sent.',
  {
    heading: 'Options',
    rows: [
      ['--endpoint ID', 'where the request goes; or --group ID, a group of endpoints'],
      ['--login LOGIN', "the merchant's login, for operations that sign it"],
      ...KEY_ROWS,
      ...BRAND_ROWS,
      ['--nonce TEXT', 'oauth_nonce; default: a new one'],
      ['--timestamp SECONDS', 'oauth_timestamp, in seconds since 1970; default: now'],
      ['--form', 'prints only the form to send, with everything that was given, cards too'],
      ['--curl', 'prints only a command that sends it, likewise'],
      ['--json', 'prints all of it as JSON, likewise'],
    ],
  },
  `Operations: ${operationKeys.join(', ')}`,
]

const OPTIONS = {
  ...KEY_OPTIONS,
  ...BRAND_OPTIONS,
  endpoint: { type: 'string' },
  group: { type: 'string' },
  login: { type: 'string' },
  nonce: { type: 'string' },
  timestamp: { type: 'string' },
  form: { type: 'boolean' },
  curl: { type: 'boolean' },
  json: { type: 'boolean' },
} as const

export const sign: Command = {
  name: 'sign',
  summary: 'signs a request, and shows what was signed',
  help: HELP,
  run: async (args, world) => {
    const { values, positionals } = parse('sign', args, OPTIONS)
    const [word, ...operands] = positionals
    const key = operationOf(needed(word, 'OPERATION', 'say what to sign, such as sale'))
    const pairs = pairsOf(operands)
    const profile = profileOf(values, world)
    if (catalogue[key].auth.scheme === 'oauth' || values.curl === true) requireAddress(profile)
    const { timestamp } = values
    const signed = signedRequest({
      key,
      endpoint: given(() => endpointAddress(endpointOf(values))),
      profile,
      login: values.login,
      pairs,
      controlKey: () => controlKey(values, world),
      privateKey: () => privateKey(values, world),
      nonce: values.nonce ?? world.nonce(),
      timestamp: timestamp === undefined ? Math.floor(world.now() / 1000) : secondsSince1970(timestamp, '--timestamp'),
    })
    for (const remark of remarks(key, signed.body, profile)) world.warn(remark)
    if (values.json === true) world.print(`${JSON.stringify({ operation: key, ...signed }, undefined, 2)}\n`)
    else if (values.curl === true) world.print(asCurl(signed))
    else if (values.form === true) world.print(`${signed.body}\n`)
    else world.print(shownForPeople(key, signed))
    return 0
  },
}

function endpointOf({ endpoint, group }: { readonly endpoint?: string; readonly group?: string }): Endpoint {
  if (group === undefined) return { endpointId: needed(endpoint, '--endpoint', 'the id in the path') }
  if (endpoint === undefined) return { endpointGroupId: group }
  throw new UsageError('--endpoint and --group exclude each other')
}

/** An OAuth signature covers the address. */
function requireAddress({ baseUrl }: Profile): void {
  if (baseUrl !== NO_GATEWAY) return
  throw new UsageError('--base-url is missing: scheme, host and path prefix of the gateway')
}

/** Written by the signature itself. */
const AUTHENTICATION = /^(?:control|oauth_.*)$/

/** What a gateway would refuse about a request, and names that it does not know, a line each. */
function remarks(key: OperationKey, form: string, profile: Profile): readonly string[] {
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
