import { defineProfile, Secret } from '@tallystick/core'
import {
  type Called,
  type Clock,
  createGateway,
  type EndpointOptions,
  type Gateway,
  type GatewayOptions,
  type SendCallback,
  type VirtualClock,
} from '@tallystick/gateway'
import { machineClock } from '../clocks.ts'
import { testControlKey, testKeyPair } from '../keys.ts'
import { checkGatewayOptions, inOwnWords } from './gateway-options.ts'
import { type Door, openDirect, openSocket } from './open-door.ts'
import { warnOfRefused } from './refused-callbacks.ts'
import { tellSeed } from './tell-seed.ts'
import { type TestGateway, type TestMerchant, testGateway } from './test-gateway.ts'
import { UnmetFaults } from './unmet-faults.ts'

/**
 * What a test may say of its gateway: the options of `createGateway`, and those of its one endpoint. None is
 * required.
 */
export interface StartGatewayOptions<C extends Clock = VirtualClock>
  extends Omit<GatewayOptions<C>, 'merchants' | 'publicUrl'>,
    Pick<EndpointOptions, 'currencies' | 'limits' | 'settleAfter' | 'holdFor'> {
  /** Port to listen on. Default 0: any free port. */
  readonly port?: number | undefined
  /**
   * Whether it listens at all. Default `true`. Without a socket, clients hand it what they would have sent, and
   * `gateway.fetch` opens its pages.
   */
  readonly socket?: boolean | undefined
  /**
   * The time of the gateway and of its clients. Default: it goes by itself and can be told to go on; `fakeClock()` stands
   * still until then.
   */
  readonly clock?: C | undefined
  /** Whether callbacks may go to this machine, a 403 explains itself, and orders may have faults. Default `true`. */
  readonly sandbox?: boolean | undefined
  /**
   * Calls the shop's callback address; `callbacksTo(handler)` brings callbacks straight to a handler. Default: GET over
   * HTTP/1.1, to this machine, too.
   */
  readonly sendCallback?: SendCallback | undefined
  /**
   * Hears of every callback that was sent, and how it was answered. Default: a warning of Node's where the shop seems to be
   * wired wrongly or fails, as by a 404 or a 503.
   */
  readonly onCallback?: ((called: Called) => void) | undefined
}

const LOGIN = 'test-merchant'
const ENDPOINT_ID = '253'
const BASE_PATH = '/paynet'

/**
 * Starts a whole gateway in this process, in memory, with one merchant whose control key is made now. Its clock goes by
 * itself and can be told to go on: `gateway.clock.advance('14d')`. Cheap enough for one per test; close it when the test
 * ends, or declare it by `await using`, which verifies it, too.
 *
 * @throws TypeError that names a wrong option, and the one that may have been meant
 */
export async function startGateway<C extends Clock = VirtualClock>(
  options: StartGatewayOptions<C> = {},
): Promise<TestGateway<C>> {
  checkGatewayOptions(options)
  const { port = 0, socket = true, currencies, limits, settleAfter, holdFor, ...gatewayOptions } = options
  const { clock = machineClock() as Clock as C } = options
  const controlKey = new Secret(testControlKey())
  const unmet = new UnmetFaults({
    basePath: BASE_PATH,
    wireNames: gatewayOptions.profile?.wireNames,
    hasOlderOrders: gatewayOptions.store !== undefined,
  })
  const handle: Gateway['handle'] = (request) => {
    unmet.seen(request)
    return gateway.handle(request)
  }
  const door = socket ? await openSocket(handle, port) : openDirect(handle)
  const publicUrl = door.origin + BASE_PATH
  const endpoints = [{ id: ENDPOINT_ID, currencies, limits, settleAfter, holdFor }]
  const merchants = [{ login: LOGIN, controlKey, publicKey: testKeyPair().publicKey, endpoints }]
  const gateway = await behind(door, () =>
    createGateway<C>({ sandbox: true, onCallback: warnOfRefused(), ...gatewayOptions, clock, publicUrl, merchants }),
  )
  tellSeed(gateway.chaos.seed, gatewayOptions.chaos)
  const profile = defineProfile({ ...gatewayOptions.profile, baseUrl: publicUrl })
  return testGateway(
    { ...gateway, handle },
    { door, merchant: merchantOf(publicUrl, controlKey, door), profile, unmet },
  )
}

/** A port that stays open behind nothing would keep the process from its end. */
async function behind<Made>(door: Door, make: () => Made): Promise<Made> {
  try {
    return make()
  } catch (error) {
    await door.close()
    throw inOwnWords(error)
  }
}

function merchantOf(baseUrl: string, controlKey: Secret, { transport }: Door): TestMerchant {
  const privateKey = new Secret(testKeyPair().privateKey)
  const merchant = { baseUrl, login: LOGIN, controlKey, privateKey, endpointId: ENDPOINT_ID }
  if (transport === undefined) return merchant
  return {
    ...merchant,
    get transport() {
      return transport()
    },
  }
}
