import { setTimeout as pause } from 'node:timers/promises'
import type { NodeProcess } from '../process/node-process.ts'

/** A place for one process, and for the next one when it has died. */
export interface Place<To> {
  /** Where the process listens now. `undefined`: none does. */
  origin(): string | undefined
  tell(message: To): void
  /**
   * kill -9 of the process, wherever it is in its start or work. The next one starts after a pause. Gives whether there was one.
   */
  kill(): Promise<boolean>
  /** kill -9 of the process. No other one starts. */
  clear(): Promise<void>
}

export interface PlaceOptions<To> {
  readonly start: () => NodeProcess<To>
  readonly pauseMs: () => number
  /** Called with the error output of each process that has died. */
  readonly onDeath: (complaints: string) => void
}

export function place<To>({ start, pauseMs, onDeath }: PlaceOptions<To>): Place<To> {
  let present: NodeProcess<To> | undefined
  let origin: string | undefined
  let isCleared = false

  async function keep(): Promise<void> {
    while (!isCleared) {
      const running = start()
      present = running
      origin = await running.origin
      await running.ended
      origin = undefined
      present = undefined
      onDeath(running.complaints())
      if (!isCleared) await pause(pauseMs())
    }
  }

  const kept = keep()
  const kill = async () => {
    origin = undefined
    const victim = present
    await victim?.kill()
    return victim !== undefined
  }
  return {
    origin: () => origin,
    tell: (message) => present?.tell(message),
    kill,
    clear: async () => {
      isCleared = true
      await kill()
      await kept
    },
  }
}
