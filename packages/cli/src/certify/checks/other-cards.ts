import type { CertifyCard } from '../certify-card.ts'
import { type Candidate, type Check, claim, Finding, NotTried, requireReply } from '../check.ts'
import { accepted, decided, idIn, type KnownOrder, openedPage, payment, RETURN_URL } from '../orders.ts'

/** Cards that are not simply approved. */
export const otherCardChecks: readonly Check[] = [
  {
    claim: 'declines a sale with a card that is declined, and says why',
    source: 'gaps parts 9 and 10',
    run: async (candidate) => {
      const order = await sold(named('--declined-card', candidate.declinedCard), candidate)
      const { errorCode, errorMessage } = await decided('the sale', order, candidate, 'declined')
      claim(errorCode !== undefined, 'the status has no error-code')
      claim(errorMessage !== undefined, 'the status has no error-message')
    },
  },
  {
    claim: 'asks the customer of a card that needs 3-D Secure to confirm',
    source: 'gaps parts 8 and 10',
    run: async (candidate) => {
      const { client, deadlineMs, threeDsCard } = candidate
      const order = await sold(named('--three-ds-card', threeDsCard), candidate)
      const next = await client.threeDs.next(order, { returnUrl: RETURN_URL, deadlineMs })
      if (next.step === 'redirect' && next.url !== undefined) await openedPage(next.url, candidate)
      if (next.step !== 'none') return
      const { outcome } = next
      if (outcome.outcome !== 'undecided')
        throw new NotTried(`the sale is ${outcome.outcome}: this endpoint asks for no 3-D Secure`)
      requireReply('the status of the sale', outcome.lastLook?.error)
      throw new Finding(`within ${deadlineMs / 1000} s, the status has neither an outcome nor what the browser needs`)
    },
  },
]

/** @throws NotTried */
function named(option: string, card: CertifyCard | undefined): CertifyCard {
  if (card === undefined) throw new NotTried(`give ${option}, since --card is not the card of the family`)
  return card
}

/** A sale with this card. The customer comes back to nobody. */
async function sold(card: CertifyCard, candidate: Candidate): Promise<KnownOrder> {
  const input = { ...payment({ ...candidate, card }), redirectUrl: RETURN_URL }
  const reply = accepted('the sale', await candidate.client.sale(input))
  return { clientOrderId: input.clientOrderId, orderId: idIn(reply) }
}
