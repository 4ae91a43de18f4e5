import type { Acquirer, Decision } from '../acquirer/acquirer.ts'
import type { StoredOrder } from '../orders/order.ts'
import type { FaultDesk } from './fault-plan.ts'
import type { FaultAt } from './faults.ts'

/** What the acquirer says when it is asked again about an operation whose outcome it did not know. */
const LATER: { readonly [Name in FaultAt<'outcome'>]: (orderId: string) => Decision } = {
  'unknown-then-approved': (orderId) => ({
    status: 'approved',
    approvalCode: orderId.slice(-6),
    processorTxId: `LATE-${orderId}`,
  }),
  'unknown-then-declined': () => ({ status: 'declined', errorCode: '100', errorMessage: 'Do not honour' }),
}

type FindOrder = (orderId: string) => Promise<StoredOrder | undefined>

interface Orders {
  /** The order as this process last wrote it. */
  readonly asWritten: FindOrder
  readonly orderById: FindOrder
}

/**
 * An acquirer that does not know the outcome of operations with such a fault. The acquirer behind it is not asked to carry
 * these out: the fault decides.
 */
export function withOutcomeFaults(acquirer: Acquirer, desk: FaultDesk, { asWritten, orderById }: Orders): Acquirer {
  return {
    isSimulated: acquirer.isSimulated,
    prepare: (instrument) => acquirer.prepare(instrument),
    authenticate: (instruction, result) => acquirer.authenticate(instruction, result),
    execute: async (instruction) => {
      const order = await asWritten(instruction.orderId)
      const fault = order && desk.strikeOutcome(order, instruction.reference)
      return fault === undefined ? await acquirer.execute(instruction) : { status: 'unknown' }
    },
    lookup: async (instruction) => {
      const order = await orderById(instruction.orderId)
      const fault = order && desk.outcomeOf(order, instruction.reference)
      return fault === undefined ? await acquirer.lookup(instruction) : LATER[fault](instruction.orderId)
    },
  }
}
