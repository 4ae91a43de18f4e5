import { type OperationKey, ValidationErrorResponse } from '@tallystick/core'
import { NonceUsedError } from '../flow/burn-nonce.ts'
import type { Answer } from '../http/answer.ts'
import { acknowledged } from './acknowledged.ts'
import type { ProcessContext } from './processor.ts'
import { created } from './recurring-payments.ts'

type Known = Pick<ProcessContext, 'store' | 'merchant' | 'digest' | 'profile' | 'repeatsAllowed'>

interface Named {
  readonly key: OperationKey
  readonly clientOrderId: string | undefined
}

/**
 * A repeat of a request that was carried out gets the first answer (gaps part 13), whatever has changed since: the day, the
 * settings of the endpoint, or that the acquirer is away. A refusal would say that nothing was created (gaps part 9), and
 * the merchant would ask for the same under another id. It is looked for only where there is nothing better to say.
 */
export async function orFirstAnswer(processed: Promise<Answer>, request: Named, known: Known): Promise<Answer> {
  const first = () => firstAnswer(request, known)
  return await processed.then(
    async (answer) => (answer.model === ValidationErrorResponse ? ((await first()) ?? answer) : answer),
    async (error: unknown) => {
      const answer = error instanceof NonceUsedError ? undefined : await first()
      if (answer === undefined) throw error
      return answer
    },
  )
}

/** The digest covers the address, so that only what the same operation created has it. */
async function firstAnswer(
  { key, clientOrderId }: Named,
  { store, merchant: { login }, digest, profile, repeatsAllowed }: Known,
): Promise<Answer | undefined> {
  if (clientOrderId === undefined) return undefined
  if (key === 'createRecurringPayment') {
    const payment = await store.recurringPayment(login, clientOrderId)
    return payment?.digest === digest ? created(payment) : undefined
  }
  const order = repeatsAllowed ? undefined : await store.findOrder({ login, clientOrderId })
  return order?.digest === digest ? acknowledged(order, { profile }) : undefined
}
