import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'

const BASE_PATH = '/paynet'

/**
 * The path under which the gateway serves. With a `publicUrl` it is the path of that, even behind a proxy: pages and signatures
 * know no other.
 *
 * @throws ConfigurationError if `basePath` and the path of `publicUrl` differ
 */
export function basePathOf({ basePath, publicUrl }: Pick<Configuration, 'basePath' | 'publicUrl'>): string {
  if (publicUrl === undefined) return basePath ?? BASE_PATH
  const path = new URL(publicUrl).pathname.replace(/\/$/, '')
  if (basePath === undefined || basePath === path) return path
  throw new ConfigurationError(
    `basePath: is "${basePath}", and the path of publicUrl is "${path}": they have to be the same; leave basePath out`,
  )
}

/** The host, if the gateway listens on all addresses of the machine. */
const WHOLE_MACHINE = /\/(0\.0\.0\.0|\[::\]):/

/**
 * The address that merchants call. If the configuration does not say, the address that the gateway listens on; but nobody can
 * call, or sign for, the one that stands for all addresses of a machine, so that becomes 127.0.0.1.
 */
export function publicUrlOf(configuration: Pick<Configuration, 'basePath' | 'publicUrl'>, origin: string): string {
  return configuration.publicUrl ?? origin.replace(WHOLE_MACHINE, '/127.0.0.1:') + basePathOf(configuration)
}
