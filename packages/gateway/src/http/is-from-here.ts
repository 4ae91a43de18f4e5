/** Between which addresses a request came, as a socket has them. */
export interface Way {
  readonly remoteAddress?: string | undefined
  readonly localAddress?: string | undefined
}

/** Whether the caller is on this machine: whoever asks it from there has the address that is asked, be it loopback or another. */
export function isFromHere({ remoteAddress, localAddress }: Way): boolean {
  return remoteAddress !== undefined && remoteAddress === localAddress
}
