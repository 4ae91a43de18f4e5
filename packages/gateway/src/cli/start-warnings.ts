import { dirname, resolve } from 'node:path'
import { Secret } from '@tallystick/core'
import { keyBits } from '@tallystick/signing/internal'
import { LEAST_KEY_BITS, sharersOf } from '../merchants/merchants.ts'
import type { Configuration } from './configuration.ts'
import { OPERATOR_KEY_FILE, opennessOf } from './key-files.ts'
import { isPostgres } from './store-setting.ts'

/** What the settings of a gateway are judged by. */
export interface Setup {
  readonly configuration: Configuration
  /** The file of the configuration. `undefined`: there is none. */
  readonly file: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Whether the command line has the address of a database with its password. */
  readonly isPasswordShown: boolean
}

/** A setting that is allowed, but that an operator should know of. */
type Danger = readonly [setting: string, warning: string, isThere: (setup: Setup) => boolean]

/** Names of this machine alone. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i

/** Passwords that are tried first. */
const DEFAULT_PASSWORDS =
  /^(postgres|password|passwd|tallystick|payments|admin|root|secret|changeme|change-me|test|1234\d*)?$/i

export const DANGERS: readonly Danger[] = [
  [
    'acquirer',
    'is the simulator, which approves payments that move no money: whoever delivers goods for them gives them away',
    ({ configuration: { sandbox } }) => !sandbox,
  ],
  [
    'sandbox',
    'is on under an https address: whoever reaches it may pay with made-up cards; leave it out where payments are real',
    ({ configuration: { sandbox, publicUrl = '' } }) => sandbox && /^https:/i.test(publicUrl),
  ],
  [
    'host',
    'reaches beyond this machine, and sandbox is on: others may pay with made-up cards',
    ({ configuration: { sandbox, host } }) => sandbox && !LOOPBACK.test(host),
  ],
  [
    'sandboxHost',
    'reaches beyond this machine: others may read the orders of the sandbox',
    ({ configuration: { sandbox, sandboxHost } }) => sandbox && !LOOPBACK.test(sandboxHost),
  ],
  [
    'metricsHost',
    'reaches beyond this machine: others may read the metrics and try operator keys, and what an operator sends and reads is not encrypted',
    ({ configuration: { metricsHost } }) => !LOOPBACK.test(metricsHost),
  ],
  [
    'store',
    'is memory, so all orders are lost when this process ends; name a database file or a PostgreSQL',
    ({ configuration: { sandbox, store } }) => !sandbox && store === 'memory',
  ],
  [
    'publicUrl',
    'begins with http, so card data crosses the network unencrypted; put a proxy with a certificate in front, and name its https address',
    ({ configuration: { sandbox, publicUrl = '' } }) => !sandbox && /^http:/i.test(publicUrl) && !isHere(publicUrl),
  ],
  [
    'trustedProxies',
    'is not given, and publicUrl is https: maxTriesPerAddress cannot tell the customers behind the proxy apart; name the proxy that has the certificate',
    ({ configuration: { maxTriesPerAddress, publicUrl = '', trustedProxies } }) =>
      maxTriesPerAddress !== undefined && trustedProxies === undefined && /^https:/i.test(publicUrl),
  ],
  [
    'vaultKeyFile',
    'lies beside the database: whoever copies the folder has the cards; keep it elsewhere, as on another disk or in a secret',
    areKeysBeside,
  ],
  [
    'merchants',
    'have the same controlKey: who knows that of one can act for the other',
    ({ configuration }) => sharersOf(withKeys(configuration)).length > 0,
  ],
  [
    'merchants',
    `have a controlKey of fewer than ${LEAST_KEY_BITS} bits, which can be guessed from what every customer is shown`,
    ({ configuration }) =>
      withKeys(configuration).some(({ controlKey }) => keyBits(controlKey.reveal()) < LEAST_KEY_BITS),
  ],
  [
    '--store',
    'has a password on the command line, which every user of this machine may have read: put it into PGPASSWORD or the configuration',
    ({ isPasswordShown }) => isPasswordShown,
  ],
  ['store', 'has a password that is tried first by everybody: choose a random one', isPasswordDefault],
  [
    'store',
    'connects as the superuser of the database: make a user that owns one schema',
    ({ configuration: { store } }) => isPostgres(store) && URL.parse(store)?.username === 'postgres',
  ],
  [
    'the configuration',
    'holds keys, and every user of this machine may read it: chmod 600',
    ({ configuration, file }) => withKeys(configuration).length > 0 && isRead(file),
  ],
  [
    'the configuration',
    'may be written by others, who can make themselves merchants: chmod 600',
    ({ file }) => isWritten(file),
  ],
  [
    'operatorKeyFile',
    'may be read or written by every user of this machine, so that the gateway refuses it: chmod 600',
    ({ configuration: { operatorKeyFile }, file }) => {
      const key = resolve(folderOf(file), operatorKeyFile ?? OPERATOR_KEY_FILE)
      return isRead(key) || isWritten(key)
    },
  ],
  ['controlKeyFile', 'may be read by every user of this machine: chmod 600', areKeyFilesRead],
  [
    'store',
    'may be read or written by every user of this machine: chmod 600, also its -wal',
    ({ configuration: { store }, file }) => {
      const database = databaseOf(store, file)
      return database !== undefined && (isRead(database) || isWritten(database))
    },
  ],
]

/** Names each dangerous setting of a gateway, for the log at its start and for the command `check`. */
export function startWarnings(setup: Setup): readonly string[] {
  return DANGERS.flatMap(([setting, warning, isThere]) => (isThere(setup) ? [`${setting}: ${warning}`] : []))
}

function isHere(publicUrl: string): boolean {
  return LOOPBACK.test(URL.parse(publicUrl)?.hostname ?? '')
}

/** Those whose key is in the configuration itself. */
function withKeys({ merchants }: Configuration) {
  return merchants.flatMap(({ login, controlKey }) =>
    controlKey === undefined ? [] : [{ login, controlKey: new Secret(controlKey) }],
  )
}

function folderOf(file: string | undefined): string {
  return dirname(resolve(file ?? 'gateway.json'))
}

function databaseOf(store: string, file: string | undefined): string | undefined {
  return store === 'memory' || isPostgres(store) ? undefined : resolve(folderOf(file), store)
}

function areKeysBeside({ configuration: { sandbox, store, vaultKeyFile }, file }: Setup): boolean {
  const database = databaseOf(store, file)
  if (sandbox || database === undefined) return false
  return dirname(resolve(folderOf(file), vaultKeyFile ?? `${store}.keys`)) === dirname(database)
}

/** The password of the address or, without one, of the environment. A server that asks for none is judged by its host. */
function isPasswordDefault({ configuration: { store }, environment }: Setup): boolean {
  if (!isPostgres(store)) return false
  const url = URL.parse(store)
  const password = url?.password || environment['PGPASSWORD']
  return password !== undefined && (DEFAULT_PASSWORDS.test(password) || password === url?.username)
}

function areKeyFilesRead({ configuration: { merchants }, file }: Setup): boolean {
  return merchants.some(
    ({ controlKeyFile }) => controlKeyFile !== undefined && isRead(resolve(folderOf(file), controlKeyFile)),
  )
}

function isRead(file: string | undefined): boolean {
  return file !== undefined && opennessOf(file)?.isReadByOthers === true
}

function isWritten(file: string | undefined): boolean {
  return file !== undefined && opennessOf(file)?.isWrittenByOthers === true
}
