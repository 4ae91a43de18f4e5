import type { Acquirer, Decision, Instruction } from '../acquirer/acquirer.ts'
import { methodStep } from '../acquirer/simulated-authentication.ts'
import { openingOperation } from '../orders/operations.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { FaultDesk } from './fault-plan.ts'

/**
 * An acquirer for orders whose method frame never answers. An issuer that has no method frame gets one, before whatever else
 * it asks for. Orders without authentication stay so. Only for the simulator, whose next step is known.
 */
export function withMethodFrames(
  acquirer: Acquirer,
  desk: FaultDesk,
  orderById: (orderId: string) => Promise<StoredOrder | undefined>,
): Acquirer {
  if (acquirer.isSimulated !== true) return acquirer

  async function framed<Decided extends Decision | undefined>(instruction: Instruction, decision: Decided) {
    const { orderId, browser } = instruction
    if (decision?.status !== 'processing' || browser === undefined) return decision
    const order = await orderById(orderId)
    const isFramed = order !== undefined && isAtItsBeginning(order) && desk.of(order).has('method-time-out')
    return isFramed ? { ...decision, awaits: methodStep(instruction, browser) } : decision
  }

  return {
    isSimulated: true,
    prepare: (instrument) => acquirer.prepare(instrument),
    execute: async (instruction) => await framed(instruction, await acquirer.execute(instruction)),
    lookup: async (instruction) => await framed(instruction, await acquirer.lookup(instruction)),
    authenticate: async (instruction, result) => {
      const asked = result.step === 'method' ? await acquirer.lookup(instruction) : undefined
      const isNext = asked?.status === 'processing' && asked.awaits.step !== 'method'
      return isNext ? asked : await acquirer.authenticate(instruction, result)
    },
  }
}

/** Whether the browser has not brought the result of any step yet: the customer must not be led back to the frame. */
function isAtItsBeginning(order: StoredOrder): boolean {
  const { methodCompletion, brought } = openingOperation(order).outcome
  return methodCompletion === undefined && brought === undefined
}
