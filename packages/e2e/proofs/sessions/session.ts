import type { PaymentClient } from '@tallystick/client'
import { FAULTS, type FaultName, type SendCallback, simulator } from '@tallystick/gateway'
import { Random } from '@tallystick/proof-kit'
import {
  buildInput,
  cards,
  customer,
  fakeClock,
  fakeIds,
  fakeNonce,
  saleInput,
  startGateway,
  type TestGateway,
} from '@tallystick/testing'

/** The shop's key, so that a test that replays a session sends it callbacks that it accepts. */
export const CONTROL_KEY = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

interface SessionOptions {
  readonly seed: number
  readonly orders: number
  /** Where the callbacks go. */
  readonly callbackUrl: string
  readonly sendCallback?: SendCallback
  /** Whether orders draw faults by the seed too. */
  readonly drawsFaults: boolean
}

export interface Session {
  /** As text. */
  readonly recording: string
  readonly orderIds: readonly string[]
}

/** Plays random orders on a gateway, several at a time. The same options give the same recording, to the byte. */
export async function playSession({
  seed,
  orders,
  callbackUrl,
  sendCallback,
  drawsFaults,
}: SessionOptions): Promise<Session> {
  const random = new Random(seed)
  const bankRandom = new Random(seed)
  const gateway = await startGateway({
    clock: fakeClock(Date.UTC(2030, 0, 1) + random.below(365 * 86_400) * 1000),
    controlKey: CONTROL_KEY,
    socket: false,
    ids: fakeIds(),
    acquirer: simulator({
      random: (target) => target.set(Array.from(target, () => bankRandom.below(256))),
    }),
    // A seed alone makes the waits between attempts the same each time.
    faults: { seed, probability: drawsFaults ? 0.3 : 0 },
    onCallback: () => {},
    trace: 'off',
    ...(sendCallback && { sendCallback }),
  })
  const client = gateway.client({
    nonce: fakeNonce(`${seed}`),
    ...(gateway.recording && { recorder: gateway.recording }),
  })
  const lives = Array.from(
    { length: orders },
    (_, at) => new OrderLife(gateway, client, random, `s${seed}-${at}`, callbackUrl),
  )
  while (lives.some((life) => !life.isOver)) {
    await random.pick(lives.filter((life) => !life.isOver)).goOn()
    if (random.below(3) === 0) await gateway.clock.advance(random.pick(SPANS))
    await gateway.settled()
  }
  const recording = gateway.recording?.ndjson() ?? ''
  const all = await gateway.orders()
  await gateway.close()
  return { recording, orderIds: all.map(({ orderId }) => orderId) }
}

const SPANS = ['1s', '20s', '3m', '2h', '1d', '8d'] as const
const SHOP_AMOUNTS = ['10.42', '7.00', '120.00', '0.50', '1999.99']
const PAID_WITH = [
  'approved',
  'approved',
  'approved',
  'insufficientFunds',
  'expired',
  'declined',
  'stolen',
  'unknown',
] as const
const THREE_DS = ['threeDs', 'threeDsMethod', 'threeDsFrictionless', 'threeDsNoMethodUrl', 'threeDsPaReq'] as const

/** Asked for by name, but for those after which nothing more can be done with the order. */
const ASKED: readonly FaultName[] = (Object.keys(FAULTS) as FaultName[]).filter(
  (name) => !['three-ds-abandoned', 'method-time-out', 'slow-reply'].includes(name),
)

/** One order, from its opening to its end. */
class OrderLife {
  isOver = false
  readonly #gateway: TestGateway
  readonly #client: PaymentClient
  readonly #random: Random
  readonly #ids: { readonly clientOrderId: string }
  readonly #callbackUrl: string
  #isOpen = false
  #kind: 'sale' | 'preauth' = 'sale'
  #steps: number

  constructor(gateway: TestGateway, client: PaymentClient, random: Random, clientOrderId: string, callbackUrl: string) {
    this.#gateway = gateway
    this.#client = client
    this.#random = random
    this.#ids = { clientOrderId }
    this.#callbackUrl = callbackUrl
    this.#steps = 1 + random.below(4)
  }

  async goOn(): Promise<void> {
    if (!this.#isOpen) {
      this.#isOpen = true
      return await this.#open()
    }
    if (this.#steps-- <= 0) {
      this.isOver = true
      return
    }
    await this.#change()
  }

  /** What every opening request has. */
  #common() {
    const random = this.#random
    return {
      ...this.#ids,
      amount: random.pick(SHOP_AMOUNTS),
      currency: random.pick(['USD', 'EUR']),
      orderDesc: random.pick(['A first payment', "L'été & co </script>", 'naïve \u2028 "quoted"']),
      ...(random.below(5) > 0 ? { serverCallbackUrl: this.#callbackUrl } : {}),
    }
  }

  async #open(): Promise<void> {
    const random = this.#random
    const { clientOrderId } = this.#ids
    if (random.below(3) === 0) {
      const fault = random.pick(ASKED)
      this.#gateway.faults.forOrder(clientOrderId, fault)
    }
    const card = cards[random.pick(PAID_WITH)]
    const threeDs = cards[random.pick(THREE_DS)]
    const redirectUrl = 'https://shop.example.com/return'
    const common = this.#common()
    switch (random.below(6)) {
      case 0:
        return void (await this.#client.sale(saleInput({ ...common, ...card })))
      case 1:
        this.#kind = 'preauth'
        return void (await this.#client.preauth(buildInput('preauth', { ...common, ...card })))
      case 2: {
        const result = await this.#client.saleForm(buildInput('saleForm', { ...common, redirectUrl }))
        return await this.#onPages(result, random.pick([card, threeDs]))
      }
      case 3: {
        const result = await this.#client.sale(saleInput({ ...common, ...threeDs, redirectUrl }))
        await this.#gateway.settled()
        return await this.#onPages(result, threeDs)
      }
      case 4:
        return void (await this.#client.payout(buildInput('payout', { ...common, ...customer })))
      default:
        return void (await this.#client.sale(saleInput({ ...common, ...card })))
    }
  }

  async #onPages(
    result: { readonly outcome: string; readonly reply?: object | undefined },
    card: (typeof cards)['approved'],
  ): Promise<void> {
    const { redirectUrl } = (result.reply ?? {}) as { readonly redirectUrl?: string }
    if (redirectUrl === undefined) return
    const answer = this.#random.pick(['confirms', 'confirms', 'fails', 'cancels'] as const)
    // A page that says to wait has no form.
    await this.#gateway.payOnPages(redirectUrl, card, answer).catch(() => {})
  }

  async #change(): Promise<void> {
    const order = await this.#gateway.order(this.#ids.clientOrderId).catch(() => undefined)
    if (order === undefined) return
    const { orderId, currency } = order
    const ids = { ...this.#ids, orderId }
    const part = { amount: '0.25', currency }
    switch (this.#random.below(7)) {
      case 0:
        return void (await this.#client.status(this.#ids).catch(() => {}))
      case 1:
        return void (await this.#client.return({ ...ids, ...part, comment: 'a part' }))
      case 2:
        return void (await this.#client.return({ ...ids, comment: 'all' }))
      case 3:
        if (this.#kind === 'preauth') await this.#client.capture({ ...ids, ...(this.#random.below(2) ? part : {}) })
        return
      case 4:
        if (this.#kind === 'preauth') await this.#client.void({ ...ids, comment: 'gone' })
        return
      case 5:
        return void (await this.#gateway.resendCallbacks(orderId))
      default:
        return void (await this.#gateway.chargeback(orderId, '0.25').catch(() => {}))
    }
  }
}
