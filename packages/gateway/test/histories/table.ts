import type { GatewayReply, GatewayRequest, VaultKeys } from '../../src/index.ts'
import type { Fields } from '../support/signed-requests.ts'
import { type Configuration, loginOf, merchantsWith, signed } from './merchants.ts'
import type { Opening, PaperOrder } from './paper-order.ts'
import { same } from './same.ts'
import { openSide, type Side } from './side.ts'
import { freshKeys } from './vault-keys.ts'

/** A reference or a token of a card that a merchant has stored. */
export interface Stored {
  readonly login: string
  readonly id: string
  readonly name: 'card' | 'token'
  readonly role: 'pays' | 'receives'
  readonly card: string
  /** The last day on which the token of a recurring payment can be used, counted since 1970. */
  readonly lastDay?: number
}

/** A recurring payment on paper. Days are counted since 1970. */
export interface Profile {
  readonly login: string
  readonly endpointId: string
  readonly id: string
  readonly kind: Opening
  readonly amounts: readonly bigint[]
  readonly first: number
  readonly every: number
  readonly last: number
  /** The number of the last charge. */
  charged: number
}

/** A request that has opened an order. */
export interface Sent {
  readonly wire: string
  readonly target: string
  readonly fields: Fields
  readonly request: GatewayRequest
  readonly controlKey: string
  readonly reply: string
}

const AT_FIRST: Configuration = {
  controlKeys: { shop: 'key of the shop', rival: 'key of the rival' },
  notifyUrl: 'https://shop.example.com/one',
  takesDollars: true,
  servesBoth: true,
}

/** The state of a history: two real gateways, and what has to be true of both on paper. */
export class Table {
  readonly sides: readonly [Side, Side]
  /** Whether client order ids may be used again. */
  readonly mayRepeat: boolean
  readonly orders: PaperOrder[] = []
  readonly stored: Stored[] = []
  readonly profiles: Profile[] = []
  readonly sent: Sent[] = []
  /** The references of the operations that the bank has carried out. */
  readonly executed = new Set<string>()
  /** The amounts that the issuer charged back, by order and case. */
  readonly cases = new Map<string, bigint>()
  /** How often each kind of event happened. */
  readonly counts: Record<string, number> = {}
  /** All configurations so far. The last one is in force. */
  readonly configurations = [AT_FIRST]
  keys: VaultKeys
  shopWasDown = false
  bankWasShut = false
  /** The latest time so far. The clock may have been set back since. */
  latest = 0
  #names = 0

  private constructor(sides: readonly [Side, Side], keys: VaultKeys, mayRepeat: boolean) {
    this.sides = sides
    this.keys = keys
    this.mayRepeat = mayRepeat
  }

  static async lay(mayRepeat: boolean): Promise<Table> {
    const keys = freshKeys('first')
    const setup = { merchants: merchantsWith(AT_FIRST), keys, mayRepeat }
    return new Table([await openSide('memory', setup), await openSide('SQLite', setup)], keys, mayRepeat)
  }

  async clear(): Promise<void> {
    for (const side of this.sides) await side.end()
  }

  get now(): number {
    return this.sides[0].now()
  }

  get configuration(): Configuration {
    return this.configurations.at(-1) ?? AT_FIRST
  }

  nextName(): number {
    return ++this.#names
  }

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }

  served(target: string): string {
    return target === '1112' && !this.configuration.servesBoth ? '1111' : target
  }

  controlKeyAt(target: string): string {
    return this.configuration.controlKeys[loginOf(target)] ?? ''
  }

  /** Signs a request. If its endpoint is not served any more, the request goes to the merchant's other one. */
  sign(path: string, wanted: string, fields: Fields): GatewayRequest {
    const target = this.served(wanted)
    return signed(path, target, fields, { controlKey: this.controlKeyAt(target), now: this.now })
  }

  /** Sends the same request to both sides, and requires the same answer. */
  async ask(path: string, target: string, fields: Fields) {
    const request = this.sign(path, target, fields)
    const reply = await this.askBoth([request, request])
    return { request, reply, read: JSON.parse(reply.body) as Fields }
  }

  async askBoth([one, other]: readonly [GatewayRequest, GatewayRequest]): Promise<GatewayReply> {
    const [first, second] = this.sides
    const isRead = one.url.includes('/status/')
    const ask = (side: Side, request: GatewayRequest) => (isRead ? side.gateway.handle(request) : side.ask(request))
    const replies = [await ask(first, one), await ask(second, other)] as const
    same(`${one.url} in both stores`, replies[1].body, replies[0].body)
    return replies[0]
  }

  expectCode(what: string, read: Fields, codes: readonly string[]): void {
    const code = read['error-code'] ?? ''
    if (!codes.includes(code)) throw new Error(`${what}: expected a refusal with ${codes}, got ${JSON.stringify(read)}`)
    this.count(`refused ${code}`)
  }

  /** Chooses an order, mostly one that fits if there is one, counted from the youngest. */
  orderAt(index: number, fits: (order: PaperOrder) => boolean = () => true): PaperOrder | undefined {
    const fit = index < 8 ? this.orders.filter(fits) : []
    const among = fit.length > 0 ? fit : this.orders
    return among.at(-1 - (index % Math.max(1, among.length)))
  }

  /** Remembers a reference. One that is known already must stand for the same card in the same role. */
  keep(stored: Stored): void {
    const known = this.stored.find(({ id }) => id === stored.id)
    if (known === undefined) this.stored.push(stored)
    else same('a reference stands for one card', known, stored)
  }
}
