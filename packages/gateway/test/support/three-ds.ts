import { memoryStore, newVaultKeys, readVaultKeys } from '../../src/index.ts'
import type { Store } from '../../src/store-port.ts'
import { sqliteFile } from '../store/sqlite-file.ts'
import { desk, type Ids } from './desk.ts'
import type { Fields } from './signed-requests.ts'
import type { TestGatewayOptions } from './test-gateway.ts'

/** Cards of the simulator that choose how a payment with CVV 321 is authenticated. */
export const CARDS = {
  challenge: '4444444400000010',
  method: '4444444400000028',
  frictionless: '4444444400000036',
  noMethodUrl: '4444444400000044',
  pareq: '4444444400000051',
} as const

export const RETURN_URL = 'https://shop.example.com/return?of=1&cart=2'

/** Fields of a sale whose customer authenticates on the gateway's pages. */
export function redirected(card: keyof typeof CARDS): Fields {
  return { credit_card_number: CARDS[card], cvv2: '321', redirect_url: RETURN_URL }
}

/** Fields of a sale whose merchant takes the customer through 3DS (gaps part 3.1, BG). */
export function serverToServer(card: keyof typeof CARDS): Fields {
  return {
    ...redirected(card),
    customer_browser_info: 'true',
    customer_browser_accept_header: 'text/html',
    customer_browser_user_agent: 'Mozilla/5.0',
    customer_browser_javascript_enabled: 'true',
    customer_browser_java_enabled: 'false',
    customer_browser_accept_language: 'en-GB',
    customer_browser_color_depth: '24',
    customer_browser_screen_width: '1280',
    customer_browser_screen_height: '800',
    customer_browser_time_zone: '-120',
    ipaddress: '203.0.113.7',
  }
}

/** Opens a store that any number of gateways can use, one after another. */
export type OpenStore = () => { readonly store: Store; readonly end: () => Promise<void> }

export const STORES: readonly (readonly [name: string, open: OpenStore])[] = [
  ['in memory', () => ({ store: memoryStore(), end: async () => {} })],
  ['in SQLite', () => sqliteFile().open({ cachedOrders: 0 })],
]

/** Made once: gateways on the same store have the same keys. */
export const VAULT_KEYS = readVaultKeys(newVaultKeys((target) => void crypto.getRandomValues(target), 'test').reveal())

/** What the status shows for a sale that waits for a step, and for one that has ended. */
export const VALIDATING = ['processing', 'sale', 'sale_3d_validating', '0.00', '10.42']
export const SOLD = ['approved', 'sale', 'sale_approved', '10.42', '10.42']
export const FAILED = ['declined', 'sale', 'sale_failed', '0.00', '10.42']

export function uploading(ask: (path: string, fields: Fields) => Promise<Fields>) {
  return (what: string, { client_orderid, orderid }: Ids, fields: Fields) =>
    ask(`/api/3ds/v1/upload-${what}-result`, { 'client-order-id': client_orderid, orderid, ...fields })
}

/** A 3DS message as browsers carry it. `decoded` reads one. */
export function base64(message: unknown): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}

export function decoded(text = ''): Record<string, unknown> {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}

/** A desk for sales whose customers authenticate. */
export function threeDsDesk(options: TestGatewayOptions = {}) {
  const made = desk({ vaultKeys: VAULT_KEYS, ...options })
  return {
    ...made,
    /** Opens a sale: its ids, and the address for the customer that its status shows. */
    begin: async (fields: Fields) => {
      const ids = await made.sale(fields)
      const { 'redirect-to': redirectTo = '' } = await made.told(ids)
      return { ids, redirectTo }
    },
    upload: uploading(made.ask),
  }
}
