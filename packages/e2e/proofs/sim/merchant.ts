import type { Journal } from '@tallystick/journal'
import { cards, saleInput } from '@tallystick/testing'
import type { Random } from '../../../../scripts/proof/random.ts'
import type { Effects } from './mortal.ts'

/** What the merchant wants: an invoice to be paid, and part or all of it given back. */
export interface Errand {
  readonly key: string
  readonly sale: ReturnType<typeof saleOf>
  readonly refund: 'none' | 'part' | 'whole'
}

export function errands(random: Random): readonly Errand[] {
  return Array.from({ length: 1 + random.below(3) }, (_, n) => ({
    key: `invoice ${n}`,
    sale: saleOf(`${1 + random.below(90)}.${random.digits(2)}`),
    refund: random.pick(['none', 'none', 'part', 'whole'] as const),
  }))
}

function saleOf(amount: string) {
  const serverCallbackUrl = 'http://shop.example.com/callback'
  const { clientOrderId: _, ...input } = saleInput({
    ...cards.approved,
    amount,
    currency: 'USD',
    notifyUrl: serverCallbackUrl,
  })
  return input
}

/** Goes on with an errand from wherever it is. Called again and again, also by a process that knows nothing. */
export async function goOn({ key, sale, refund }: Errand, journal: Journal<Effects>): Promise<void> {
  const attempts = await journal.attempts(key)
  // The merchant's policy: what never arrived is paid once more.
  const isAbsent = attempts.at(-1)?.state === 'PRESUMED_ABSENT'
  const paid = await journal.pay(key, 'sale', sale, isAbsent ? { attempt: attempts.length + 1 } : {})
  const { clientOrderId, orderId } = paid.intent
  if (refund === 'none' || paid.outcome !== 'final' || paid.intent.status !== 'approved' || orderId === undefined)
    return
  const money = refund === 'part' ? { amount: '0.50', currency: 'USD' } : {}
  const refundKey = `refund of ${key}`
  const refunds = await journal.attempts(refundKey)
  const next = refunds.at(-1)?.state === 'PRESUMED_ABSENT' ? { attempt: refunds.length + 1 } : {}
  await journal.pay(refundKey, 'return', { clientOrderId, orderId, ...money, comment: 'sim' }, next)
}
