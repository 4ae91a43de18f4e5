/**
 * An older Node lacks `Promise.withResolvers`, which would only show with a payment under way. Asked for by what is missing, so
 * that other runtimes pass.
 *
 * @throws Error that says which Node is needed
 */
export function requireRecentNode(): void {
  if ('withResolvers' in Promise) return
  throw new Error(`createGateway: Node ${process.version} is too old; it needs Node 22.19, 24.11, 26 or newer`)
}
