import { maskCardNumbers } from '@tallystick/core'
import type { Decision } from '../acquirer/acquirer.ts'
import type { OperationOutcome } from '../orders/order.ts'

/** What is kept of a decision. */
export function storedOutcome(decision: Decision): OperationOutcome {
  switch (decision.status) {
    case 'approved': {
      const { approvalCode, processorTxId, verified3dStatus } = decision
      // Told where there is one (gaps part 4).
      return { approvalCode: approvalCode || undefined, processorTxId: processorTxId || undefined, verified3dStatus }
    }
    case 'declined':
    case 'filtered':
    case 'error': {
      const { errorCode, errorMessage } = decision
      return { errorCode, errorMessage: inAddresses(errorMessage) }
    }
    case 'processing':
      return { awaits: decision.awaits }
    case 'unknown':
      return {}
  }
}

/** In characters; encoded, each may take nine bytes of the 8,000 that an address has. */
const LONGEST_MESSAGE = 500

/**
 * What the acquirer says in words, as it can be kept and told in the clear, also within the address of a callback: it may quote
 * the card, be a whole page, or end in the middle of a character. One of plain JavaScript may say nothing, or no text.
 */
function inAddresses(message: unknown): string | undefined {
  return typeof message === 'string' ? maskCardNumbers(message).slice(0, LONGEST_MESSAGE).toWellFormed() : undefined
}
