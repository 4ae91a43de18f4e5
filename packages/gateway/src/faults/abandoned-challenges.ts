import type { Acquirer } from '../acquirer/acquirer.ts'
import { challengeStep } from '../acquirer/simulated-authentication.ts'
import type { FaultName } from './faults.ts'

/**
 * An acquirer for orders whose customer never comes back from 3DS: an issuer that would be content with the method frame asks
 * for a challenge too, since that is where the customer stays. Only for the simulator, whose next step is known.
 */
export function withAbandonedChallenges(
  acquirer: Acquirer,
  faultsOf: (orderId: string) => Promise<ReadonlySet<FaultName>>,
): Acquirer {
  if (acquirer.isSimulated !== true) return acquirer
  return {
    isSimulated: true,
    prepare: (instrument) => acquirer.prepare(instrument),
    execute: (instruction) => acquirer.execute(instruction),
    lookup: (instruction) => acquirer.lookup(instruction),
    authenticate: async (instruction, result) => {
      const decision = await acquirer.authenticate(instruction, result)
      const { orderId, browser } = instruction
      if (result.step !== 'method' || decision.status !== 'approved' || browser === undefined) return decision
      if (!(await faultsOf(orderId)).has('three-ds-abandoned')) return decision
      return { status: 'processing', awaits: challengeStep(instruction, browser) }
    },
  }
}
