import { Secret } from '@tallystick/core'
import { simulator } from '../acquirer/simulator.ts'
import { createGateway, type Gateway } from '../gateway.ts'
import type { MerchantOptions } from '../merchants/merchants.ts'
import type { GatewayOptions } from '../options.ts'
import { advancingClock } from '../runtime/clock.ts'
import { systemClock } from '../runtime/system.ts'
import { requireSameExponents } from '../store/check-change.ts'
import { requireSameKeys } from '../store/key-checks.ts'
import type { Configuration } from './configuration.ts'
import { vaultKeysOf } from './key-files.ts'
import { asConfigurationError, ConfigurationError, readNamed } from './read-configuration.ts'
import { requireMeantStore, storeOf } from './store-setting.ts'

interface Surroundings {
  /** The folder of the configuration: file names are relative to it. */
  readonly folder: string
  /** The text of a new vault key file. */
  readonly newKeys: () => Secret
}

/**
 * Makes the gateway that a configuration describes. If it cannot be made on the store, the store is closed, so that others may
 * use it, with other keys.
 *
 * @throws ConfigurationError when a file that it names is missing or wrong
 * @throws TypeError that names a wrong setting
 */
export async function gatewayOf(
  configuration: Configuration & { readonly publicUrl: string },
  { folder, newKeys }: Surroundings,
  listeners: Pick<GatewayOptions, 'onAnswer' | 'onCallback' | 'onDecision' | 'onRecord' | 'onLimit' | 'onError'>,
): Promise<Gateway> {
  const { publicUrl, replyFormat, sandbox, allowRepeats, numericIds, maxConcurrentRequests } = configuration
  const { faults, exponents, threeDsMethodWaitSeconds, trustedProxies } = configuration
  if (faults !== undefined && !sandbox) {
    throw new ConfigurationError('faults: for a sandbox alone; add --sandbox, or "sandbox": true')
  }
  if (configuration.acquirer === undefined && !sandbox) throw new ConfigurationError(BANK_MISSING)
  requireMeantStore(configuration.store)
  const merchants = configuration.merchants.map((merchant, index) =>
    merchantOf(merchant, `merchants[${index}]`, folder),
  )
  const vaultKeys = vaultKeysOf(configuration, folder, newKeys)
  const store = await storeOf(configuration, folder, listeners)
  const {
    maxConcurrentRequestsPerMerchant,
    maxTriesPerCard,
    maxTriesPerAddress,
    maxCallbackConnections,
    maxCallbackConnectionsPerMerchant,
  } = configuration
  const limits = {
    maxConcurrentRequests,
    maxConcurrentRequestsPerMerchant,
    maxTriesPerCard,
    maxTriesPerAddress,
    maxCallbackConnections,
    maxCallbackConnectionsPerMerchant,
  }
  const options = { publicUrl, replyFormat, sandbox, allowRepeats, numericIds, trustedProxies, ...limits, ...listeners }
  const clock = sandbox ? advancingClock(systemClock) : systemClock
  const profile = { exponents, threeDsMethodWaitSeconds }
  try {
    if (vaultKeys !== undefined) await requireSameKeys(vaultKeys, store)
    await requireSameExponents({ exponents }, store)
    return createGateway({ ...options, merchants, store, vaultKeys, clock, faults, profile, acquirer: simulator() })
  } catch (error) {
    await store.close()
    throw asConfigurationError(error)
  }
}

const BANK_MISSING =
  'acquirer: is not given, and this command has no bank: add --sandbox for tests; or "acquirer": "simulator" if payments shall ' +
  'be approved that move no money; for a bank, run createGateway in a program'

function merchantOf(
  { controlKey, controlKeyFile, publicKeyFile, ...merchant }: Configuration['merchants'][number],
  name: string,
  folder: string,
): MerchantOptions {
  if ((controlKey === undefined) === (controlKeyFile === undefined)) {
    throw new ConfigurationError(`${name}: give it either a controlKey or a controlKeyFile`)
  }
  const key = controlKey ?? keyIn(controlKeyFile, `${name}.controlKeyFile`, folder)
  const publicKey = publicKeyFile === undefined ? undefined : readNamed(`${name}.publicKeyFile`, publicKeyFile, folder)
  return { ...merchant, controlKey: new Secret(key), publicKey }
}

function keyIn(file: string | undefined, setting: string, folder: string): string {
  const key = readNamed(setting, file, folder).trim()
  if (key === '') throw new ConfigurationError(`${setting}: ${file} is empty`)
  return key
}
