import type { Decision } from '@tallystick/gateway'
import type { Bank } from '../bank/bank.ts'
import type { BankCall } from '../kill9/messages.ts'
import { answerCall } from '../kill9/remote-bank.ts'

/** A process of the gateway, as the bank sees it. */
export interface Caller {
  /** When it died, once it has. */
  diedAt: number | undefined
}

/** The bank in front of several nodes: it sees which node asks for what another had sent. */
export interface BankDesk {
  answer(call: BankCall, caller: Caller): Promise<Decision | undefined>
  /** How many operations sent by dead processes another process has asked for. */
  takeovers(): number
}

export function bankDesk(bank: Bank): BankDesk {
  const senders = new Map<string, Caller>()
  let takeovers = 0

  function noteLookup(reference: string, caller: Caller): void {
    const sender = senders.get(reference)
    senders.delete(reference)
    if (sender?.diedAt !== undefined && sender !== caller) takeovers++
  }

  return {
    takeovers: () => takeovers,
    answer: async (call, caller) => {
      const { reference } = call.instruction
      if (call.call === 'lookup') noteLookup(reference, caller)
      else senders.set(reference, caller)
      try {
        return await answerCall(bank, call)
      } catch (error) {
        // A living sender sees the error, and asks again in its own time.
        if (caller.diedAt === undefined) senders.delete(reference)
        throw error
      }
    },
  }
}
