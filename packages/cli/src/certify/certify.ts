import { createPaymentClient, type PaymentClientOptions, undiciTransport } from '@tallystick/client'
import {
  describeIssue,
  isPaymentError,
  maskCardNumbers,
  type Profile,
  parseRequest,
  redactSecrets,
} from '@tallystick/core'
import { BRAND_OPTIONS, BRAND_ROWS, profileOf } from '../arguments/brand.ts'
import { given } from '../arguments/given.ts'
import { CONTROL_KEY_ROW, controlKey } from '../arguments/keys.ts'
import { needed, parse } from '../arguments/parse.ts'
import type { Command } from '../command.ts'
import type { HelpPart } from '../help.ts'
import { UsageError } from '../usage-error.ts'
import type { World } from '../world.ts'
import { wrapped, wrappedBehind } from '../wrapped.ts'
import { callbackPlaceOf } from './callback-place.ts'
import { cardFrom } from './certify-card.ts'
import { type Candidate, type Check, Finding, NotTried } from './check.ts'
import { changeChecks } from './checks/changes.ts'
import { pageAndCallbackChecks } from './checks/pages-and-callbacks.ts'
import { paymentChecks } from './checks/payments.ts'
import { credentialsCheck, signatureChecks } from './checks/signatures.ts'
import { type Payer, payment } from './orders.ts'
import { shutOut } from './shut-out.ts'

const CHECKS: readonly Check[] = [
  credentialsCheck,
  ...signatureChecks,
  ...paymentChecks,
  ...changeChecks,
  ...pageAndCallbackChecks,
]

const HELP: readonly HelpPart[] = [
  'tallystick certify: tries a gateway as a client meets it, and says where it differs from the interface',
  {
    heading: 'Usage',
    commands: [
      'tallystick certify --base-url https://sandbox.example.com/paynet \\',
      '  --login shop --endpoint 1111 --key-file control.key',
    ],
  },
  'It makes payments, holds, returns and forms: point it at a test endpoint. Each line is one thing on which a client ' +
    'relies, with the part of the specification that says so. The exit code is 0 if nothing differs, 1 if something ' +
    'does. If the gateway refuses the key, or nobody answers, it says so and tries nothing else. A certificate that no ' +
    'usual authority signed is trusted if the variable NODE_EXTRA_CA_CERTS names its file.',
  {
    heading: 'Options',
    rows: [
      ['--endpoint ID', 'of a test endpoint that can sell, hold, return and show a form'],
      ['--login LOGIN', "the merchant's login"],
      CONTROL_KEY_ROW,
      ...BRAND_ROWS,
      [
        '--card FILE',
        'JSON with a test card that is approved: cardNumber, cardPrintedName, expireMonth, expireYear, cvv2; default: ' +
          '4444555566661111 with the CVV 123',
      ],
      ['--amount AMOUNT', 'of each payment, in major units, above 1.00; default 10.42'],
      ['--currency CODE', 'default USD'],
      ['--deadline SECONDS', 'how long an outcome may take; default 60'],
      [
        '--callback-url URL',
        'this machine, as the gateway reaches it, such as http://shop.example:8080/; listens on the port of this ' +
          'address',
      ],
      [
        '--callback-listen HOST:PORT',
        'where to listen instead, such as 127.0.0.1:8080, if a tunnel or a proxy has the address of --callback-url ' +
          'and passes callbacks on',
      ],
      ['--proxy URL', 'a proxy on the way to an https gateway, such as http://proxy.example.com:3128'],
      ['--only TEXT', 'only what has this text in its line'],
      ['--allow-plain-http', 'for a gateway without TLS in a network of your own'],
      ['--json', 'prints a JSON object for each result, on a line of its own, as soon as there is one'],
    ],
  },
]

