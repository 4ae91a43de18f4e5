import { OPERATION_KINDS } from '@tallystick/core'
import { checkOptions, type Validators, validator } from '@tallystick/core/internal'
import type { AuthenticationRequest } from '../orders/order.ts'
import { pooledRandomness, type RandomFill } from '../runtime/system.ts'
import type {
  Acquirer,
  AcquirerCard,
  AuthenticationResponse,
  BrowserAddresses,
  Decision,
  OperationRequest,
} from './acquirer.ts'
import { isPast } from './card.ts'
import { creqOf, paReqOf, readCRes, readPaRes, simulatedTransaction } from './simulated-messages.ts'

/** How the simulated bank behaves. */
export interface SimulatorOptions {
  /** How a payment with CVV 321 is authenticated, unless its card chooses. Default `challenge`. */
  readonly authentication?: SimulatedAuthentication | undefined
  /** Default: the system's. */
  readonly random?: RandomFill | undefined
}

/**
 * How the customer of a payment with CVV 321 is authenticated:
 *
 * - `challenge`: by a challenge at once;
 * - `method`: by the method frame, then a challenge;
 * - `method-frictionless`: by the method frame alone;
 * - `no-method-url`: the issuer has no method URL, so the method step ends with `U`; then by a challenge;
 * - `pareq`: by 3-D Secure 1.0.2.
 */
export type SimulatedAuthentication = keyof typeof FIRST_STEPS

type FirstStep = (request: OperationRequest, browser: BrowserAddresses) => AuthenticationRequest

export const methodStep: FirstStep = (request, browser) => ({
  step: 'method',
  methodUrl: `${browser.baseUrl}/acs/method/${browser.pageToken}`,
  threeDsServerTransId: transactionOf(request).threeDsServerTransId,
})

export const challengeStep: FirstStep = (request, browser) => {
  const transaction = transactionOf(request)
  const acsUrl = `${browser.baseUrl}/acs/challenge/${browser.pageToken}`
  return { step: 'challenge', acsUrl, creq: creqOf(transaction), threeDsSessionData: transaction.sessionData }
}

/** What the customer is asked to do first. */
const FIRST_STEPS = {
  challenge: challengeStep,
  method: methodStep,
  'method-frictionless': methodStep,
  'no-method-url': (request) => ({
    step: 'method',
    threeDsServerTransId: transactionOf(request).threeDsServerTransId,
  }),
  pareq: (request, browser) => {
    const transaction = transactionOf(request)
    const acsUrl = `${browser.baseUrl}/acs/pareq/${browser.pageToken}`
    return { step: 'pareq', acsUrl, paReq: paReqOf(transaction, request.amount), md: transaction.sessionData }
  },
} as const satisfies Record<string, FirstStep>

/** With CVV 321, these cards choose the authentication. For any other card the simulator's option `authentication` does. */
const AUTHENTICATION_OF_CARD: ReadonlyMap<string, SimulatedAuthentication> = new Map([
  ['4444444400000010', 'challenge'],
  ['4444444400000028', 'method'],
  ['4444444400000036', 'method-frictionless'],
  ['4444444400000044', 'no-method-url'],
  ['4444444400000051', 'pareq'],
])

function isAuthentication(text: string): text is SimulatedAuthentication {
  return Object.hasOwn(FIRST_STEPS, text)
}

function transactionOf({ token, reference }: OperationRequest) {
  return simulatedTransaction(token, reference)
}

const KINDS: Validators<SimulatorOptions> = {
  authentication: validator.oneOf(...Object.keys(FIRST_STEPS)),
  random: validator.function,
}

type Outcome = (request: OperationRequest) => Decision
type Approved = Extract<Decision, { status: 'approved' }>

/** Codes are the ISO 8583 action codes, which the family's test CVVs are taken from. */
const failed = (status: 'declined' | 'error', errorCode: string, errorMessage: string): Outcome => {
  return () => ({ status, errorCode, errorMessage })
}

const approve = ({ orderId }: OperationRequest): Approved => ({
  status: 'approved',
  approvalCode: orderId.slice(-6).padStart(6, '0'),
  processorTxId: `PNTEST-${orderId}`,
})

/** What becomes of an operation that opens an order, by the word in the reference that `tokenize` returned for its card. */
const OUTCOMES = {
  approved: approve,
  unknown: () => ({ status: 'unknown' }),
  'expired-card': failed('declined', '101', 'Expired card'),
  'insufficient-funds': failed('declined', '116', 'Not sufficient funds'),
  'not-permitted': failed('declined', '119', 'Transaction not permitted to cardholder'),
  'stolen-card': failed('declined', '209', 'Pick up card, stolen'),
  declined: failed('declined', '100', 'Do not honour'),
} as const satisfies Record<string, Outcome>

