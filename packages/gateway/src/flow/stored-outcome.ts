import { maskCardNumbers } from '@tallystick/core'
import type { Decision } from '../acquirer/acquirer.ts'
import type { AuthenticationRequest, OperationOutcome } from '../orders/order.ts'

/** What is kept of a decision. */
export function storedOutcome(decision: Decision): OperationOutcome {
  switch (decision.status) {
    case 'approved': {
      const { approvalCode, processorTxId, verified3dStatus } = decision
      // Told where there is one (gaps part 4). One of plain JavaScript may give anything, also what no store can write.
      return {
        approvalCode: code(approvalCode) || undefined,
        processorTxId: code(processorTxId) || undefined,
        verified3dStatus: verified3dStatus === 'AUTHENTICATED' ? verified3dStatus : undefined,
      }
    }
    case 'declined':
    case 'filtered':
    case 'error': {
      const { errorCode, errorMessage } = decision
      return { errorCode: code(errorCode), errorMessage: message(errorMessage) }
    }
    case 'processing':
      return { awaits: stepOf(decision.awaits) }
    case 'unknown':
      return {}
  }
}

/**
 * The step alone: what an acquirer gives may be the whole of what its bank said, with the card in it, or with what no store can
 * write.
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

/** In characters; encoded, each may take nine bytes of the 8,000 that an address has. */
const LONGEST = 500

/** What the acquirer says in words, as it can be told in the clear: it may quote the card, or be a whole page. */
function message(words: unknown): string | undefined {
  return inAddresses(typeof words === 'string' ? maskCardNumbers(words) : undefined)
}

/** A code or an id, which plain JavaScript may give as a number. */
function code(given: unknown): string | undefined {
  return inAddresses(typeof given === 'number' ? String(given) : given)
}

/**
 * A text of the acquirer as it can be kept, and stand in the address of a callback: it may end in the middle of a character. One of
 * plain JavaScript may give nothing, or no text.
 */
function inAddresses(text: unknown): string | undefined {
  return typeof text === 'string' ? text.slice(0, LONGEST).toWellFormed() : undefined
}
