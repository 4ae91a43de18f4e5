import { type Exchange, type PaymentClientOptions, redirectTo, type Transport } from '@tallystick/client'
import type { GatewayReply, GatewayRequest } from '@tallystick/core/internal'
import type { AdapterCase, ShopBehaviour } from './adapter-case.ts'
import type { AdapterSetup, AdapterShop } from './mount-adapter.ts'
import type { CaseKeys } from './render-request.ts'

const REPLY: GatewayReply = { status: 200, headers: { 'content-type': 'application/vnd.pay+json' }, body: '{}' }

/** Everything that a case sees behind the adapter. */
export class CaseWorld {
  /** Client order ids, each after the name of its shop. */
  readonly kept = new Set<string>()
  readonly errors: unknown[] = []
  readonly gatewayRequests: GatewayRequest[] = []
  received = 0
  /** Resolves when a slow inbox or handler was called. */
  readonly asked: PromiseWithResolvers<void> = Promise.withResolvers()
  /** Lets it finish. */
  readonly goOn: PromiseWithResolvers<void> = Promise.withResolvers()
  readonly #mood: ShopBehaviour | undefined

  constructor(mood: ShopBehaviour | undefined) {
    this.#mood = mood
  }

  /** The app for a case. */
  setup({ parser, prefix = '', trustProxy = false, reply = REPLY }: AdapterCase, keys: CaseKeys): AdapterSetup {
    return {
      parser,
      prefix,
      trustProxy,
      shops: [this.#shop('a', keys.a), this.#shop('b', keys.b)],
      gateway: async (request) => {
        this.gatewayRequests.push(request)
        return reply
      },
      onError: (error) => this.errors.push(error),
    }
  }

  #shop(name: 'a' | 'b', controlKey: string): AdapterShop {
    const mood = this.#mood
    const handler = typeof mood === 'object' ? mood.handler : undefined
    return {
      name,
      client: this.#client(name, controlKey),
      ...(typeof mood === 'object' ? {} : { journal: this.#journal(name) }),
      onOutcome: async ({ clientOrderId }) => {
        this.received++
        if (handler === 'fails-at-first' && this.received === 1) throw new Error('the handler fails')
        await this.#commit(`${name} ${clientOrderId}`, handler)
      },
      showReturn: ({ shown }, { customerIp = 'nowhere' }) => redirectTo(`/orders/${shown}/größe?from=${customerIp}`),
      showOutcome: ({ outcome, orderId }) => ({
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
        body: `<p>Größe ${orderId} ${outcome}</p>`,
      }),
    }
  }

  #journal(name: 'a' | 'b') {
    return {
      inbox: {
        receive: async ({ clientOrderId }: { readonly clientOrderId: string }) => {
          this.received++
          return await this.#keep(`${name} ${clientOrderId}`)
        },
      },
      browserReturn: async (clientOrderId: string | undefined) => {
        if (this.#mood === 'down') throw new Error('the journal is down')
        return { shown: clientOrderId === undefined ? 'unknown-order' : `pending-${name}` }
      },
    }
  }

  async #keep(entry: string): Promise<'stored' | 'full'> {
    const mood = this.#mood
    if (mood === 'down' || (mood === 'down-at-first' && this.received === 1)) throw new Error('the disk is full')
    if (mood === 'full') return 'full'
    await this.#commit(entry, mood)
    return 'stored'
  }

  /** What both the inbox and the shop's handler do. */
  async #commit(entry: string, mood: ShopBehaviour | 'fails-at-first' | undefined): Promise<void> {
    if (mood === 'slow') {
      this.asked.resolve()
      await this.goOn.promise
    }
    this.kept.add(entry)
    if (mood === 'breaks-after-commit' && this.received === 1) throw new Error('the connection to the database is gone')
  }

  #client(login: string, controlKey: string): PaymentClientOptions {
    const status = typeof this.#mood === 'object' ? this.#mood.status : 'approved'
    const baseUrl = 'https://gateway.example.com/paynet'
    return { baseUrl, login, controlKey, endpointId: '253', transport: statusTransport(status), readAttempts: 1 }
  }
}

/** A gateway that gives every order this status. */
function statusTransport(status: string): Transport {
  return {
    send: async ({ body }): Promise<Exchange> => {
      const asked = new URLSearchParams(body)
      const reply = {
        type: 'status-response',
        status,
        'paynet-order-id': asked.get('orderid'),
        'merchant-order-id': asked.get('client_orderid'),
      }
      return { kind: 'replied', httpStatus: 200, mediaType: 'application/vnd.pay+json', body: JSON.stringify(reply) }
    },
    close: async () => {},
  }
}
