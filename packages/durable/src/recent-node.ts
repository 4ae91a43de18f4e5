/**
 * An older Node lacks `Promise.withResolvers`, which would only show with a payment under way. Asked for by what is missing, so
 * that other runtimes pass.
 *
 * @param caller begins the message
 * @throws Error that says which Node is needed
 */
export function requireRecentNode(caller: string): void {
  if ('withResolvers' in Promise) return
  throw new Error(`${caller}: Node ${process.version} is too old; it needs Node 22.19, 24.11, 26 or newer`)
}

/**
 * What a command says on a Node that is too old, before it loads anything that would fail there in words of its own.
 *
 * @param version as `process.versions.node` has it
 */
export function oldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  // Other runtimes say that they are some Node, and are asked elsewhere for what they lack.
  const isRecent =
    'bun' in process.versions || major > 24 || (major === 24 && minor >= 11) || (major === 22 && minor >= 19)
  return isRecent ? undefined : `Node ${version} is too old; it needs Node 22.19, 24.11, 26 or newer`
}

/** Node would open its inspector on SIGUSR1, and whoever reaches that reads all keys. A listener of ours keeps it shut. */
export function keepInspectorShut(): void {
  process.on('SIGUSR1', () => {})
}
