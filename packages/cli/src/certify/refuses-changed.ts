import { type Candidate, isPage } from './check.ts'
import { acceptedToo, nothingCreated, payment, refused } from './orders.ts'
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
  acceptedToo('a sale', await candidate.client.sale(payment(candidate)))
  const input = payment(candidate)
  const transport = tampered(candidate.transport(), withFields(changes))
  const result = await candidate.otherwise({ transport }, async (client) => await client.sale(input))
  // A page may be a proxy's that has shut meanwhile: then it refuses what is right as well.
  const isRefusedByPage = result.outcome === 'rejected' && isPage(result.error)
  if (isRefusedByPage) acceptedToo('another sale', await candidate.client.sale(payment(candidate)))
  refused('the sale', result)
  await nothingCreated(input.clientOrderId, candidate)
}
