/** The operator has to change something before the gateway can start. The message says what. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError'
}
