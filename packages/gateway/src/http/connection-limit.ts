import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { headOf } from './reject.ts'

/** Files that are left for callbacks, the store, the log and the other ports. */
const KEPT_FOR_OTHERS = 384
const FEWEST = 64
/** Each costs some kilobytes. */
const MOST = 10_000
/** What most systems give a process. */
const USUAL_FILES = 1024

interface ConnectionLimit {
  /** To be called when a request has arrived whole: from then on its connection stays until it is answered. */
  arrived(response: ServerResponse): void
}

/**
 * Keeps the connections of a server below a limit, so that a port is never shut because idle ones hold all files of the process.
 * If there are too many, one is closed on which nothing is being answered: first that which has had the most time to send a
 * request, then the longest idle, which is the least likely to have a payment on its way, then one whose answers nobody reads.
 * Only if all are being answered is the new one refused.
 */
export function limitConnections(
  server: Pick<Server, 'on'>,
  { most = mostConnections, onFull }: { readonly most?: () => number; readonly onFull: () => void },
): ConnectionLimit {
  /** Of both the one that was used last is the last. */
  const sending = new Set<Socket>()
  const idle = new Set<Socket>()
  const answering = new Map<Socket, Set<ServerResponse>>()

  function makeRoom(newcomer: Socket): void {
    if (sending.size + idle.size + answering.size <= most()) return
    onFull()
    const oldest = first(sending, newcomer) ?? first(idle, newcomer) ?? unread() ?? newcomer
    if (oldest === newcomer) newcomer.write(headOf(503, { 'retry-after': '1' }))
    // At once, since its file is needed.
    oldest.destroy()
    forget(oldest)
  }

  /** A caller who does not read the answers holds the connection as long as it likes. */
  function unread(): Socket | undefined {
    for (const [socket, responses] of answering) {
      if ([...responses].every(({ writableEnded }) => writableEnded)) return socket
    }
    return undefined
  }

  function forget(socket: Socket): void {
    sending.delete(socket)
    idle.delete(socket)
    answering.delete(socket)
  }

  server.on('connection', (socket: Socket) => {
    sending.add(socket)
    socket.once('close', () => forget(socket))
    makeRoom(socket)
  })
  server.on('request', ({ socket }) => {
    if (idle.delete(socket)) sending.add(socket)
  })
  return {
    arrived: (response) => {
      const { socket } = response.req
      if (socket.destroyed) return
      sending.delete(socket)
      idle.delete(socket)
      const responses = answering.get(socket) ?? new Set()
      answering.set(socket, responses.add(response))
      response.once('close', () => {
        responses.delete(response)
        if (responses.size === 0 && answering.delete(socket) && !socket.destroyed) idle.add(socket)
      })
    },
  }
}

function first(sockets: Iterable<Socket>, except: Socket): Socket | undefined {
  for (const socket of sockets) if (socket !== except) return socket
  return undefined
}

let files: number | undefined

/** What the limit of files of this process leaves. Read once, when it matters. */
function mostConnections(): number {
  files ??= fileLimit()
  return Math.min(Math.max(files - KEPT_FOR_OTHERS, FEWEST), MOST)
}

/** The soft limit, which is the one that counts. Node has raised it to the hard one. */
function fileLimit(): number {
  const report: { readonly userLimits?: { readonly open_files?: { readonly soft: unknown } } } | undefined =
    process.report?.getReport()
  const soft = report?.userLimits?.open_files?.soft
  if (soft === 'unlimited') return MOST + KEPT_FOR_OTHERS
  return Number(soft) || USUAL_FILES
}
