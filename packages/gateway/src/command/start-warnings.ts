import type { Configuration } from './configuration.ts'

const IN_MEMORY = 'store: is memory, so every order ends with this process; name a database file or a PostgreSQL'

const IN_THE_CLEAR =
  'publicUrl: begins with http, so card data goes over the network in the clear; put a proxy with a certificate before it, and name its https address'

/** An address of this machine, by its name alone. */
const THIS_MACHINE = /^http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])([:/]|$)/i

/** What is allowed, and in a gateway that is no sandbox most likely a setting that was forgotten. */
export function startWarnings({
  sandbox,
  store,
  publicUrl = '',
}: Pick<Configuration, 'sandbox' | 'store' | 'publicUrl'>): readonly string[] {
  if (sandbox) return []
  const isInTheClear = /^http:/i.test(publicUrl) && !THIS_MACHINE.test(publicUrl)
  return [...(store === 'memory' ? [IN_MEMORY] : []), ...(isInTheClear ? [IN_THE_CLEAR] : [])]
}
