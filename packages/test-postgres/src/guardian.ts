import { rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { meetingPlace } from './shared-server.ts'
import { testServer } from './test-server.ts'

/**
 * A process that runs one PostgreSQL for all processes that are connected to it, and stops it soon after the last one has left,
 * however it ended: the connection of a process closes even if the process is killed.
 */
const GRACE_MILLISECONDS = 2000

const guests = new Set<Socket>()
const started = testServer({ durable: false }).then(
  (server) => ({ server, line: `${server.url}\n` }),
  (error: unknown) => ({ server: undefined, line: `${String(error).replaceAll('\n', ' ')}\n` }),
)

let leaving: NodeJS.Timeout | undefined
const door = createServer((guest) => {
  clearTimeout(leaving)
  guests.add(guest)
  guest.on('error', () => {})
  guest.once('close', () => {
    guests.delete(guest)
    leaveSoon()
  })
  void started.then(({ line }) => guest.resume().write(line))
})

function leaveSoon(): void {
  if (guests.size === 0) {
    clearTimeout(leaving)
    leaving = setTimeout(() => void leave(), GRACE_MILLISECONDS)
  }
}

async function leave(): Promise<void> {
  door.close()
  await (await started).server?.close()
  process.exit(0)
}

/** Removes a socket file without a listener, which a killed guardian has left. Leaves if another guardian listens. */
function takeTheDoor(mayClear: boolean): void {
  door.once('error', () => {
    connect(meetingPlace)
      .once('connect', () => void leave())
      .once('error', () => {
        if (!mayClear) {
          void leave()
          return
        }
        rmSync(meetingPlace, { force: true })
        takeTheDoor(false)
      })
  })
  door.listen(meetingPlace, leaveSoon)
}

takeTheDoor(true)
