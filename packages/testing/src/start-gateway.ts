import { createPaymentClient, type PaymentClient, type PaymentClientOptions } from '@tallystick/client'
import { Secret } from '@tallystick/core'
import {
  type Clock,
  createGateway,
  type EndpointOptions,
  type Gateway,
  type GatewayOptions,
  listen,
} from '@tallystick/gateway'
import { testControlKey, testKeyPair } from './keys.ts'

export interface StartGatewayOptions<C extends Clock = Clock>
  extends Omit<GatewayOptions<C>, 'merchants' | 'publicUrl'>,
    Pick<EndpointOptions, 'currencies' | 'limits' | 'settleAfter' | 'holdFor'> {
  /** Port to listen on. Default 0: any free port. */
  readonly port?: number
}

/** What a shop is told by its gateway: everything that {@link PaymentClientOptions} need. */
export interface TestMerchant {
  readonly baseUrl: string
  readonly login: string
  /** Prints masked, like everything secret; `reveal()` gives the text. */
  readonly controlKey: Secret
  readonly privateKey: Secret
  readonly endpointId: string
}

export interface TestGateway<C extends Clock = Clock> extends Gateway<C> {
  readonly merchant: TestMerchant
  /** A client of the merchant, closed with the gateway. */
  client(changes?: Partial<Omit<PaymentClientOptions, 'baseUrl' | 'profile'>>): PaymentClient
}

const LOGIN = 'test-merchant'
const ENDPOINT_ID = '253'
const BASE_PATH = '/paynet'

/**
 * Starts a whole gateway in this process, on a socket of this machine, with one merchant whose keys are made now.
 * Cheap enough for one per test; close it when the test ends.
 */
export async function startGateway<C extends Clock = Clock>(
  options: StartGatewayOptions<C> = {},
): Promise<TestGateway<C>> {
  const { port = 0, currencies, limits, settleAfter, holdFor, ...gatewayOptions } = options
  const keys = testKeyPair()
  const controlKey = new Secret(testControlKey())
  const listener = await listen((request) => gateway.handle(request), { port })
  const baseUrl = listener.origin + BASE_PATH
  const endpoints = [{ id: ENDPOINT_ID, currencies, limits, settleAfter, holdFor }]
  const merchants = [{ login: LOGIN, controlKey, publicKey: keys.publicKey, endpoints }]
  const gateway = createGateway<C>({ sandbox: true, ...gatewayOptions, publicUrl: baseUrl, merchants })
  const merchant = {
    baseUrl,
    login: LOGIN,
    controlKey,
    privateKey: new Secret(keys.privateKey),
    endpointId: ENDPOINT_ID,
  }
  const clients = new Set<PaymentClient>()
  return {
    ...gateway,
    merchant,
    client: (changes) => {
      const client = createPaymentClient({ ...merchant, ...changes })
      clients.add(client)
      return client
    },
    close: async () => {
      await Promise.all([...clients].map((client) => client.close()))
      await listener.close()
      await gateway.close()
    },
  }
}
