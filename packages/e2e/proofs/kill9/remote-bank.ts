import type { Decision } from '@tallystick/gateway'
import type { Bank } from '../bank/bank.ts'
import type { BankAnswer, BankCall, BankQuestion, ToGateway } from './messages.ts'

/** A call of the bank that failed on purpose. */
class BankTroubleError extends Error {
  override readonly name = 'BankTroubleError'
}

/** Whether an error is one that the gateway reports of such a call: it names the call, and has its error as the cause. */
export function isBankTrouble(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof BankTroubleError
}

/** The bank as a gateway in another process sees it: calls that go out and answers that may never come. */
export function remoteBank(): Bank {
  const waiting = new Map<number, PromiseWithResolvers<Decision | undefined>>()
  let calls = 0
  process.on('message', (message: ToGateway) => {
    if (typeof message === 'string') return
    const call = waiting.get(message.callId)
    waiting.delete(message.callId)
    if ('failure' in message) call?.reject(new BankTroubleError(message.failure))
    else call?.resolve(message.answer)
  })

  function ask(bank: BankCall): Promise<Decision | undefined> {
    const callId = ++calls
    const call = Promise.withResolvers<Decision | undefined>()
    waiting.set(callId, call)
    const message: BankQuestion = { callId, bank }
    process.send?.(message)
    return call.promise
  }

  async function decided(bank: BankCall): Promise<Decision> {
    const decision = await ask(bank)
    if (decision === undefined) throw new Error('The bank answered nothing')
    return decision
  }

  return {
    execute: (instruction) => decided({ call: 'execute', instruction }),
    authenticate: (instruction, result) => decided({ call: 'authenticate', instruction, result }),
    lookup: (instruction) => ask({ call: 'lookup', instruction }),
  }
}

/** The other side: carries out what a message asks for, even if the sender is dead by then. */
export async function answerCall(bank: Bank, call: BankCall): Promise<Decision | undefined> {
  switch (call.call) {
    case 'execute':
      return await bank.execute(call.instruction)
    case 'authenticate':
      return await bank.authenticate(call.instruction, call.result)
    case 'lookup':
      return await bank.lookup(call.instruction)
  }
}

/** The answer as a message for the process that asked. */
export async function answerQuestion(
  { callId, bank }: BankQuestion,
  answer: (call: BankCall) => ReturnType<typeof answerCall>,
): Promise<BankAnswer> {
  try {
    return { callId, answer: await answer(bank) }
  } catch (error) {
    return { callId, failure: error instanceof Error ? error.message : String(error) }
  }
}
