import type { Profile } from '@tallystick/core'
import { checkBrand, checkOptions, type Validators, validator } from '@tallystick/core/internal'
import type { GatewayOptions } from './options.ts'
import { VAULT_KEYS } from './vault/keys.ts'

/** Kinds alone. What is in the options is checked where it is read. */
const KINDS: Validators<GatewayOptions> = {
  publicUrl: validator.required(validator.text),
  merchants: validator.required(validator.list),
  store: validator.withMethods('a store, such as sqliteStore({ file })', 'commit', 'orderById', 'reset', 'close'),
  vaultKeys: VAULT_KEYS,
  acquirer: validator.withMethods('an acquirer', 'tokenize', 'execute', 'authenticate', 'lookup'),
  clock: validator.withMethods('a clock, such as virtualClock()', 'now', 'schedule'),
  ids: validator.withMethods('a source of ids', 'orderId', 'serialNumber', 'pageToken'),
  sendCallback: validator.function,
  replyFormat: validator.oneOf('json', 'classic'),
  sandbox: validator.flag,
  faults: validator.object,
  allowRepeats: validator.flag,
  numericIds: validator.flag,
  maxConcurrentRequests: validator.count,
  maxConcurrentRequestsPerMerchant: validator.count,
  maxTriesPerCard: validator.count,
  maxTriesPerAddress: validator.count,
  trustedProxies: validator.listOf(validator.text),
  maxCallbackConnections: validator.count,
  maxCallbackConnectionsPerMerchant: validator.count,
  profile: validator.object,
  onAnswer: validator.function,
  onCallback: validator.function,
  onDecision: validator.function,
  onRecord: validator.function,
  onLimit: validator.function,
  onError: validator.function,
}

/** @throws TypeError that names the option */
export function checkGatewayOptions(options: GatewayOptions): void {
  checkOptions('createGateway', options, KINDS)
  // A client's whole profile is accepted too, but its `baseUrl` is ignored: the gateway's address is `publicUrl`.
  const { baseUrl: _, ...brand }: Partial<Profile> = options.profile ?? {}
  checkBrand('createGateway: profile', brand)
  if (options.faults !== undefined && options.sandbox !== true) {
    throw new TypeError('createGateway: faults are for a sandbox alone; say sandbox: true as well')
  }
  if (options.acquirer === undefined && options.sandbox !== true) throw new TypeError(BANK_MISSING)
  if (options.store?.durable === true && options.vaultKeys === undefined) throw new TypeError(KEYS_MISSING)
}

/** A forgotten bank would approve payments that move no money. */
const BANK_MISSING =
  'createGateway: acquirer must be given: the bank that moves the money; for a test, say sandbox: true, or acquirer: simulator(), ' +
  'which decides by the CVV and moves none'

/** Cards that are sealed under keys of the process alone could never be opened after it ends. */
const KEYS_MISSING =
  'createGateway: vaultKeys must be given: the store outlives the process, so the keys of its cards must too; make a key file with ' +
  '`tallystick-gateway keys FILE`, keep it apart from the store, and pass readVaultKeys(text)'
