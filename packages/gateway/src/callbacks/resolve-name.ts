import { lookup, Resolver } from 'node:dns/promises'

/** Resolves to all IP addresses of a name. Once `signal` is aborted, the look-up need not go on. */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** The questions of one look-up to the name servers; `cancel` ends those under way. */
export type NameServers = Pick<Resolver, 'resolve4' | 'resolve6' | 'cancel'>

/** In milliseconds. A name server that is silent is asked twice. */
const PATIENCE = { timeout: 2000, tries: 2 }

/**
 * Asks name servers over the network, and stops in time. The system's own look-up holds one of the few threads of the process
 * until it gives up, so that the names of one merchant, whose name server is silent, would stop the callbacks of all merchants.
 */
export function askNameServers(begin: () => NameServers = () => new Resolver(PATIENCE)): ResolveName {
  return async (name, signal) => {
    signal.throwIfAborted()
    const servers = begin()
    const cancel = () => servers.cancel()
    signal.addEventListener('abort', cancel)
    try {
      const [v4, v6] = await Promise.allSettled([servers.resolve4(name), servers.resolve6(name)])
      if (v4.status === 'rejected' && v6.status === 'rejected') throw ownFailure(v4.reason) ?? v4.reason
      return inTurn(addressesIn(v4), addressesIn(v6))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

class NoNameServerError extends Error {
  readonly code = 'NO_NAME_SERVER'
}

/** No socket for a question, or nobody at the address of the name server: nothing that the name is to blame for. */
function ownFailure(error: NodeJS.ErrnoException): Error | undefined {
  return error.code === 'ECONNREFUSED' ? new NoNameServerError('No name server answers', { cause: error }) : undefined
}

function addressesIn(answer: PromiseSettledResult<readonly string[]>): readonly string[] {
  return answer.status === 'fulfilled' ? answer.value : []
}

/** Only the first few are tried, so both kinds alternate: a machine may be able to reach only one of them. */
function inTurn(v4: readonly string[], v6: readonly string[]): readonly string[] {
  const pairs = Array.from({ length: Math.max(v4.length, v6.length) }, (_, at) => [v4[at] ?? [], v6[at] ?? []])
  return pairs.flat(2)
}

/** Resolves as the system does, with the names of this machine and its containers: a sandbox may send callbacks there. */
export const askThisMachine: ResolveName = async (name) => {
  const found = await lookup(name, { all: true })
  return found.map(({ address }) => address)
}
