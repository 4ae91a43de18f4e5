import { randomBytes, randomFillSync } from 'node:crypto'
import { defineProfile, Secret } from '@tallystick/core'
import { checkBrand, checkOptions, type Validator, type Validators, validator } from '@tallystick/core/internal'
import {
  type CallbackEvent,
  type Clock,
  createGateway,
  createSandbox,
  type EndpointOptions,
  type FaultOptions,
  type Gateway,
  type GatewayOptions,
  listen,
  newVaultKeys,
  readVaultKeys,
  type SendCallback,
  simulator,
  type VaultKeys,
  type VirtualClock,
} from '@tallystick/gateway'
import { machineClock } from '../clocks.ts'
import { testControlKey, testKeyPair } from '../fakes.ts'
import { isTraced, type TraceMode, trace } from '../traces.ts'
import { type Door, openDirect, openSocket } from './open-door.ts'
import { type TestGateway, type TestMerchant, testGateway } from './test-gateway.ts'
import { UnmetFaults } from './unmet-faults.ts'
import { tellSeed, warnOfFakedTimers, warnOfRefused } from './warnings.ts'

/**
 * Options of a test's gateway: those of `createGateway`, and those of its one endpoint. None is required.
 */
export interface StartGatewayOptions<C extends Clock = VirtualClock>
  extends Omit<GatewayOptions<C>, 'merchants' | 'publicUrl'>,
    Pick<EndpointOptions, 'currencies' | 'limits' | 'settleAfter' | 'holdFor'> {
  /** Port to listen on. Default 0: any free port. */
  readonly port?: number | undefined
  /**
   * Whether the gateway listens on a port. Default `true`. Without a socket, its clients hand it their requests in the
   * process, and `gateway.fetch` opens its pages.
   */
  readonly socket?: boolean | undefined
  /**
   * The clock of the gateway and its clients. Default: real time, which a test can advance. `fakeClock()` gives a clock that
   * stands still until a test advances it.
   */
  readonly clock?: C | undefined
  /**
   * The control key of the merchant. Default: a new one. A gateway that is started with the `store`, the `port` and the key of
   * another one that was closed goes on with its orders and cards; with another key, that is a change of keys.
   */
  readonly controlKey?: string | Secret | undefined
  /** Allows callbacks to this machine and faults in orders, and explains each 403. Default `true`. */
  readonly sandbox?: boolean | undefined
  /**
   * Sends a callback to the shop; `callbacksTo(handler)` passes it straight to a handler. Default: GET over HTTP/1.1, also
   * to this machine.
   */
  readonly sendCallback?: SendCallback | undefined
  /**
   * Called with every callback that was sent and how the shop answered it. Default: a Node warning if the answer, such as 404
   * or 503, suggests that the shop is wired wrongly or fails.
   */
  readonly onCallback?: ((called: CallbackEvent) => void) | undefined
  /**
   * Whether a test that fails leaves what this gateway recorded, as a page that opens in a browser: `payment-traces/TITLE.html`.
   * Default: `'on-failure'` with the set-up file of vitest or jest, else `'off'`. In `node:test`, `afterEach(keepTrace)` writes it.
   */
  readonly trace?: TraceMode | undefined
  /**
   * Whether to open the workbench on a port of its own, a page that shows what happens in this gateway, and to print its address.
   * Default `false`.
   */
  readonly workbench?: boolean | undefined
}

const LOGIN = 'test-merchant'
const ENDPOINT_ID = '253'
const BASE_PATH = '/paynet'

/**
 * Starts a whole gateway in this process, in memory, with one merchant and a new control key. Its clock runs in real time,
 * and a test can advance it: `gateway.clock.advance('14d')`. Cheap enough for one per test. Close it when the test ends, or
 * declare it with `await using`, which also verifies it.
 *
 * @throws TypeError that names a wrong option, and the one that may have been meant
 */
export async function startGateway<C extends Clock = VirtualClock>(
  options: StartGatewayOptions<C> = {},
): Promise<TestGateway<C>> {
  checkGatewayOptions(options)
  const opened = new Error('opened')
  Error.captureStackTrace(opened, startGateway)
  const { port = 0, socket = true, controlKey: givenKey = testControlKey(), ...others } = options
  const { currencies, limits, settleAfter, holdFor, trace: traceMode, workbench = false, ...gatewayOptions } = others
  const { clock = machineClock() as Clock as C } = options
  const controlKey = givenKey instanceof Secret ? givenKey : new Secret(givenKey)
  const unmet = new UnmetFaults({
    basePath: BASE_PATH,
    wireNames: gatewayOptions.profile?.wireNames,
    hasOlderOrders: gatewayOptions.store !== undefined,
  })
  const handle: Gateway['handle'] = (request) => {
    unmet.seen(request)
    return gateway.handle(request)
  }
  if (socket) warnOfFakedTimers()
  const door = socket ? await openSocket(handle, port, opened) : openDirect(handle)
  const publicUrl = door.origin + BASE_PATH
  const endpoints = [{ id: ENDPOINT_ID, currencies, limits, settleAfter, holdFor }]
  const merchants = [{ login: LOGIN, controlKey, publicKey: testKeyPair().publicKey, endpoints }]
  const gateway = await behind(door, () =>
    createGateway<C>({
      sandbox: true,
      acquirer: simulator(),
      vaultKeys: keysOfTests(),
      onCallback: warnOfRefused(),
      ...gatewayOptions,
      clock,
      publicUrl,
      merchants,
    }),
  )
  tellSeed(gateway.faults.seed, gatewayOptions.faults)
  const isKept = isTraced(traceMode)
  const recorder = isKept || workbench ? gateway.recording : undefined
  const closed = isKept && recorder !== undefined ? trace(recorder) : undefined
  const shown = workbench ? await openWorkbench(gateway) : undefined
  const profile = defineProfile({ recurringExtensions: true, ...gatewayOptions.profile, baseUrl: publicUrl })
  return testGateway(
    { ...gateway, handle },
    { door, merchant: merchantOf(publicUrl, controlKey, door), profile, unmet, recorder, shown, closed },
  )
}

