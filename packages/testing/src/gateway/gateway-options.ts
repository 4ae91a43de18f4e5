import type { GatewayOptions } from '@tallystick/gateway'
import { anything, checkOptions, flag, type Kind, object, text } from '../options/check-options.ts'
import { nearestName } from '../options/nearest-name.ts'
import { PROFILE_KINDS } from '../options/profile-kinds.ts'
import type { StartGatewayOptions } from './start-gateway.ts'

const PORT: Kind = {
  wanted: 'a whole number from 0 to 65535',
  isRight: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535,
}

const CURRENCIES: Kind = {
  wanted: 'a list of the letters of ISO 4217, as [USD, EUR]',
  isRight: (value) => Array.isArray(value) && value.every((one) => typeof one === 'string'),
}

/** Those of the gateway are checked by the gateway, which names them as the test has. */
const OF_GATEWAY: Readonly<Record<Exclude<keyof GatewayOptions, 'merchants' | 'publicUrl'>, Kind>> = {
  store: anything,
  vaultKeys: anything,
  acquirer: anything,
  clock: anything,
  ids: anything,
  sendCallback: anything,
  replyFormat: anything,
  sandbox: anything,
  chaos: anything,
  allowRepeats: anything,
  numericIds: anything,
  maxConcurrentRequests: anything,
  profile: object,
  onAnswer: anything,
  onError: anything,
}

const KINDS: Readonly<Record<keyof StartGatewayOptions, Kind>> = {
  port: PORT,
  socket: flag,
  currencies: CURRENCIES,
  limits: object,
  settleAfter: anything,
  holdFor: anything,
  ...OF_GATEWAY,
}

/** @throws TypeError that names the option, and what may have been meant */
export function checkGatewayOptions(options: unknown): void {
  checkOptions('startGateway', options, KINDS)
  const { currencies, limits = {}, profile = {} } = options as StartGatewayOptions
  checkOptions('startGateway: limits', limits, { min: text, max: text })
  checkOptions('startGateway: profile', profile, PROFILE_KINDS)
  checkCurrencies(currencies)
}

function checkCurrencies(currencies: readonly string[] | undefined): void {
  if (currencies?.length === 0) {
    throw new TypeError('startGateway: currencies is empty, so nothing could be paid; leave it out for every currency')
  }
  const unknown = currencies?.find((code) => !isCurrency(code))
  if (unknown === undefined) return
  const nearest = nearestName(unknown, Intl.supportedValuesOf('currency'))
  const advice = nearest === undefined ? 'write the three letters of ISO 4217, as USD' : `did you mean ${nearest}?`
  throw new TypeError(`startGateway: currencies: ${unknown} is no currency; ${advice}`)
}

/** As the Unicode data of this Node know it: more of them than are in use today. */
function isCurrency(code: string): boolean {
  if (!/^[A-Z]{3}$/.test(code)) return false
  return new Intl.DisplayNames('en', { type: 'currency', fallback: 'none' }).of(code) !== undefined
}

/**
 * The gateway names the settings of an endpoint by their place among its own options. Here they stand by themselves.
 */
export function inOwnWords(error: unknown): unknown {
  if (!(error instanceof TypeError)) return error
  const [, own = error.message] = error.message.split('merchants[0].endpoints[0].')
  return new TypeError(`startGateway: ${own}`, { cause: error })
}
