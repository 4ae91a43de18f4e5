import { OPERATION_KINDS } from '@tallystick/core'
import type { AuthenticationStep } from '../orders/order.ts'
import { pooledRandomness } from '../rims/vault-randomness.ts'
import type { FillRandomly } from '../vault/randomness.ts'
import type { Acquirer, AuthenticationResult, Decision, Instruction } from './acquirer.ts'
import { isAuthenticated } from './authentication-result.ts'

export interface SimulatorOptions {
  /** The 3DS step that CVV 321 begins with. Default `challenge`; `method` goes on to it. */
  readonly authentication?: AuthenticationStep
  /** Default: the system's. */
  readonly random?: FillRandomly
}

type Outcome = (instruction: Instruction) => Decision

/** Codes are the ISO 8583 action codes, which the family's test CVVs are taken from. */
const failed = (status: 'declined' | 'error', errorCode: string, errorMessage: string): Outcome => {
  return () => ({ status, errorCode, errorMessage })
}

const awaiting = (awaits: AuthenticationStep): Outcome => {
  return () => ({ status: 'processing', awaits })
}

const approve: Outcome = ({ orderId }) => ({
  status: 'approved',
  approvalCode: orderId.slice(-6).padStart(6, '0'),
  processorTxId: `PNTEST-${orderId}`,
})

/** What becomes of an operation that opens an order, by the word that `prepare` gives for its card. */
const OUTCOMES = {
  approved: approve,
  unknown: () => ({ status: 'unknown' }),
  method: awaiting('method'),
  challenge: awaiting('challenge'),
  pareq: awaiting('pareq'),
  'expired-card': failed('declined', '101', 'Expired card'),
  'insufficient-funds': failed('declined', '116', 'Not sufficient funds'),
  'not-permitted': failed('declined', '119', 'Transaction not permitted to cardholder'),
  'stolen-card': failed('declined', '209', 'Pick up card, stolen'),
  declined: failed('declined', '100', 'Do not honour'),
} as const satisfies Record<string, Outcome>

type Word = keyof typeof OUTCOMES

const notAuthenticated = failed('declined', '122', 'Security violation: the customer was not authenticated')
const notPrepared = failed('error', '914', 'Not able to trace back to the original transaction')

/** Gaps part 10. A card without a CVV is approved (gaps part 13), any other CVV declined. */
const BY_CVV: ReadonlyMap<string | undefined, Word | 'authentication'> = new Map([
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

/**
 * An acquirer that decides by the CVV. It remembers nothing: the text that `prepare` gives names the outcome by a word, so
 * any process can go on, also after a crash. What follows on an approved order is approved.
 */
export function simulator({
  authentication = 'challenge',
  random = pooledRandomness(),
}: SimulatorOptions = {}): Acquirer {
  const execute = (instruction: Instruction): Decision => {
    const word = wordOf(instruction)
    if (word === undefined) return notPrepared(instruction)
    return OPERATION_KINDS[instruction.kind].opens ? OUTCOMES[word](instruction) : approve(instruction)
  }
  return {
    prepare: async ({ card }) => {
      const chosen = BY_CVV.get(card?.cvv?.reveal()) ?? 'declined'
      return `simulated-${chosen === 'authentication' ? authentication : chosen}-${randomLetters(random)}`
    },
    execute: async (instruction) => execute(instruction),
    authenticate: async (instruction, result) => {
      const awaited = execute(instruction)
      return awaited.status === 'processing' ? goOn(instruction, result) : awaited
    },
    lookup: async (instruction) => execute(instruction),
  }
}

/** Whatever the method step told, the customer has to answer a challenge; the other two steps decide. */
function goOn(instruction: Instruction, result: AuthenticationResult): Decision {
  if (result.step === 'method') return OUTCOMES.challenge(instruction)
  return isAuthenticated(result) ? approve(instruction) : notAuthenticated(instruction)
}

function wordOf({ prepared }: Instruction): Word | undefined {
  const word = /^simulated-([a-z-]+)-[a-p]{16}$/.exec(prepared)?.[1] ?? ''
  return isWord(word) ? word : undefined
}

function isWord(text: string): text is Word {
  return Object.hasOwn(OUTCOMES, text)
}

/** 64 bits in letters: nothing of it looks like a part of a card by chance. */
function randomLetters(random: FillRandomly): string {
  const bytes = new Uint8Array(16)
  random(bytes)
  return String.fromCharCode(...bytes.map((byte) => 97 + (byte & 15)))
}
