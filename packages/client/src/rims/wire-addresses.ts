/** An address as undici takes it. */
export interface WireAddress {
  readonly origin: string
  readonly path: string
}

/** A client calls some tens of addresses. One that is given ever new endpoints must not gather them. */
const MOST = 500

/** Takes addresses apart, each once: it takes longer than the rest of what is done before a request is handed to undici. */
export function wireAddresses(): (url: string) => WireAddress {
  const known = new Map<string, WireAddress>()
  return (url) => {
    const address = known.get(url)
    if (address !== undefined) return address
    const { origin, pathname, search } = new URL(url)
    const made = { origin, path: pathname + search }
    if (known.size >= MOST) known.clear()
    known.set(url, made)
    return made
  }
}
