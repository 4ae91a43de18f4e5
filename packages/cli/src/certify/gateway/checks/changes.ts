import { type Candidate, type Check, claim } from '../check.ts'
import {
  accepted,
  acceptedToo,
  approved,
  decided,
  type KnownOrder,
  part,
  refused,
  showsAmount,
  statusOf,
} from '../orders.ts'

const SOURCE = 'part 4; gaps part 5'

/** Returns, captures and voids. */
export const changeChecks: readonly Check[] = [
  {
    claim: 'returns a part of a sale, and then the rest',
    source: SOURCE,
    run: async (candidate) => {
      const order = await approved('sale', candidate)
      await returned(order, candidate, { amount: part(candidate), currency: candidate.currency })
      await returned(order, candidate, {})
    },
  },
  {
    claim: 'refuses to return more than was paid',
    source: SOURCE,
    run: async (candidate) => {
      const order = await approved('sale', candidate)
      const { client, currency, amount } = candidate
      refused('the return', await client.return({ ...order, amount: more(candidate), currency, comment: COMMENT }))
      const status = await statusOf(order, candidate)
      claim(showsAmount(status, amount), `the order shows the amount ${status?.amount ?? 'none'} since`)
      acceptedToo('a return', await client.return({ ...order, amount: part(candidate), currency, comment: COMMENT }))
    },
  },
  {
    claim: 'captures a part of a hold',
    source: SOURCE,
    run: async (candidate) => {
      const order = await approved('preauth', candidate)
      const money = { amount: part(candidate), currency: candidate.currency }
      const reply = accepted('the capture', await candidate.client.capture({ ...order, ...money }))
      await decided('the capture', { ...order, serialNumber: reply.serialNumber }, candidate)
    },
  },
  {
    claim: 'refuses to capture more than is held',
    source: SOURCE,
    run: async (candidate) => {
      const order = await approved('preauth', candidate)
      const { client, currency } = candidate
      refused('the capture', await client.capture({ ...order, amount: more(candidate), currency }))
      acceptedToo('a capture', await client.capture({ ...order, amount: part(candidate), currency }))
    },
  },
  {
    claim: 'voids a hold, and captures nothing of it afterwards',
    source: SOURCE,
    run: async (candidate) => {
      const order = await approved('preauth', candidate)
      const reply = accepted('the void', await candidate.client.void(order))
      await decided('the void', { ...order, serialNumber: reply.serialNumber }, candidate)
      refused('the capture after the void', await candidate.client.capture(order))
    },
  },
]

const COMMENT = 'Certification'

type Money = { readonly amount: string; readonly currency: string } | { readonly amount?: undefined }

/** @param money none: all that is left */
async function returned(order: KnownOrder, candidate: Candidate, money: Money): Promise<void> {
  const reply = accepted('the return', await candidate.client.return({ ...order, ...money, comment: COMMENT }))
  await decided('the return', { ...order, serialNumber: reply.serialNumber }, candidate)
}

function more({ amount }: Candidate): string {
  return `1${amount}`
}