/** For whoever has the address: the key in it is new each time. */
async function openWorkbench(gateway: Gateway) {
  const operatorKey = new Secret(randomBytes(16).toString('hex'))
  const { origin, close } = await listen(createSandbox(gateway, { operatorKey }), { lingerMs: 0 })
  const address = `${origin}/?token=${operatorKey.reveal()}`
  process.stderr.write(`The workbench of this gateway: ${address}\n`)
  return { address, close }
}

/** Closes the door if the gateway is not created: an open port would keep the process from ending. */
async function behind<Made>(door: Door, make: () => Made): Promise<Made> {
  try {
    return make()
  } catch (error) {
    await door.close()
    throw inOwnWords(error)
  }
}

let vaultKeys: VaultKeys | undefined

/** One set for the process: they take a fifth of a start, and a gateway on the store of an earlier one can open its cards. */
function keysOfTests(): VaultKeys {
  vaultKeys ??= readVaultKeys(newVaultKeys((bytes) => void randomFillSync(bytes), 'of-tests').reveal())
  return vaultKeys
}

/** One for the process: clients import it once. */
let privateKey: Secret | undefined

function merchantOf(baseUrl: string, controlKey: Secret, { transport }: Door): TestMerchant {
  privateKey ??= new Secret(testKeyPair().privateKey)
  const merchant = { baseUrl, login: LOGIN, controlKey, privateKey, endpointId: ENDPOINT_ID }
  if (transport === undefined) return merchant
  return {
    ...merchant,
    get transport() {
      return transport()
    },
  }
}

const PORT: Validator = {
  wanted: 'a whole number from 0 to 65535',
  isRight: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
}

const CONTROL_KEY: Validator = {
  wanted: 'a Secret, or a text that is not empty',
  isRight: (value) => value instanceof Secret || (typeof value === 'string' && value !== ''),
}

/** The gateway itself checks its own options, and names them as the test does. */
const OF_GATEWAY: Validators<Omit<GatewayOptions, 'merchants' | 'publicUrl'>> = {
  store: validator.anything,
  vaultKeys: validator.anything,
  acquirer: validator.anything,
  clock: validator.anything,
  ids: validator.anything,
  sendCallback: validator.anything,
  replyFormat: validator.anything,
  sandbox: validator.anything,
  recorder: validator.anything,
  faults: validator.object,
  allowRepeats: validator.anything,
  numericIds: validator.anything,
  maxConcurrentRequests: validator.anything,
  maxConcurrentRequestsPerMerchant: validator.anything,
  maxTriesPerCard: validator.anything,
  maxTriesPerAddress: validator.anything,
  trustedProxies: validator.anything,
  maxCallbackConnections: validator.anything,
  maxCallbackConnectionsPerMerchant: validator.anything,
  profile: validator.object,
  onAnswer: validator.anything,
  onCallback: validator.anything,
  onDecision: validator.anything,
  onRecord: validator.anything,
  onLimit: validator.anything,
  onError: validator.anything,
}

const KINDS: Validators<StartGatewayOptions> = {
  port: PORT,
  socket: validator.flag,
  trace: validator.oneOf('on-failure', 'off'),
  workbench: validator.flag,
  controlKey: CONTROL_KEY,
  currencies: validator.anything,
  limits: validator.object,
  settleAfter: validator.anything,
  holdFor: validator.anything,
  ...OF_GATEWAY,
}

const FAULTS: Validators<FaultOptions> = {
  seed: validator.anything,
  only: validator.anything,
  probability: validator.anything,
}

/** @throws TypeError that names the option, and what may have been meant */
function checkGatewayOptions(options: unknown): void {
  checkOptions('startGateway', options, KINDS)
  const { limits = {}, profile = {}, faults = {} } = options as StartGatewayOptions
  checkOptions('startGateway: limits', limits, { min: validator.text, max: validator.text })
  checkBrand('startGateway: profile', profile)
  checkOptions('startGateway: faults', faults, FAULTS)
}

/**
 * The gateway's errors name `createGateway`, and the settings of an endpoint by their place in its options. This changes them to
 * the names in `startGateway`.
 */
function inOwnWords(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error
  const own = error.message.replace(/^(?:createGateway: |merchants\[0\]\.endpoints\[0\](?:\.|: ))/, '')
  return new TypeError(`startGateway: ${own}`, { cause: error })
}
