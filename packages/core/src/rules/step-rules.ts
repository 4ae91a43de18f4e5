import { isFinalStatus } from '../statuses.ts'
import { defineRules } from './state-rule.ts'
import { mayBecome, type OperationStatus } from './transitions.ts'

/** A step of an operation. */
export interface Step {
  readonly from: OperationStatus
  readonly to: OperationStatus
}

/** The rules about a step: each says why it refuses a step that `TRANSITIONS` does not have. */
export const STEP_RULES = defineRules<Step>()([
  {
    id: 'G5-01',
    source: 'gaps part 5, statuses',
    text: '`approved`, `declined`, `filtered` and `error` are final; an operation never leaves a final status.',
    appliesTo: ['advance'],
    refuses: ({ from }) => (isFinalStatus(from) ? `${from} is final` : undefined),
  },
  {
    id: 'G12-10',
    source: 'gaps part 12, C10',
    text: '`unknown` is not final: it may become any final status, and nothing else.',
    appliesTo: ['advance'],
    refuses: ({ from, to }) => (from === 'unknown' ? notReached(from, to) : undefined),
  },
  {
    id: 'G5-06',
    source: 'gaps part 5, allowed moves',
    text: '`processing` may become any final status or `unknown`.',
    appliesTo: ['advance'],
    refuses: ({ from, to }) => (from === 'processing' ? notReached(from, to) : undefined),
  },
  {
    id: 'operation-machine',
    source: 'ours: how an operation begins',
    text: 'An operation is created, then sent, then gets a status; if interrupted before it is sent, it ends in error.',
    appliesTo: ['advance'],
    refuses: ({ from, to }) => notReached(from, to),
  },
])

function notReached(from: OperationStatus, to: OperationStatus): string | undefined {
  return mayBecome(from, to) ? undefined : `${from} does not become ${to}`
}
