import { randomBytes } from 'node:crypto'
import { Pan, readRecording } from '@tallystick/core'
import {
  type Acquirer,
  createGateway,
  createSandbox,
  type Gateway,
  type GatewayReply,
  newVaultKeys,
  readVaultKeys,
  recordingPage,
  simulator,
  virtualClock,
} from '@tallystick/gateway'
import { Random } from '@tallystick/proof-kit'
import { requestFixture, testKeyPair } from '@tallystick/testing'
import { exportedTest } from '@tallystick/workbench/exported-test'
import { wireNames } from '@tallystick/workbench/wire-names'
import { log } from '../../../gateway/src/cli/log.ts'

const LOGIN = 'shop'
const BASE_URL = 'https://gate.example.com/paynet'
export const LOG = 'the log'
export const NOW = Date.UTC(2030, 0, 1)
const { publicKey, privateKey } = testKeyPair()
const vaultKeys = readVaultKeys(newVaultKeys((bytes) => bytes.set(randomBytes(bytes.length)), 'first').reveal())

type Kind = 'card' | 'cvv' | 'key'

export interface Planted {
  readonly kind: Kind
  readonly text: string
  readonly place: string
  /** A control key by itself. The log is not told the keys of merchants: it leaves out what has the name of one. */
  readonly isUnnamed: boolean
}

export interface Shown {
  readonly planted: readonly Planted[]
  /** Each by its name. */
  readonly outputs: ReadonlyArray<readonly [name: string, text: string]>
}

/** A sandbox in which secrets are planted. */
export class World {
  readonly random: Random
  readonly planted: Planted[] = []
  readonly gateway: Gateway<ReturnType<typeof virtualClock>>
  #place = ''
  /** What the bank says of the next payment. */
  decision: Awaited<ReturnType<Acquirer['execute']>> | undefined
  refusal: string | undefined
  failure: string | undefined
  shopAnswer: () => Promise<{ status: number }> = async () => ({ status: 200 })
  readonly orders: { clientOrderId: string; orderId: string }[] = []
  readonly #cvvs: Random
  readonly #controlKey: string
  readonly #sandbox: (request: Parameters<Gateway['handle']>[0]) => Promise<Streamed>
  readonly #said: string[] = []
  readonly #logged: string[] = []
  #ids = 0

