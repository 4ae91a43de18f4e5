import { GATEWAY_CODES } from '@tallystick/core'
import type { FinalDecision } from '../processing/record-outcome.ts'

/**
 * What the command `outcome` writes for each word. An acquirer tells the operator whether money moved, but seldom a code, so a
 * decline has the general one of ISO 8583, as the simulator's does.
 */
export const WRITTEN_OUTCOMES = {
  approved: { status: 'approved', approvalCode: '', processorTxId: '' },
  declined: { status: 'declined', errorCode: '100', errorMessage: 'Do not honour' },
  error: {
    status: 'error',
    errorCode: GATEWAY_CODES.internalFailure,
    errorMessage: 'The operation was not carried out.',
  },
} as const satisfies Readonly<Record<string, FinalDecision>>

export type OutcomeWord = keyof typeof WRITTEN_OUTCOMES

export const OUTCOME_WORDS = Object.keys(WRITTEN_OUTCOMES) as readonly OutcomeWord[]
