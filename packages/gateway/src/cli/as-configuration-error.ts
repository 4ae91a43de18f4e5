import { StoreError } from '../store/store-error.ts'
import { ConfigurationError } from './configuration-error.ts'

/**
 * The error of a gateway or store that refuses its options, with the configuration's names for them. Any other failure is a
 * mistake of ours, and stays as it is.
 */
export function asConfigurationError(error: unknown): unknown {
  if (error instanceof StoreError) return new ConfigurationError(`store: ${error.message}`)
  if (!(error instanceof TypeError)) return error
  const message = error.message
    .replace(/^connectionString:/, 'store:')
    .replace(/^merchants\[\d+\]\.publicKey(?=:)/, '$&File')
  return message === error.message ? error : new ConfigurationError(message)
}
