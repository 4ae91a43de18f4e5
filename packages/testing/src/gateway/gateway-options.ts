import { checkBrand, checkOptions, type Kind, type Kinds, kind, Secret } from '@tallystick/core'
import type { ChaosOptions, GatewayOptions } from '@tallystick/gateway'
import type { StartGatewayOptions } from './start-gateway.ts'

const PORT: Kind = {
  wanted: 'a whole number from 0 to 65535',
  isRight: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
}

const CONTROL_KEY: Kind = {
  wanted: 'a Secret, or a text that is not empty',
  isRight: (value) => value instanceof Secret || (typeof value === 'string' && value !== ''),
}

/** The gateway itself checks its own options, and names them as the test does. */
const OF_GATEWAY: Kinds<Omit<GatewayOptions, 'merchants' | 'publicUrl'>> = {
  store: kind.anything,
  vaultKeys: kind.anything,
  acquirer: kind.anything,
  clock: kind.anything,
  ids: kind.anything,
  sendCallback: kind.anything,
  replyFormat: kind.anything,
  sandbox: kind.anything,
  chaos: kind.object,
  allowRepeats: kind.anything,
  numericIds: kind.anything,
  maxConcurrentRequests: kind.anything,
  maxConcurrentRequestsPerMerchant: kind.anything,
  maxTriesPerCard: kind.anything,
  maxTriesPerAddress: kind.anything,
  trustedProxies: kind.anything,
  maxCallbackConnections: kind.anything,
  maxCallbackConnectionsPerMerchant: kind.anything,
  profile: kind.object,
  onAnswer: kind.anything,
  onCallback: kind.anything,
  onDecision: kind.anything,
  onRecord: kind.anything,
  onLimit: kind.anything,
  onError: kind.anything,
}

const KINDS: Kinds<StartGatewayOptions> = {
  port: PORT,
  socket: kind.flag,
  controlKey: CONTROL_KEY,
  currencies: kind.anything,
  limits: kind.object,
  settleAfter: kind.anything,
  holdFor: kind.anything,
  ...OF_GATEWAY,
}

const CHAOS: Kinds<ChaosOptions> = { seed: kind.anything, faults: kind.anything, probability: kind.anything }

/** @throws TypeError that names the option, and what may have been meant */
export function checkGatewayOptions(options: unknown): void {
  checkOptions('startGateway', options, KINDS)
  const { limits = {}, profile = {}, chaos = {} } = options as StartGatewayOptions
  checkOptions('startGateway: limits', limits, { min: kind.text, max: kind.text })
  checkBrand('startGateway: profile', profile)
  checkOptions('startGateway: chaos', chaos, CHAOS)
}

/**
 * The gateway's errors name `createGateway`, and the settings of an endpoint by their place in its options. This changes them to
 * the names in `startGateway`.
 */
export function inOwnWords(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error
  const own = error.message.replace(/^(?:createGateway: |merchants\[0\]\.endpoints\[0\](?:\.|: ))/, '')
  return new TypeError(`startGateway: ${own}`, { cause: error })
}
