/**
 * A control whose text is split differently moves no other money.
 *
 *     pnpm prove boundary-shifts [--quick] [--runs n] [--seed n]
 */
import { createHash } from 'node:crypto'
import {
  createGateway,
  type Gateway,
  type GatewayReply,
  type MerchantOptions,
  memoryStore,
  simulator,
} from '@tallystick/gateway'
import { prove, type Random, withCommas } from '@tallystick/proof-kit'

const KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const LOGIN = 'shop1'
const ENDPOINT = '1111'
const ATTACKS_EACH = 40

type Fields = Readonly<Record<string, string>>

/** A request that the merchant signed, and the text of its control between the fixed start and end. */
interface Original {
  readonly path: string
  readonly fields: Fields
  readonly control: string
}

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

const PAYER: Fields = {
  order_desc: 'A stick',
  address1: '100 Main st',
  city: 'Zurich',
  zip_code: '8001',
  country: 'CH',
  phone: '+41441234567',
  ipaddress: '192.0.2.1',
  redirect_url: 'https://shop.example.com/return',
}
const CARD: Fields = {
  credit_card_number: '4444555566661111',
  card_printed_name: 'JOHN SMITH',
  expire_month: '12',
  expire_year: '2039',
  cvv2: '123',
}

await prove({
  name: 'boundary-shifts',
  meaning:
    'Signed requests with ids, amounts and addresses full of digits are carried out; then the same control is sent with\n' +
    'its text cut elsewhere, also to other operations of the same formula. None may move other money than was signed for.',
  runs: { of: 're-split requests', long: 100_000, quick: 2000 },
  run: async ({ runs, random, progress }) => {
    const findings: string[] = []
    let sent = 0
    let verified = 0
    while (sent < runs) {
      const world = await newWorld()
      for (let round = 0; round < 25 && sent < runs; round++) {
        const { family, original } = await signedRequest(random, world)
        const before = await movedMoney(world)
        for (const attack of resplit(original, family, random)) {
          const reply = await post(world.gateway, attack.path, attack.fields)
          sent++
          if (reply.status !== 403) verified++
        }
        await world.gateway.settled()
        const after = await movedMoney(world)
        if (before !== after) findings.push(`${JSON.stringify(original)} moved ${before} -> ${after}`)
      }
      await world.gateway.close()
      progress(sent, runs)
    }
    return {
      ok: findings.length === 0,
      figure:
        `${withCommas(sent)} re-split requests, of which ${withCommas(verified)} had a right control: ` +
        `${withCommas(findings.length)} moved other money than was signed for`,
      findings,
    }
  },
})

interface World {
  readonly gateway: Gateway
  readonly store: ReturnType<typeof memoryStore>
}

async function newWorld(): Promise<World> {
  const store = memoryStore()
  const merchants: MerchantOptions[] = [{ login: LOGIN, controlKey: KEY, endpoints: [{ id: ENDPOINT }] }]
  return {
    store,
    gateway: createGateway({ publicUrl: 'https://gate.example.com', merchants, store, acquirer: simulator() }),
  }
}

/** All approved operations: the order, the kind and the amount. Orders without money count as well. */
async function movedMoney({ store }: World): Promise<string> {
  const orders = await store.recentOrders(LOGIN, 1_000_000)
  const moved = orders.flatMap(({ orderId, operations }) =>
    operations.map(({ kind, amount, status }) => `${orderId} ${kind} ${amount} ${status}`),
  )
  return moved.sort().join(', ')
}

type Family = keyof typeof READINGS

/** A request of the merchant that is carried out: from a random family, with digits wherever the grammar allows them. */
async function signedRequest(random: Random, world: World): Promise<{ family: Family; original: Original }> {
  const family = random.pick(['payment', 'payment', 'change', 'rebill'] as const)
  if (family === 'payment') return { family, original: await pay(random, world) }
  const paid = await pay(random, world, family === 'change' ? 'preauth' : 'sale')
  const orderId = await orderIdOf(paid, world)
  return {
    family,
    original:
      family === 'change' ? await change(paid, orderId, random, world) : await rebill(paid, orderId, random, world),
  }
}

async function pay(random: Random, world: World, path = random.pick(['sale', 'preauth'])): Promise<Original> {
  const fields = {
    ...PAYER,
    ...CARD,
    client_orderid: await unusedId(random, world),
    amount: `${1 + random.below(99)}.${random.digits(1)}${random.digits(1)}`,
    currency: 'USD',
    email: `${random.text(random.below(4), '0123456789')}${random.text(1, 'ab7')}@example.com`,
  }
  return await carryOut(path, fields, [ENDPOINT, ...termsOf(PAYMENT, fields)], world)
}

async function change({ fields: paid }: Original, orderid: string, random: Random, world: World): Promise<Original> {
  const fields = {
    login: LOGIN,
    client_orderid: paid['client_orderid'] ?? '',
    orderid,
    amount: `0.${random.digits(1)}${random.digits(1)}`,
    currency: 'USD',
  }
  return await carryOut('capture', fields, termsOf(['login', ...CHANGE, 'currency'], fields), world)
}

async function rebill({ fields: paid }: Original, orderid: string, random: Random, world: World): Promise<Original> {
  const asked = { login: LOGIN, client_orderid: paid['client_orderid'] ?? '', orderid }
  const control = sha1([LOGIN, asked.client_orderid, orderid, KEY])
  const reply = await post(world.gateway, 'create-card-ref', { ...asked, control })
  const fields = {
    login: LOGIN,
    client_orderid: await unusedId(random, world),
    cardrefid: fieldsOf(reply)['card-ref-id'] ?? '',
    amount: `${1 + random.below(99)}.${random.digits(1)}${random.digits(1)}`,
    currency: 'USD',
  }
  return await carryOut('make-rebill', fields, termsOf(['login', ...REBILL, 'currency'], fields), world)
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

async function carryOut(path: string, fields: Fields, terms: readonly string[], world: World): Promise<Original> {
  const control = sha1([...terms, KEY])
  const reply = await post(world.gateway, path, { ...fields, control })
  if (reply.status !== 200) throw new Error(`the original was refused: ${reply.body}`)
  await world.gateway.settled()
  return { path, fields, control }
}

/** The same text, cut elsewhere: for each operation of the formula, at random places. */
function* resplit({ path, fields, control }: Original, family: Family, random: Random): Generator<Original> {
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
    yield { path: otherPath, fields: { ...money, ...Object.fromEntries(named), control }, control }
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

async function orderIdOf({ fields }: Original, { store }: World): Promise<string> {
  const order = await store.findOrder({ login: LOGIN, clientOrderId: fields['client_orderid'] ?? '' })
  if (order === undefined) throw new Error('the original has no order')
  return order.orderId
}

function sha1(terms: readonly string[]): string {
  return createHash('sha1').update(terms.join('')).digest('hex')
}

async function post(gateway: Gateway, path: string, fields: Fields): Promise<GatewayReply> {
  return await gateway.handle({
    method: 'POST',
    url: `/api/v2/${path}/${ENDPOINT}`,
    headers: { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  })
}

function fieldsOf(reply: GatewayReply): Fields {
  return JSON.parse(reply.body) as Fields
}
