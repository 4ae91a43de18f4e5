import type { Vault } from '../vault/vault.ts'
import type { Particulars } from './acquirer.ts'

/**
 * Seals what a request says besides its card, for as long as it waits for a card from a page or for the charges of a schedule.
 * It can be opened for that alone. Fields that no model has are dropped: one may be a CVV.
 */
export function sealParticulars({ fields }: Particulars, sealedFor: string, vault: Vault): string {
  return vault.sealText(JSON.stringify(fields), sealedFor)
}

/** Opens what was sealed. If nothing was, there are no fields. */
export function openParticulars(sealed: string | undefined, sealedFor: string, vault: Vault): Particulars {
  return { fields: sealed === undefined ? {} : JSON.parse(vault.openText(sealed, sealedFor)), extra: {} }
}
