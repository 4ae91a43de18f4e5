import type { Vault } from '../vault/vault.ts'
import type { Particulars } from './acquirer.ts'

/**
 * What a request says besides its card, where it waits for a card from a page or for the charges of a schedule. It is sealed for
 * that alone. What no model has is not kept: it may be a CVV.
 */
export function sealParticulars({ fields }: Particulars, sealedFor: string, vault: Vault): string {
  return vault.sealText(JSON.stringify(fields), sealedFor)
}

/** Where none were kept yet there are none. */
export function openParticulars(sealed: string | undefined, sealedFor: string, vault: Vault): Particulars {
  return { fields: sealed === undefined ? {} : JSON.parse(vault.openText(sealed, sealedFor)), extra: {} }
}
