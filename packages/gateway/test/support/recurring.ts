import { newVaultKeys, readVaultKeys } from '../../src/index.ts'
import { pooledRandomness } from '../../src/runtime/system.ts'
import type { Store, StoredOrder } from '../../src/store-port.ts'
import { desk } from './desk.ts'
import type { Fields } from './signed-requests.ts'
import type { TestGatewayOptions } from './test-gateway.ts'

const CREATE = '/api/v4/create-recurring-payment'

/** Charges a card every month from the day of its creation, 1 January 2030. */
export const MONTHLY = {
  rp_card_type: 'SRC',
  login: 'shop',
  'credit-card-number': '4444333322221111',
  'card-printed-name': 'JOHN SMITH',
  'expire-month': '12',
  'expire-year': '2031',
  currency: 'EUR',
  amount: '9.99',
  period: 'month',
  interval: '1',
}

/** Made once: the next process charges the cards of the last one. */
const vaultKeys = readVaultKeys(newVaultKeys(pooledRandomness(), 'of-tests').reveal())

/** A desk for recurring payments and their charges. */
export function recurringDesk(options: TestGatewayOptions = {}) {
  const made = desk({ vaultKeys, ...options })
  let profiles = 0
  const create = (fields: Fields) => made.askOAuth(CREATE, { 'client-orderid': `rp-${++profiles}`, ...fields })
  return {
    ...made,
    create,
    /** Creates a recurring payment: its id. */
    profile: async (fields: Fields = {}) => {
      const { 'recurring-payment-id': id = '', ...rest } = await create({ ...MONTHLY, ...fields })
      if (id === '') throw new Error(`Not created: ${rest['error-message']}`)
      await made.gateway.settled()
      return id
    },
    /** The charges of a recurring payment, in the order of their numbers. */
    charges: (id: string) => chargesOf(made.store, id),
    /** The days on which a recurring payment was charged. */
    days: async (id: string) => (await chargesOf(made.store, id)).map(({ createdAt }) => dayOf(createdAt)),
  }
}

export async function chargesOf(store: Store, id: string): Promise<readonly StoredOrder[]> {
  const orders = await store.recentOrders('shop', 100_000)
  const numberOf = ({ clientOrderId }: StoredOrder) => Number(clientOrderId.slice(id.length + 1))
  return orders
    .filter(({ clientOrderId }) => clientOrderId.startsWith(`${id}-`))
    .sort((one, other) => numberOf(one) - numberOf(other))
}

/** `YYYY-MM-DD` in UTC. */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
