import { type RequestInput, recurringRows } from '@tallystick/core'
import { type Candidate, type Check, claim, isNowhere, isPage, NotTried, neededByMany, requireReply } from '../check.ts'
import {
  type Answered,
  accepted,
  acceptedToo,
  another,
  decided,
  nothingCreated,
  PAYER,
  refused,
  showsAmount,
  statusOf,
} from '../orders.ts'
import { tampered, withOtherSignature } from '../signatures.ts'

/** The specification names these calls alone, and public pages leave gaps: what they do not say is not asked for. */
const SOURCE = 'part 4; gaps part 14'

/**
 * Recurring payments. Those that are made here have no schedule, so that nothing goes on charging: public pages have no call that
 * stops one.
 */
export const recurringChecks: readonly Check[] = [
  {
    claim: 'creates a recurring payment, and gives its id',
    source: 'part 4; gaps part 3.4',
    run: async (candidate) => void (await created(candidate)),
  },
  {
    claim: 'charges a recurring payment on request',
    source: SOURCE,
    run: async (candidate) => void (await charged(candidate)),
  },
  {
    claim: 'makes no second charge of a recurring payment under a client order id',
    source: SOURCE,
    run: async (candidate) => {
      const { clientOrderId, orderId, recurringPaymentId } = await charged(candidate)
      const { client, currency, amount } = candidate
      const again = { clientOrderId, recurringPaymentId, currency, amount: another(amount) }
      const result = await client.processRecurringPayment(again)
      if (result.outcome !== 'accepted') requireReply('the second charge', result.error)
      const second = result.outcome === 'accepted' ? result.reply.orderId : undefined
      claim(second === undefined || second === orderId, `it made a second order, ${second}`)
      const status = await statusOf({ clientOrderId }, candidate)
      claim(showsAmount(status, amount), `the first charge shows the amount ${status?.amount ?? 'none'} since`)
    },
  },
  {
    claim: 'refuses to charge a recurring payment that does not exist, and creates nothing',
    source: SOURCE,
    run: async (candidate) => {
      await charged(candidate)
      const charge = { ...(await chargeOf(candidate)), recurringPaymentId: NONE }
      refused('the charge', offered('process', await candidate.client.processRecurringPayment(charge)))
      await nothingCreated(charge.clientOrderId, candidate)
    },
  },
  {
    claim: 'refuses to charge a recurring payment under a wrong signature, and creates nothing',
    source: 'part 5.2; gaps part 14',
    run: async (candidate) => {
      await charged(candidate)
      const charge = await chargeOf(candidate)
      const transport = tampered(candidate.transport(), withOtherSignature)
      const result = await candidate.otherwise({ transport }, (client) => client.processRecurringPayment(charge))
      // It may be the gateway's. A proxy that has shut meanwhile refuses what is right as well.
      const isRefusedByPage = result.outcome === 'rejected' && isPage(result.error)
      if (isRefusedByPage) await charged(candidate)
      refused('the charge', result)
      await nothingCreated(charge.clientOrderId, candidate)
    },
  },
  {
    claim: 'changes the amount of a recurring payment',
    source: SOURCE,
    run: async (candidate) => void (await updated(candidate)),
  },
  {
    claim: 'charges the amount that a recurring payment has since, if the request has none',
    source: SOURCE,
    run: async (candidate) => {
      const { recurringPaymentId, amount } = await updated(candidate)
      const clientOrderId = candidate.client.newClientOrderId()
      const charge = { clientOrderId, recurringPaymentId }
      const result = offered('process', await candidate.client.processRecurringPayment(charge))
      if (result.outcome === 'rejected') {
        requireReply('the charge', result.error)
        throw new NotTried('it refuses a charge without an amount, which older pages of the family require')
      }
      const { orderId } = accepted('the charge', result)
      const status = await decided('the charge', { clientOrderId, orderId }, candidate)
      claim(showsAmount(status, amount), `the charge shows the amount ${status.amount ?? 'none'}, not ${amount}`)
    },
  },
  {
    claim: 'refuses to change a recurring payment that does not exist',
    source: SOURCE,
    run: async (candidate) => {
      const { amount } = await updated(candidate)
      const change = { clientOrderId: candidate.client.newClientOrderId(), recurringPaymentId: NONE, amount }
      refused('the update', offered('update', await candidate.client.updateRecurringPayment(change)))
    },
  },
  {
    claim: 'creates recurring payments by rows',
    source: SOURCE,
    run: async (candidate) => {
      requireKey(candidate)
      const payload = recurringRows('createRecurringPayments', [creation(candidate)], candidate.profile)
      accepted('the creation', offered('create', await candidate.client.createRecurringPayments({ payload }), 's'))
    },
  },
  {
    claim: 'charges recurring payments by rows',
    source: SOURCE,
    run: async (candidate) => {
      const charge = await chargeOf(candidate)
      accepted('the charge', await chargedByRows(charge, candidate))
      const status = await decided('the charge', { clientOrderId: charge.clientOrderId }, candidate)
      const { amount } = candidate
      claim(showsAmount(status, amount), `the charge shows the amount ${status.amount ?? 'none'}, not ${amount}`)
    },
  },
  {
    claim: 'charges nothing for a row whose recurring payment does not exist',
    source: SOURCE,
    run: async (candidate) => {
      acceptedToo('a row', await chargedByRows(await chargeOf(candidate), candidate))
      const charge = { ...(await chargeOf(candidate)), recurringPaymentId: NONE }
      const result = await chargedByRows(charge, candidate)
      if (result.outcome !== 'accepted') refused('the row', result)
      await nothingCreated(charge.clientOrderId, candidate)
    },
  },
  {
    claim: 'changes recurring payments by rows',
    source: SOURCE,
    run: async (candidate) => {
      const { clientOrderId, recurringPaymentId } = await chargeOf(candidate)
      const change = { clientOrderId, recurringPaymentId, amount: another(candidate.amount) }
      const payload = recurringRows('updateRecurringPayments', [change], candidate.profile)
      accepted('the update', offered('update', await candidate.client.updateRecurringPayments({ payload }), 's'))
    },
  },
]

