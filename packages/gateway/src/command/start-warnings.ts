import type { Configuration } from './configuration.ts'

const IN_MEMORY =
  'store: is memory, so all orders are lost when this process ends; name a database file or a PostgreSQL'

const IN_THE_CLEAR =
  'publicUrl: begins with http, so card data crosses the network unencrypted; put a proxy with a certificate in front, and name its https address'

/** An address of this machine, judged by its text alone. */
const THIS_MACHINE = /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])([:/]|$)/i

/** Warns of settings that are allowed, but outside a sandbox were most likely forgotten. */
export function startWarnings({
  sandbox,
  store,
  publicUrl = '',
}: Pick<Configuration, 'sandbox' | 'store' | 'publicUrl'>): readonly string[] {
  if (sandbox) return []
  const isInTheClear = /^http:/i.test(publicUrl) && !THIS_MACHINE.test(publicUrl)
  return [...(store === 'memory' ? [IN_MEMORY] : []), ...(isInTheClear ? [IN_THE_CLEAR] : [])]
}
