import type { parse } from '../arguments/parse.ts'
import { SANDBOX_OPTIONS } from '../sandbox/ask-sandbox.ts'
import type { World } from '../world.ts'

export const TRIGGER_OPTIONS = {
  url: { type: 'string' },
  'key-file': { type: 'string' },
  times: { type: 'string' },
  forged: { type: 'boolean' },
  ...SANDBOX_OPTIONS,
  amount: { type: 'string' },
  operation: { type: 'string' },
  'client-order-id': { type: 'string' },
} as const

type TriggerOption = keyof typeof TRIGGER_OPTIONS

export type TriggerValues = ReturnType<typeof parse<typeof TRIGGER_OPTIONS>>['values']

/** What can be made to happen. */
export interface TriggerEvent {
  readonly name: string
  /** Its name with its operands. */
  readonly usage: string
  readonly meaning: string
  /** What it reads. */
  readonly options: readonly TriggerOption[]
  /** @returns the exit code */
  readonly run: (operands: readonly string[], values: TriggerValues, world: World) => Promise<number>
}