  constructor(seed: number, run: number) {
    this.random = new Random(seed)
    this.#cvvs = new Random(run)
    this.#controlKey = anyKey(this.random)
    const bytes = new Random(seed)
    const bank = simulator({
      random: (target) => {
        for (let at = 0; at < target.length; at++) target[at] = bytes.below(256)
      },
    })
    const lines = log('debug', { write: (line) => this.#logged.push(line.replace(/"time":"[^"]*",?/, '')) })
    this.gateway = createGateway({
      sandbox: true,
      publicUrl: BASE_URL,
      merchants: [
        {
          login: LOGIN,
          controlKey: this.#controlKey,
          publicKey,
          endpoints: [{ id: '253', currencies: ['USD', 'EUR'] }],
        },
      ],
      clock: virtualClock(NOW),
      vaultKeys,
      // Jitter is the same in both runs.
      faults: { seed, probability: 0 },
      ids: {
        orderId: () => `9${String(++this.#ids).padStart(14, '0')}`,
        serialNumber: () => `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`,
        pageToken: () => `token-of-a-page-with-many-bits-${++this.#ids}`,
      },
      acquirer: {
        ...bank,
        tokenize: async (request) => {
          const { refusal, failure } = this
          this.refusal = this.failure = undefined
          if (failure !== undefined) throw new Error(failure)
          return refusal === undefined ? await bank.tokenize(request) : { refused: refusal }
        },
        execute: async (request) => {
          const { decision } = this
          this.decision = undefined
          return decision ?? (await bank.execute(request))
        },
      },
      sendCallback: () => this.shopAnswer(),
      onAnswer: lines.answered,
      onCallback: lines.called,
      onDecision: lines.decided,
      onRecord: lines.recorded,
      onError: lines.failed,
    })
    this.#sandbox = createSandbox(this.gateway, { onRefused: lines.refused })
  }

  /** What the client refuses to send was not planted. */
  async plantAt(place: string, plant: (world: World) => Promise<unknown>): Promise<void> {
    const before = this.planted.length
    this.#place = place
    try {
      await plant(this)
      await this.gateway.settled()
    } catch (error) {
      if ((error as Error).name !== 'InvalidInputError') throw error
      this.planted.length = before
    }
  }

  #plant(kind: Kind, text: string, isUnnamed = false): string {
    this.planted.push({ kind, text, place: this.#place, isUnnamed })
    return text
  }

  /** Of a scheme whose numbers have a check digit. */
  card(): string {
    const prefix = this.random.pick(['4', '51', '55', '2221', '2204', '3528'])
    const body = prefix + this.random.text(15 - prefix.length, '0123456789')
    const digit = Array.from('0123456789').find((last) => Pan.isPan(body + last)) ?? ''
    return this.#plant('card', body + digit)
  }

  /** None that the simulated bank knows. */
  cvv(): string {
    return this.#plant('cvv', `${5 + this.#cvvs.below(5)}${String(this.#cvvs.below(1000)).padStart(3, '0')}`)
  }

  key(): string {
    return this.#plant('key', this.#controlKey, true)
  }

  /** A text that quotes a secret, in one of the ways in which they are told from other texts. */
  quoting(): string {
    const { random } = this
    const ways: readonly (() => string)[] = [
      () => this.card(),
      () => this.card().replace(/\d{4}(?=\d)/g, `$&${random.pick([' ', '-', '+', '.'])}`),
      // Digits stand beside it on one side or both.
      () =>
        `${random.digits(1 + random.below(9))}${this.card()}${random.pick(['', random.digits(1 + random.below(9))])}`,
      () => `${this.card()}${random.digits(1 + random.below(9))}`,
      () => `cvv2=${this.cvv()}`,
      () => `{"cvv":"${this.cvv()}"}`,
      () => `CVC: ${this.cvv()}`,
      () => this.key(),
      () => `${this.key()}&`,
      () => `merchant_control_key=${this.#plant('key', anyKey(random))}`,
      () => `password: ${this.#plant('key', anyKey(random))}`,
      () => this.#privateKey('\n'),
      () => this.#privateKey('\\n'),
    ]
    return `${random.pick(['', 'order ', 'é ', 'a=', '"'])}${random.pick(ways)()}${random.pick(['', ' x', '"', ' für', ';'])}`
  }

  /** What is searched for are its lines. */
  #privateKey(lineFeed: string): string {
    const line = () => this.random.text(64, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')
    const kind = this.random.pick(['PRIVATE KEY', 'RSA PRIVATE KEY'])
    const lines = [line(), this.#plant('key', line()), line()]
    return [`-----BEGIN ${kind}-----`, ...lines, `-----END ${kind}-----`, ''].join(lineFeed)
  }

  id(): string {
    return `a${++this.#ids}z`
  }

  async signed(...[key, changes]: Parameters<typeof requestFixture>) {
    const { url, headers, body } = await requestFixture(key, changes, {
      baseUrl: BASE_URL,
      login: LOGIN,
      controlKey: this.#controlKey,
      privateKey,
      clock: { now: this.gateway.clock.now, schedule: () => () => {} },
      nonce: () => `nonce-${++this.#ids}`,
    })
    return { method: 'POST', url: url.slice(new URL(url).origin.length), headers, body, peer: '192.0.2.7' }
  }

  async ask(request: Parameters<Gateway['handle']>[0]): Promise<GatewayReply> {
    return await this.gateway.handle(request)
  }

  /** What the sandbox answers is shown. */
  async sandbox(method: string, path: string, body: unknown = ''): Promise<string> {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const reply = await this.#sandbox({ method, url: `/__sandbox${path}`, headers: {}, body: text })
    const stopping = new AbortController()
    let said = reply.body
    for await (const part of reply.stream?.(stopping.signal) ?? []) {
      said += part
      // The stream of what happens goes on for ever.
      if (path.startsWith('/recording/stream')) stopping.abort()
    }
    this.#said.push(`${reply.status} ${said}`)
    return said
  }

  async shown(): Promise<Shown> {
    const outputs: [string, string][] = []
    const { requests } = JSON.parse(await this.sandbox('GET', ''))
    const paths = (requests as readonly { readonly request: string }[])
      .filter(({ request }) => request.startsWith('GET /__sandbox') && !request.includes('{'))
      .map(({ request }) => request.slice('GET /__sandbox'.length))
    const orders = this.orders
      .slice(-3)
      .flatMap(({ orderId }) => [`/orders/${orderId}`, `/recording?orderId=${orderId}`])
    const ids = [...(this.gateway.recording?.events() ?? [])].filter(({ type }) => type === 'request').slice(-40)
    const all = [...paths, ...orders, '/orders?limit=1000', ...ids.map(({ id }) => `/requests/${id}`)]
    for (const path of all) outputs.push([`GET ${path}`, await this.sandbox('GET', path)])
    const recorded = this.gateway.recording?.ndjson() ?? ''
    outputs.push(['the recording', recorded])
    outputs.push(['the page of the recording', await recordingPage(recorded)])
    const events = readRecording(recorded)
    for (const { orderId } of this.orders.slice(-20)) {
      const test = exportedTest(events, orderId, { runner: 'vitest', names: wireNames() })
      outputs.push([`order ${orderId} as a test`, test ?? ''])
    }
    outputs.push(['answers of the sandbox', this.#said.join('\n')])
    outputs.push([LOG, this.#logged.join('')])
    await this.gateway.close()
    return { planted: this.planted, outputs }
  }
}

type Streamed = Awaited<ReturnType<ReturnType<typeof createSandbox>>>

function anyKey(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => random.text(length, '0123456789ABCDEF')).join('-')
}
