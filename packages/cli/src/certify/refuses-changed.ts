import type { Candidate } from './check.ts'
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
  refused('the sale', await candidate.otherwise({ transport }, async (client) => await client.sale(input)))
  await nothingCreated(input.clientOrderId, candidate)
}
