import type { Decision } from '@tallystick/gateway'
import type { Bank } from '../bank/bank.ts'
import type { BankCall } from '../kill9/messages.ts'
import { answerCall } from '../kill9/remote-bank.ts'

/** A process of the gateway, as the bank sees it. */
export interface Caller {
  /** When it died, once it has. */
  diedAt: number | undefined
}

/** The bank before several nodes: it sees who asks for what another one had sent. */
export interface BankDesk {
  answer(call: BankCall, caller: Caller): Promise<Decision | undefined>
  /** How many sent operations of dead processes another process has asked for. */
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
        // A sender that is alive hears that, and asks again in its own time.
        if (caller.diedAt === undefined) senders.delete(reference)
        throw error
      }
    },
  }
}
