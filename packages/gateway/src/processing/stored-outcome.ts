import { redact } from '@tallystick/core'
import type { Decision } from '../acquirer/acquirer.ts'
import { referencesOf } from '../orders/bank-references.ts'
import type { AuthenticationRequest, BankReferences, OperationOutcome } from '../orders/order.ts'

/** What is stored of a decision. */
export function storedOutcome(decision: Decision): OperationOutcome {
  switch (decision.status) {
    case 'approved': {
      const { verified3dStatus } = decision
      return {
        ...references(decision),
        verified3dStatus: verified3dStatus === 'AUTHENTICATED' ? verified3dStatus : undefined,
      }
    }
    case 'declined':
    case 'filtered':
    case 'error': {
      const { errorCode, errorMessage } = decision
      return { errorCode: code(errorCode), errorMessage: shownMessage(errorMessage), ...references(decision) }
    }
    case 'processing':
      return { awaits: stepOf(decision.awaits) }
    case 'unknown':
      return {}
  }
}

/**
 * Only the fields of the step: what an acquirer returns may be all that its bank said, with the card in it, or with something
 * that no store can write.
 */
function stepOf(awaits: AuthenticationRequest): AuthenticationRequest {
  switch (awaits.step) {
    case 'method': {
      const { step, methodUrl, threeDsServerTransId } = awaits
      return { step, methodUrl, threeDsServerTransId }
    }
    case 'challenge': {
      const { step, acsUrl, creq, threeDsSessionData } = awaits
      return { step, acsUrl, creq, threeDsSessionData }
    }
    case 'pareq': {
      const { step, acsUrl, paReq, md } = awaits
      return { step, acsUrl, paReq, md }
    }
  }
}

/** Shown if there is one (gaps part 4). Plain JavaScript may return anything, even what no store can write. */
function references(decision: BankReferences): BankReferences {
  const { processedAt, ...texts } = referencesOf(decision)
  const stored = Object.entries(texts).map(([name, text]) => [name, code(text) || undefined])
  return { ...Object.fromEntries(stored), processedAt: instant(processedAt) }
}

/** Milliseconds that a calendar can show. A `Date` is meant well. */
function instant(given: unknown): number | undefined {
  const at = given instanceof Date ? given.getTime() : given
  return typeof at === 'number' && Math.abs(at) <= 8.64e15 ? Math.floor(at) : undefined
}

/** In characters. Encoded, each may take nine of the 8,000 bytes of an address. */
const LONGEST = 500

/** The acquirer's message, safe to store and show: it may quote the card, or be a whole page. */
export function shownMessage(words: unknown): string | undefined {
  return inAddresses(typeof words === 'string' ? redact(words) : undefined)
}

/** A code or an id, which plain JavaScript may return as a number. */
function code(given: unknown): string | undefined {
  return inAddresses(typeof given === 'number' ? String(given) : given)
}

/**
 * A text of the acquirer that can be stored and fits the address of a callback. Cut in the middle of a character, it is
 * made well-formed. Plain JavaScript may return nothing, or something that is not a text.
 */
function inAddresses(text: unknown): string | undefined {
  return typeof text === 'string' ? text.slice(0, LONGEST).toWellFormed() : undefined
}
