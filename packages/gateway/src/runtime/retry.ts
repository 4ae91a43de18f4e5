import type { Service } from '../context.ts'

const FIRST_WAIT_MS = 60_000
const LONGEST_WAIT_MS = 3_600_000

/**
 * Does work that nobody else would repeat. After a failure it tries again a minute later, then less and less often, until it
 * succeeds. Otherwise an outcome that the store cannot take now would wait for the next process. Once the store is closed it
 * gives up: the next process takes over what is left.
 *
 * @param serialNumber of the request whose work it is
 * @throws what the first try threw
 */
export async function persistently(
  work: () => Promise<unknown>,
  service: Pick<Service, 'clock' | 'background'>,
  serialNumber: string,
  waitMs = FIRST_WAIT_MS,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!isClosed(error)) {
      const next = Math.min(2 * waitMs, LONGEST_WAIT_MS)
      const again = () => persistently(work, service, serialNumber, next)
      service.clock.schedule(waitMs, () => service.background.runToEnd(again, serialNumber))
    }
    throw error
  }
}

function isClosed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'CLOSED'
}
