import { operationKeys } from '@tallystick/core'
import * as z from 'zod'
import { FAULT_NAMES } from '../faults/faults.ts'
import { type Route, readBody, requireNoFields, SandboxRequestError } from './route.ts'

const Script = z.strictObject({
  fault: z.enum(FAULT_NAMES, `must be one of ${FAULT_NAMES.join(', ')}`),
  operation: z.enum(operationKeys, `must be one of ${operationKeys.join(', ')}`).optional(),
  clientOrderId: z.string('must be a text').min(1, 'must be a text').optional(),
})

export const FAULT_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: /^\/faults$/,
    shown: '/__sandbox/faults',
    meaning: 'The seed, the faults that were asked for and did not happen yet, and those that happened.',
    answer: async (_, { faults }) => ({ body: faults.list() }),
  },
  {
    method: 'POST',
    path: /^\/faults$/,
    shown: '/__sandbox/faults',
    takes: {
      fault: 'the name of a fault',
      operation: 'the key of an operation, such as sale: its next request has the fault',
      clientOrderId: 'or the order that has the fault',
    },
    isRecorded: true,
    meaning: 'Asks for a fault.',
    answer: async ({ body }, { faults }) => {
      const { fault, operation, clientOrderId } = readBody(Script, body)
      if ((operation === undefined) === (clientOrderId === undefined)) {
        throw new SandboxRequestError('operation: give it or clientOrderId, but not both', 'operation')
      }
      if (operation !== undefined) asked(() => faults.next(operation, fault))
      if (clientOrderId !== undefined) asked(() => faults.forOrder(clientOrderId, fault))
      return { body: faults.list() }
    },
  },
  {
    method: 'POST',
    path: /^\/faults\/clear$/,
    shown: '/__sandbox/faults/clear',
    isRecorded: true,
    meaning: 'Forgets the faults that were asked for.',
    answer: async ({ body }, { faults }) => {
      requireNoFields(body)
      faults.clear()
      return { body: faults.list() }
    },
  },
]

/** Refuses a fault that does not fit the operation. */
function asked(ask: () => void): void {
  try {
    ask()
  } catch (error) {
    throw new SandboxRequestError(`fault: ${(error as Error).message}`, 'fault')
  }
}