/** The id of no recurring payment. */
const NONE = '1'

/** What a gateway without the operation answers is no mistake: public pages alone have these, or it is not switched on. */
function offered<Result extends Answered>(verb: 'create' | 'process' | 'update', result: Result, plural = ''): Result {
  if (result.error === undefined || !isNowhere(result.error)) return result
  throw new NotTried(`not offered: it has no api/v4/${verb}-recurring-payment${plural}`)
}

/** @throws NotTried */
function requireKey({ hasPrivateKey }: Candidate): void {
  if (!hasPrivateKey) throw new NotTried("give --private-key-file, the merchant's RSA key")
}

function creation({ client, card, amount, currency }: Candidate): RequestInput<'createRecurringPayment'> {
  const clientOrderId = client.newClientOrderId()
  return { ...PAYER, ...card, recurringCardType: 'SRC', clientOrderId, amount, currency }
}

/** The id of a new recurring payment. */
async function created(candidate: Candidate): Promise<string> {
  requireKey(candidate)
  return await neededByMany('accepted creation of a recurring payment', candidate, async () => {
    const result = offered('create', await candidate.client.createRecurringPayment(creation(candidate)))
    // The operator switches them on for each endpoint. A gateway that has not done so refuses with words that nobody knows.
    if (result.outcome === 'rejected') acceptedToo('the creation of a recurring payment', result)
    return accepted('the creation', result).recurringPaymentId
  })
}

/** The charge of a new recurring payment, not sent yet. */
async function chargeOf(candidate: Candidate) {
  const { client, amount, currency } = candidate
  const recurringPaymentId = await created(candidate)
  return { clientOrderId: client.newClientOrderId(), recurringPaymentId, amount, currency }
}

async function charged(candidate: Candidate) {
  const charge = await chargeOf(candidate)
  return await neededByMany('approved charge of a recurring payment', candidate, async () => {
    const result = offered('process', await candidate.client.processRecurringPayment(charge))
    const { orderId } = accepted('the charge', result)
    const status = await decided('the charge', { clientOrderId: charge.clientOrderId, orderId }, candidate)
    const { amount } = candidate
    claim(showsAmount(status, amount), `the charge shows the amount ${status.amount ?? 'none'}, not ${amount}`)
    return { ...charge, orderId: status.orderId }
  })
}

async function chargedByRows(charge: Awaited<ReturnType<typeof chargeOf>>, { client, profile }: Candidate) {
  const payload = recurringRows('processRecurringPayments', [charge], profile)
  return offered('process', await client.processRecurringPayments({ payload }), 's')
}

/** A recurring payment with another amount since. */
async function updated(candidate: Candidate) {
  const { recurringPaymentId } = await chargeOf(candidate)
  const change = { recurringPaymentId, amount: another(candidate.amount) }
  return await neededByMany('accepted update of a recurring payment', candidate, async () => {
    const { client } = candidate
    const result = await client.updateRecurringPayment({ clientOrderId: client.newClientOrderId(), ...change })
    accepted('the update', offered('update', result))
    return change
  })
}
