import type { Acquirer, AcquirerCharge, Decision } from './acquirer.ts'

type Outcome = (charge: AcquirerCharge) => Decision

const approve: Outcome = ({ orderId }) => ({
  status: 'approved',
  approvalCode: orderId.slice(-6),
  processorTxId: `PNTEST-${orderId}`,
})

/** Codes are the ISO 8583 action codes, which the family's test CVVs are taken from. */
const decline = (errorCode: string, errorMessage: string): Outcome => {
  return () => ({ status: 'declined', errorCode, errorMessage })
}

/** The CVV chooses what happens (gaps part 10); a card without one is approved (gaps part 13). */
const BY_CVV: Readonly<Record<string, Outcome>> = {
  '': approve,
  '123': approve,
  '1234': approve,
  '111': approve,
  '321': () => ({ status: 'processing' }),
  '217': () => ({ status: 'unknown' }),
  '101': decline('101', 'Expired card'),
  '116': decline('116', 'Not sufficient funds'),
  '119': decline('119', 'Transaction not permitted to cardholder'),
  '209': decline('209', 'Pick up card, stolen'),
}

const OTHERWISE = decline('100', 'Do not honour')

/** An acquirer that decides by the CVV. It remembers what was chosen, never the card. */
export function simulator(): Acquirer {
  const outcomes = new Map<string, Outcome>()
  return {
    prepare: async ({ cvv }) => {
      const reference = `simulated-${outcomes.size + 1}`
      outcomes.set(reference, BY_CVV[cvv?.reveal() ?? ''] ?? OTHERWISE)
      return reference
    },
    authorize: async (charge) => (outcomes.get(charge.reference) ?? OTHERWISE)(charge),
  }
}
