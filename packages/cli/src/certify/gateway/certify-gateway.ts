import { createPaymentClient, undiciTransport } from '@tallystick/client'
import { type Profile, parseRequest } from '@tallystick/core'
import { describeIssue } from '@tallystick/core/internal'
import { profileOf } from '../../arguments/brand.ts'
import { controlKey, privateKey } from '../../arguments/keys.ts'
import { given, needed, parse, UsageError } from '../../arguments/parse.ts'
import type { Command } from '../../command.ts'
import type { World } from '../../world.ts'
import type { Candidate, Check } from './check.ts'
import { changeChecks } from './checks/changes.ts'
import { controlChecks, credentialsCheck, oauthChecks } from './checks/credentials.ts'
import { otherCardChecks, pageAndCallbackChecks, paymentChecks } from './checks/payments.ts'
import { recurringChecks } from './checks/recurring.ts'
import {
  CERTIFY_HELP,
  CERTIFY_OPTIONS,
  type CertifyCards,
  type CertifyValues,
  callbackPlaceOf,
  cardsFrom,
} from './options.ts'
import { type Payer, payment } from './orders.ts'
import { linesOf, type Result, resultsOf, sumOf } from './results.ts'

const CHECKS: readonly Check[] = [
  credentialsCheck,
  ...controlChecks,
  ...oauthChecks,
  ...paymentChecks,
  ...changeChecks,
  ...otherCardChecks,
  ...recurringChecks,
  ...pageAndCallbackChecks,
]

export const certifyGateway: Command = {
  name: 'gateway',
  summary: 'tries a gateway as a client meets it, and says where it differs from the interface',
  help: CERTIFY_HELP,
  run: async (args, world) => {
    const { values, positionals } = parse('certify gateway', args, CERTIFY_OPTIONS)
    if (positionals.length > 0)
      throw new UsageError(`${positionals[0]} is not understood: see tallystick certify gateway --help`)
    const checks = CHECKS.filter(({ claim }) => claim.toLowerCase().includes(values.only.toLowerCase()))
    if (checks.length === 0) throw new UsageError(`--only: no line has the text ${values.only}`)
    const { candidate, close } = await candidateFrom(values, world)
    const results: Result[] = []
    try {
      for await (const result of resultsOf(checks, candidate, world)) {
        results.push(result)
        world.print(values.json ? `${JSON.stringify(result)}\n` : linesOf(result, world.columns))
      }
      if (!values.json) world.print(`\n${sumOf(results)}\n`)
      return results.some(({ verdict, unanswered }) => verdict === 'wrong' || unanswered) ? 1 : 0
    } finally {
      await close()
    }
  },
}

/** The gateway that the options name. To be closed when it was tried. @throws UsageError */
async function candidateFrom(values: CertifyValues, world: World) {
  const options = clientOptions(values, world)
  const transport = transportFrom(values)
  const client = given(() => createPaymentClient({ ...options, transport: transport() }))
  const known: Omit<Candidate, 'callbacks'> = {
    login: options.login,
    controlKey: options.controlKey,
    profile: options.profile,
    hasPrivateKey: options.privateKey !== undefined,
    client,
    otherwise: clientsOtherThan(options, transport),
    transport,
    ...cardsFrom(values, world),
    amount: amountOf(values.amount),
    currency: currencyOf(values.currency),
    now: world.now,
    schedule: world.schedule,
    send: world.send,
    missing: new Set(),
    deadlineMs: 1000 * secondsOf(values.deadline),
  }
  const place = callbackPlaceOf(values)
  requireValid({ ...known, callbacks: place }, options.profile)
  // Last: what is wrong with another option must not leave a port open.
  const listener = place && (await world.listen(place.listenAt))
  const candidate: Candidate = { ...known, callbacks: listener && { ...listener, url: place.url } }
  const close = async () => {
    await client.close()
    await listener?.close()
  }
  return { candidate, close }
}

function clientOptions(values: CertifyValues, world: World) {
  needed(values['base-url'], '--base-url', 'scheme, host and path prefix of the gateway')
  return {
    login: needed(values.login, '--login', "the merchant's login"),
    controlKey: controlKey(values, world),
    ...(values['private-key-file'] === undefined ? {} : { privateKey: privateKey(values, world) }),
    profile: profileOf(values, world),
    endpointId: needed(values.endpoint, '--endpoint', 'the id of a test endpoint'),
    clock: { now: world.now, schedule: world.schedule },
    allowPlainHttp: values['allow-plain-http'],
  }
}

function transportFrom({ proxy }: CertifyValues): Candidate['transport'] {
  return () => given(() => undiciTransport(proxy === undefined ? {} : { proxy }))
}

function clientsOtherThan(
  options: ReturnType<typeof clientOptions>,
  transport: Candidate['transport'],
): Candidate['otherwise'] {
  return async (changes, use) => {
    const other = createPaymentClient({ ...options, transport: transport(), ...changes })
    try {
      return await use(other)
    } finally {
      await other.close()
    }
  }
}

/** A payment that the client does not send would be held against the gateway. @throws UsageError */
function requireValid(candidate: Omit<Payer, 'card'> & CertifyCards, profile: Profile): void {
  const { card, declinedCard = card, threeDsCard = card } = candidate
  const cards = { this: card, '--declined-card': declinedCard, '--three-ds-card': threeDsCard }
  for (const [what, each] of Object.entries(cards)) {
    const parsed = parseRequest('sale', payment({ ...candidate, card: each }), profile)
    if (!parsed.ok)
      throw new UsageError(`no payment can be made of ${what}:\n${parsed.issues.map(describeIssue).join('\n')}`)
  }
}

/** Above one unit, because parts of one unit are returned and captured. */
function amountOf(amount: string): string {
  const isAmount = /^[1-9]\d{0,4}(?:\.\d{1,3})?$/.test(amount)
  if (isAmount && !/^1(?:\.0+)?$/.test(amount)) return amount
  throw new UsageError('--amount takes an amount above 1.00 in major units, such as 10.42')
}

function currencyOf(code: string): string {
  if (/^[A-Z]{3}$/.test(code)) return code
  throw new UsageError('--currency takes a code of three capital letters, such as USD')
}

function secondsOf(deadline: string): number {
  if (/^[1-9]\d{0,3}$/.test(deadline)) return Number(deadline)
  throw new UsageError('--deadline takes seconds, from 1 to 9999')
}
