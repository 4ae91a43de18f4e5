/** The addresses of both ends of a connection, as a socket reports them. */
export interface Way {
  readonly remoteAddress?: string | undefined
  readonly localAddress?: string | undefined
}

/** Whether the caller is on this machine: then both ends have the same address, loopback or not. */
export function isFromHere({ remoteAddress, localAddress }: Way): boolean {
  return remoteAddress !== undefined && remoteAddress === localAddress
}
