import type { Intent, IntentChange, NewOutcome } from '@tallystick/client'
import { changeShown } from '@tallystick/core'
import type { JournalParts } from '../options.ts'
import { isPaid } from '../states.ts'

/** Two attempts of one business key were paid: a person has to give one back. */
export async function suspectDoubleCharges<Transaction>(
  written: readonly IntentChange[],
  { store, tell }: Pick<JournalParts<Transaction>, 'store' | 'tell'>,
): Promise<void> {
  const told = written.flatMap(({ outcomes }) => outcomes)
  const isNews = ({ intentId }: Intent) => told.some((one) => one.intentId === intentId && isOfPayment(one))
  for (const { intent } of written) {
    if (!isPaid(intent) || !isNews(intent)) continue
    const paid = (await store.attemptsOf(intent.businessKey)).filter(isPaid)
    if (paid.length > 1) tell({ type: 'DOUBLE_CHARGE_SUSPECTED', intents: paid })
  }
}

/**
 * Whether what is told of a payment is how it ended, also where it is a notice of that: nothing was kept before then. Not what was
 * done to its order later, which some gateways show as the payment with a smaller amount.
 */
function isOfPayment({ kind, transactionType, amount, kept: left }: NewOutcome): boolean {
  return changeShown({ transactionType }) === undefined && (kind === 'outcome' || amount === left)
}
