/** An address as undici takes it. */
export interface WireAddress {
  readonly origin: string
  readonly path: string
}

/** A client calls some tens of addresses. One that is given ever new endpoints must not collect them. */
const MOST = 500

/** Parses addresses, each once: parsing takes longer than all else that is done before undici gets a request. */
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

/** Counts what is under way, so that closing can wait for it. */
export class UnderWay {
  #count = 0
  #waiting: Array<() => void> = []

  begin(): void {
    this.#count++
  }

  end(): void {
    this.#count--
    if (this.#count === 0) for (const wake of this.#waiting.splice(0)) wake()
  }

  /** Resolves once nothing is under way. */
  none(): Promise<void> {
    return this.#count === 0 ? Promise.resolve() : new Promise((resolve) => this.#waiting.push(resolve))
  }
}
