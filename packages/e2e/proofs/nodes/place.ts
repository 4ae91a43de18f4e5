import { setTimeout as pause } from 'node:timers/promises'
import type { NodeProcess } from '../process/node-process.ts'

/** Where one process runs, and the next one when it has died. */
export interface Place<To> {
  /** Where the process listens now. `undefined`: none does. */
  origin(): string | undefined
  tell(message: To): void
  /** kill -9 of the process, wherever it is on its way. The next one starts after a pause. Gives whether there was one. */
  kill(): Promise<boolean>
  /** kill -9 of the process, and no other one starts. */
  clear(): Promise<void>
}

export interface PlaceOptions<To> {
  readonly start: () => NodeProcess<To>
  readonly pauseMs: () => number
  /** Hears of each process that has died, with what it complained of. */
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
