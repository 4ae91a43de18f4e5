import { type Acquirer, type Decision, type Instruction, simulator } from '../../src/index.ts'

/** The simulator, with the instructions that it was to carry out and to look up. */
export function listening(changes: Partial<Acquirer> = {}) {
  const inner = { ...simulator(), ...changes }
  const executed: Instruction[] = []
  const lookedUp: Instruction[] = []
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

export const UNKNOWN: Decision = { status: 'unknown' }

export function declined(errorMessage = 'Do not honour') {
  return { status: 'declined', errorCode: '100', errorMessage } satisfies Decision
}

export const APPROVED: Decision = { status: 'approved', approvalCode: '123456', processorTxId: 'tx-1' }

/** An `execute` that decides nothing until the test says what. */
export function undecided() {
  const decision = Promise.withResolvers<Decision>()
  return { execute: () => decision.promise, decide: decision.resolve, fail: decision.reject }
}
