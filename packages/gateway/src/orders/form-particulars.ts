import type { Particulars } from '../acquirer/acquirer.ts'
import type { Vault } from '../vault/vault.ts'
import type { StoredOrder } from './order.ts'

/**
 * What a request for a hosted form says of who pays or receives waits in the order until the acquirer is given the card. It is
 * sealed for that page alone. What no model has is not kept: it may be a CVV.
 */
export function sealParticulars({ fields }: Particulars, token: string, vault: Vault): string {
  return vault.sealText(JSON.stringify(fields), token)
}

/** Those of the order's form. An order that was opened before they were kept has none. */
export function openParticulars({ details }: StoredOrder, vault: Vault): Particulars['fields'] {
  const { token, particulars } = details.pages ?? {}
  return token === undefined || particulars === undefined ? {} : JSON.parse(vault.openText(particulars, token))
}

/** The order without them: the acquirer has them, or will not get them. */
export function withoutParticulars(order: StoredOrder): StoredOrder {
  if (order.details.pages?.particulars === undefined) return order
  const { particulars: _, ...pages } = order.details.pages
  return { ...order, details: { ...order.details, pages } }
}
