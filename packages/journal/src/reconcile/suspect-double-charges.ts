import type { Intent, IntentChange, JournalStore, NewOutcome } from '@tallystick/client'
import { changeShown } from '@tallystick/core'
import type { JournalListener } from '../events.ts'
import { isPaid } from '../intents/states.ts'

/** Reports business keys of which more than one attempt was paid: an operator has to refund all but one. */
export async function suspectDoubleCharges(
  written: readonly IntentChange[],
  { store, tell }: { readonly store: Pick<JournalStore, 'attemptsOf'>; readonly tell: JournalListener },
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
 * Whether an outcome says how the payment itself ended: its outcome, or a notice that it was paid after all, before which nothing
 * was kept. Later changes of its order do not count; some gateways show them as the payment with a smaller amount.
 */
function isOfPayment({ kind, transactionType, amount, kept: left }: NewOutcome): boolean {
  return changeShown({ transactionType }) === undefined && (kind === 'outcome' || amount === left)
}