const OPTIONS = {
  ...BRAND_OPTIONS,
  endpoint: { type: 'string' },
  login: { type: 'string' },
  'key-file': { type: 'string' },
  card: { type: 'string' },
  amount: { type: 'string', default: '10.42' },
  currency: { type: 'string', default: 'USD' },
  deadline: { type: 'string', default: '60' },
  'callback-url': { type: 'string' },
  'callback-listen': { type: 'string' },
  proxy: { type: 'string' },
  only: { type: 'string', default: '' },
  'allow-plain-http': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

type Values = ReturnType<typeof parse<typeof OPTIONS>>['values']

/** What came of a check. */
interface Result {
  readonly claim: string
  readonly source: string
  readonly verdict: 'right' | 'wrong' | 'not tried'
  /** What the gateway does instead, or what was missing. */
  readonly detail?: string
}

export const certify: Command = {
  name: 'certify',
  summary: 'tries a gateway as a client meets it, and says where it differs from the interface',
  help: HELP,
  run: async (args, world) => {
    const { values, positionals } = parse('certify', args, OPTIONS)
    if (positionals.length > 0)
      throw new UsageError(`${positionals[0]} is not understood: see tallystick certify --help`)
    const checks = CHECKS.filter(({ claim }) => claim.toLowerCase().includes(values.only.toLowerCase()))
    if (checks.length === 0) throw new UsageError(`--only: no line has the text ${values.only}`)
    const { candidate, close } = await candidateFrom(values, world)
    const tell = (result: Result) =>
      world.print(values.json ? `${JSON.stringify(result)}\n` : linesOf(result, world.columns))
    try {
      const results = await resultsOf(checks, candidate, tell, world)
      if (!values.json) world.print(`\n${sumOf(results)}\n`)
      return results.some(({ verdict }) => verdict === 'wrong') ? 1 : 0
    } finally {
      await close()
    }
  },
}

type Tell = (result: Result) => void

/** Tells each result as soon as there is one. */
async function resultsOf(checks: readonly Check[], candidate: Candidate, tell: Tell, world: World) {
  const why = await patiently('whether the gateway accepts the key', () => shutOut(candidate), world)
  const results: Result[] = []
  const add = (result: Result) => {
    results.push(result)
    tell(result)
  }
  if (why !== undefined) nothingTried(why, checks).forEach(add)
  else
    for (const [at, check] of checks.entries()) {
      const place = `${check.claim} (${at + 1} of ${checks.length})`
      add(await patiently(place, () => resultOf(check, candidate), world))
    }
  return results
}

function nothingTried(why: string, checks: readonly Check[]): readonly Result[] {
  const { claim, source } = credentialsCheck
  const others = checks.filter((check) => check !== credentialsCheck)
  return [
    { claim, source, verdict: 'wrong', detail: masked(why) },
    ...others.map((check): Result => ({ claim: check.claim, source: check.source, verdict: 'not tried' })),
  ]
}

/** As long as somebody waits without a doubt. */
const LONG_MS = 5_000

/** Says what takes long, beside the results: the reader of a log or of JSON sees no cursor. */
async function patiently<Done>(what: string, work: () => Promise<Done>, { schedule, warn }: World): Promise<Done> {
  const cancel = schedule(LONG_MS, () => warn(`still trying: ${what}`))
  try {
    return await work()
  } finally {
    cancel()
  }
}

async function resultOf({ run, claim, source }: Check, candidate: Candidate): Promise<Result> {
  try {
    await run(candidate)
    return { claim, source, verdict: 'right' }
  } catch (error) {
    const verdict = error instanceof NotTried ? 'not tried' : 'wrong'
    if (error instanceof NotTried || error instanceof Finding || isPaymentError(error))
      return { claim, source, verdict, detail: masked(error.message) }
    throw error
  }
}

/** A finding may have words of the gateway, which may quote a request. */
function masked(detail: string): string {
  return maskCardNumbers(redactSecrets(detail))
}

const COLUMN = 'not tried  '.length

/** None for what was not tried because nothing was: the reason would be lost among these lines. */
function linesOf({ verdict, claim, source, detail }: Result, columns: number | undefined): string {
  if (verdict === 'not tried' && detail === undefined) return ''
  const line = `${wrappedBehind(verdict, `${claim} (${source})`, COLUMN, columns)}\n`
  return detail === undefined ? line : `${line}${wrapped(detail.replaceAll(/\s*\n\s*/g, ' '), COLUMN, columns)}\n`
}

function sumOf(results: readonly Result[]): string {
  const countOf = (wanted: Result['verdict']) => results.filter(({ verdict }) => verdict === wanted).length
  return `${countOf('right')} right, ${countOf('wrong')} wrong, ${countOf('not tried')} not tried`
}

async function candidateFrom(values: Values, world: World) {
  needed(values['base-url'], '--base-url', 'scheme, host and path prefix of the gateway')
  const { proxy } = values
  const transport = () => given(() => undiciTransport(proxy === undefined ? {} : { proxy }))
  const options: PaymentClientOptions = {
    profile: profileOf(values, world),
    login: needed(values.login, '--login', "the merchant's login"),
    controlKey: controlKey(values, world),
    endpointId: needed(values.endpoint, '--endpoint', 'the id of a test endpoint'),
    clock: { now: world.now, schedule: world.schedule },
    allowPlainHttp: values['allow-plain-http'],
  }
  const client = given(() => createPaymentClient({ ...options, transport: transport() }))
  const known: Omit<Candidate, 'callbacks'> = {
    client,
    otherwise: async (changes, use) => {
      const other = createPaymentClient({ ...options, transport: transport(), ...changes })
      try {
        return await use(other)
      } finally {
        await other.close()
      }
    },
    transport,
    card: cardFrom(values.card, world),
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

/** A payment that the client does not send would be held against the gateway. @throws UsageError */
function requireValid(payer: Payer, profile: Profile): void {
  const parsed = parseRequest('sale', payment(payer), profile)
  if (!parsed.ok)
    throw new UsageError(`no payment can be made of this:\n${parsed.issues.map(describeIssue).join('\n')}`)
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
