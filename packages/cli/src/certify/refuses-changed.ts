import { type Candidate, NotTried } from './check.ts'
import { nothingCreated, payment, refused } from './orders.ts'
import { tampered, withFields } from './tampered.ts'

/**
 * Sends a sale with these fields changed after it was signed.
 *
 * @throws Finding if it is accepted, or leaves an order. NotTried if a sale is not accepted without changes either
 */
export async function refusesChanged(
  changes: Readonly<Record<string, string | undefined>>,
  candidate: Candidate,
): Promise<void> {
  await requireAccepted(candidate)
  const input = payment(candidate)
  const transport = tampered(candidate.transport(), withFields(changes))
  refused('the sale', await candidate.otherwise({ transport }, async (client) => await client.sale(input)))
  await nothingCreated(input.clientOrderId, candidate)
}

/** Who refuses a right sale, for its currency, say, may not have looked at what was changed. @throws NotTried */
async function requireAccepted(candidate: Candidate): Promise<void> {
  const result = await candidate.client.sale(payment(candidate))
  if (result.outcome !== 'accepted')
    throw new NotTried(`a sale that is right was answered with ${result.outcome} too: ${result.error.message}`)
}
