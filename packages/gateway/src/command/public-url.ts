import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'

const BASE_PATH = '/paynet'

/**
 * The path that it serves below. Behind a proxy it is that of `publicUrl`, too: pages and signatures have no other.
 *
 * @throws ConfigurationError when there are two of them
 */
export function basePathOf({ basePath, publicUrl }: Pick<Configuration, 'basePath' | 'publicUrl'>): string {
  if (publicUrl === undefined) return basePath ?? BASE_PATH
  const path = new URL(publicUrl).pathname.replace(/\/$/, '')
  if (basePath === undefined || basePath === path) return path
  throw new ConfigurationError(
    `basePath: is "${basePath}", and the path of publicUrl is "${path}": they have to be the same; leave basePath out`,
  )
}

/** Where it listens on all of a machine. */
const WHOLE_MACHINE = /\/(0\.0\.0\.0|\[::\]):/

/**
 * What merchants call. Where the file does not say, they are taken to be on this machine: nobody can call, or sign for, the
 * address that stands for all addresses of a machine.
 */
export function publicUrlOf(configuration: Pick<Configuration, 'basePath' | 'publicUrl'>, origin: string): string {
  return configuration.publicUrl ?? origin.replace(WHOLE_MACHINE, '/127.0.0.1:') + basePathOf(configuration)
}
