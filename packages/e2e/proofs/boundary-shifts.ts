/** A control whose text is split differently moves no other money. */
import type { OutgoingRequest } from '@tallystick/client'
import { memoryStore } from '@tallystick/gateway'
import { counted, type Order, type Outcome, prove, type Random } from '@tallystick/proof-kit'
import { saleInput, startGateway } from '@tallystick/testing'
import { askDirectly } from '../test/support/ask-directly.ts'

const ATTACKS_EACH = 40
const ROUNDS_EACH = 25
const LOGIN = 'test-merchant'

type Fields = Readonly<Record<string, string>>

/** The terms of a formula in their order, without the key: its text may be cut between them. */
const PAYMENT = ['client_orderid', 'amount', 'email'] as const
const CHANGE = ['client_orderid', 'orderid', 'amount'] as const
const REBILL = ['client_orderid', 'cardrefid', 'amount'] as const

/** Every operation that the text of a formula could be sent to, with the terms that it is cut into there. */
const READINGS: Readonly<Record<string, readonly (readonly [path: string, terms: readonly string[]])[]>> = {
  payment: [
    ['sale', PAYMENT],
    ['preauth', PAYMENT],
    ['sale-form', PAYMENT],
    ['payment-form', PAYMENT],
    ['account-verification', ['client_orderid', 'email']],
  ],
  change: [
    ['capture', CHANGE],
    ['return', CHANGE],
  ],
  rebill: [['make-rebill', REBILL]],
}

type Family = keyof typeof READINGS

await prove({
  name: 'boundary-shifts',
  meaning:
    'Signed requests with ids, amounts and addresses full of digits are carried out; then the same control is sent with\n' +
    'its text cut elsewhere, also to other operations of the same formula. None may move other money than was signed for.',
  runs: { of: 're-split requests', long: 100_000, quick: 2000 },
  run: shiftAll,
})

async function shiftAll({ runs, random, progress }: Order): Promise<Outcome> {
  const findings: string[] = []
  let [sent, verified] = [0, 0]
  while (sent < runs) {
    const world = await newWorld()
    for (let round = 0; round < ROUNDS_EACH && sent < runs; round++) {
      const { family, original } = await signedRequest(random, world)
      const before = await movedMoney(world)
      for (const attack of resplit(original, family, random)) {
        const { httpStatus } = await askDirectly(world.gateway, attack)
        sent++
        if (httpStatus !== 403) verified++
      }
      await world.gateway.settled()
      const after = await movedMoney(world)
      if (before !== after) findings.push(`${original.url} ${original.body} moved ${before} -> ${after}`)
    }
    await world.gateway.close()
    progress(sent, runs)
  }
  return {
    figure:
      counted`${sent} re-split requests, of which ${verified} had a right control: ` +
      counted`${findings.length} moved other money than was signed for`,
    findings,
  }
}

type Result<Reply> =
  | { readonly outcome: 'accepted'; readonly reply: Reply }
  | { readonly outcome: 'rejected' | 'notSent' | 'unknown' }

type World = Awaited<ReturnType<typeof newWorld>>

async function newWorld() {
  const store = memoryStore()
  const gateway = await startGateway({ socket: false, sandbox: false, store })
  let last: OutgoingRequest = { url: '', headers: {}, body: '' }
  const send = (request: OutgoingRequest) => {
    last = request
    return askDirectly(gateway, request)
  }
  const client = gateway.client({ transport: { send, close: async () => {} } })
  /** The request of a call that is carried out, and its reply. */
  const carryOut = async <Reply>(call: Promise<Result<Reply>>) => {
    const result = await call
    if (result.outcome !== 'accepted') throw new Error(`the original was ${result.outcome}`)
    await gateway.settled()
    return { request: last, reply: result.reply }
  }
  return { gateway, store, client, carryOut }
}

/** All approved operations: the order, the kind and the amount. Orders without money count as well. */
async function movedMoney({ store }: World): Promise<string> {
  const orders = await store.recentOrders(LOGIN, 1_000_000)
  const moved = orders.flatMap(({ orderId, operations }) =>
    operations.map(({ kind, amount, status }) => `${orderId} ${kind} ${amount} ${status}`),
  )
  return moved.sort().join(', ')
}

