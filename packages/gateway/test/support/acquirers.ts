import type { PaymentMethod } from '../../src/acquirer/acquirer.ts'
import {
  type Acquirer,
  type Decision,
  type OperationRequest,
  simulator,
  type Token,
  type TokenizationRequest,
} from '../../src/index.ts'
import { NOW } from './signed-requests.ts'

/** The simulator, with the instructions that it was to carry out and to look up. */
export function listening(changes: Partial<Acquirer> = {}) {
  const inner = { ...simulator(), ...changes }
  const executed: OperationRequest[] = []
  const lookedUp: OperationRequest[] = []
  const acquirer: Acquirer = {
    ...inner,
    execute: async (instruction) => {
      executed.push(instruction)
      return await inner.execute(instruction)
    },
    lookup: async (instruction) => {
      lookedUp.push(instruction)
      return await inner.lookup(instruction)
    },
  }
  return { acquirer, executed, lookedUp }
}

/** The simulator with other answers to some of the calls. */
export function deciding(changes: Partial<Acquirer>): Acquirer {
  return { ...simulator(), ...changes }
}

/** Who records outcomes. */
export const ANNA = { who: 'anna', why: 'e-mail of the bank' }

/** For whom a payment is, if it does not matter. */
export const ORIGIN = { login: 'shop', endpointId: '1111', clientOrderId: 'inv-1', initiatedBy: 'cardholder' } as const

/** What an acquirer that refuses nothing returns for an instrument. */
export async function tokenFrom(acquirer: Pick<Acquirer, 'tokenize'>, instrument: PaymentMethod): Promise<Token> {
  const payment = { ...ORIGIN, kind: 'sale', amount: 1042n, currency: 'EUR', decimals: 2, at: NOW * 1000 } as const
  const token = await acquirer.tokenize({ ...payment, ...instrument } satisfies TokenizationRequest)
  if ('refused' in token) throw new Error(token.refused)
  return token
}

export const UNKNOWN: Decision = { status: 'unknown' }

export function declined(errorMessage = 'Do not honour') {
  return { status: 'declined', errorCode: '100', errorMessage } satisfies Decision
}

/** All that a bank may say of what it did. */
export const REFERENCES = {
  approvalCode: 'A12345',
  processorTxId: 'tx-77',
  rrn: '633200000001',
  creditRrn: '633200000002',
  arn: '74027160000000000000001',
  creditArn: '74027160000000000000002',
  creditApprovalCode: 'C12345',
  terminalId: 'T-0001',
  batchId: 'B-0042',
  responseCode: '00',
  reasonCode: 'R-0',
  processedAt: Date.UTC(2029, 11, 31, 23, 59, 58),
} as const

export const APPROVED: Decision = { status: 'approved', approvalCode: '123456', processorTxId: 'tx-1' }

/** An `execute` that decides nothing until the test says what. */
export function undecided() {
  const decision = Promise.withResolvers<Decision>()
  return { execute: () => decision.promise, decide: decision.resolve, fail: decision.reject }
}