/** An outcome, or how the customer is authenticated first. */
type Word = keyof typeof OUTCOMES | SimulatedAuthentication

const notAuthenticated = failed('declined', '122', 'Security violation: the customer was not authenticated')
const cancelled = failed('declined', '122', 'Security violation: the customer cancelled the authentication')
const notPrepared = failed('error', '914', 'Not able to trace back to the original transaction')

/** Gaps part 10. A card without a CVV is approved (gaps part 13); any CVV that is not here is declined. */
const BY_CVV: ReadonlyMap<string | undefined, keyof typeof OUTCOMES | 'authentication'> = new Map([
  [undefined, 'approved'],
  ['123', 'approved'],
  ['1234', 'approved'],
  ['111', 'approved'],
  ['321', 'authentication'],
  ['217', 'unknown'],
  ['101', 'expired-card'],
  ['116', 'insufficient-funds'],
  ['119', 'not-permitted'],
  ['209', 'stolen-card'],
])

const ownRandomness = pooledRandomness()

/**
 * An acquirer that decides by the CVV, and declines a card that has expired. It remembers nothing: the reference that `tokenize` returns names the outcome by a word,
 * so any process can continue, even after a crash. Operations that follow on an approved order are approved.
 *
 * @throws TypeError for a wrong option
 */
export function simulator(options: SimulatorOptions = {}): Acquirer {
  checkOptions('simulator', options, KINDS)
  const { authentication = 'challenge', random = ownRandomness } = options
  const decide = async (request: OperationRequest): Promise<Decision> => decisionOn(request)
  return {
    isSimulated: true,
    tokenize: async ({ card, at }) => {
      const word = wordFor(card, authentication, at)
      return { reference: `simulated-${word}-${randomLetters(random)}`, authenticates: isAuthentication(word) }
    },
    execute: decide,
    authenticate: async (request, result) => {
      const awaited = decisionOn(request)
      return awaited.status === 'processing' ? goOn(request, result) : awaited
    },
    lookup: decide,
  }
}

function wordFor(card: AcquirerCard | undefined, authentication: SimulatedAuthentication, at: number): Word {
  if (card !== undefined && isExpired(card, at)) return 'expired-card'
  const chosen = BY_CVV.get(card?.cvv?.reveal()) ?? 'declined'
  if (chosen !== 'authentication') return chosen
  return AUTHENTICATION_OF_CARD.get(card?.pan.reveal() ?? '') ?? authentication
}

/** Whatever its CVV. A stored card has none, and expires all the same. */
function isExpired({ expireMonth, expireYear }: AcquirerCard, at: number): boolean {
  return expireMonth !== undefined && expireYear !== undefined && isPast({ expireMonth, expireYear }, at)
}

function decisionOn(request: OperationRequest): Decision {
  const word = wordOf(request)
  if (word === undefined) return notPrepared(request)
  if (!OPERATION_KINDS[request.kind].opens) return approve(request)
  return isAuthentication(word) ? awaiting(FIRST_STEPS[word], request) : OUTCOMES[word](request)
}

/** Nobody can be authenticated without a browser. */
function awaiting(step: typeof challengeStep, request: OperationRequest): Decision {
  const { browser } = request
  if (browser === undefined) return notAuthenticated(request)
  return { status: 'processing', awaits: step(request, browser) }
}

/** After the method step, whatever its result, the word says what comes next. The results of the other two steps decide. */
function goOn(request: OperationRequest, result: AuthenticationResponse): Decision {
  if (result.step === 'method') {
    return wordOf(request) === 'method-frictionless' ? authenticated(request) : awaiting(challengeStep, request)
  }
  const read = result.step === 'challenge' ? readCRes : readPaRes
  const verdict = read(transactionOf(request), result.value)
  if (verdict === 'authenticated') return authenticated(request)
  return verdict === 'cancelled' ? cancelled(request) : notAuthenticated(request)
}

function authenticated(request: OperationRequest): Decision {
  return { ...approve(request), verified3dStatus: 'AUTHENTICATED' }
}

function wordOf({ token }: OperationRequest): Word | undefined {
  const word = /^simulated-([a-z-]+)-[a-p]{32}$/.exec(token)?.[1] ?? ''
  return isOutcome(word) || isAuthentication(word) ? word : undefined
}

function isOutcome(text: string): text is keyof typeof OUTCOMES {
  return Object.hasOwn(OUTCOMES, text)
}

/** 128 bits as letters: no part looks like a card number by chance, and marks made with it (`markOf`) cannot be forged. */
function randomLetters(random: RandomFill): string {
  const bytes = new Uint8Array(32)
  random(bytes)
  return String.fromCharCode(...bytes.map((byte) => 97 + (byte & 15)))
}