/** A request of the merchant that is carried out: from a random family, with digits wherever the grammar allows them. */
async function signedRequest(random: Random, world: World): Promise<{ family: Family; original: OutgoingRequest }> {
  const { client, carryOut } = world
  const family = random.pick(['payment', 'payment', 'change', 'rebill'] as const)
  const key = { payment: random.pick(['sale', 'preauth'] as const), change: 'preauth', rebill: 'sale' } as const
  const money = () => ({ amount: `${1 + random.below(99)}.${cents(random)}`, currency: 'USD' })
  const clientOrderId = await unusedId(random, world)
  const email = `${random.text(random.below(4), '0123456789')}${random.text(1, 'ab7')}@example.com`
  const redirectUrl = 'https://shop.example.com/return'
  const paid = await carryOut(client[key[family]](saleInput({ clientOrderId, ...money(), email, redirectUrl })))
  if (family === 'payment') return { family, original: paid.request }
  const ids = { clientOrderId, orderId: paid.reply.orderId }
  if (family === 'change') {
    const part = { amount: `0.${cents(random)}`, currency: 'USD' }
    return { family, original: (await carryOut(client.capture({ ...ids, ...part }))).request }
  }
  const { cardRefId } = (await carryOut(client.createCardRef(ids))).reply
  const rebill = { clientOrderId: await unusedId(random, world), cardRefId, ...money() }
  return { family, original: (await carryOut(client.makeRebill(rebill))).request }
}

function cents(random: Random): string {
  return random.digits(1) + random.digits(1)
}

/** A short id. Another order may have had it, one of the merchant's or one that a shifted boundary made. */
async function unusedId(random: Random, { store }: World): Promise<string> {
  const used = new Set((await store.recentOrders(LOGIN, 1_000_000)).map(({ clientOrderId }) => clientOrderId))
  for (;;) {
    const id = `${random.text(1 + random.below(6), '0123456789ab')}${random.digits(1 + random.below(4))}`
    if (!used.has(id)) return id
  }
}

function termsOf(names: readonly string[], fields: Fields): readonly string[] {
  return names.map((name) => termOf(name, fields))
}

/** What a term contributes to the text: amounts in cents, everything else as it is sent. */
function termOf(name: string, fields: Fields): string {
  const text = fields[name] ?? ''
  return name === 'amount' ? String(Number(text.replace('.', ''))) : text
}

/** The same text, cut elsewhere: for each operation of the formula, at random places. */
function* resplit(original: OutgoingRequest, family: Family, random: Random): Generator<OutgoingRequest> {
  const fields: Fields = Object.fromEntries(new URLSearchParams(original.body))
  const [, start = '', path, end = ''] = /^(.*\/)([^/]+)(\/\d+)$/.exec(original.url) ?? []
  for (let attack = 0; attack < ATTACKS_EACH; attack++) {
    const [otherPath, terms] = random.pick(READINGS[family] ?? [])
    const text = termsOf(READINGS[family]?.[0]?.[1] ?? [], fields).join('')
    const parts = cut(text, terms, random)
    // Cut at the same places it is no shift: by the interface's formulas a return is signed like the capture it returns.
    if ((otherPath === path || family === 'change') && terms.every((name, at) => parts[at] === termOf(name, fields)))
      continue
    const named = terms.map((name, at) => [name, name === 'amount' ? majorUnits(parts[at] ?? '') : (parts[at] ?? '')])
    const { amount: _, ...others } = fields
    const money = terms.includes('amount') ? fields : others
    const body = new URLSearchParams({ ...money, ...Object.fromEntries(named) }).toString()
    yield { ...original, url: start + otherPath + end, body }
  }
}

/** Half of the cuts are near those of the original's kind: an id at the beginning, digits for an amount. */
function cut(text: string, terms: readonly string[], random: Random): readonly string[] {
  const places = Array.from({ length: terms.length - 1 }, () => 1 + random.below(text.length - 1)).sort((a, b) => a - b)
  return terms.map((_, at) => text.slice(places[at - 1] ?? 0, places[at]))
}

function majorUnits(cents: string): string {
  const digits = cents.padStart(3, '0')
  return `${digits.slice(0, -2).replace(/^0+(?=\d)/, '')}.${digits.slice(-2)}`
}
