import type { Task } from '../store/task.ts'

/** The tasks that this process has claimed and sees to. */
export interface InHand {
  /** How many more may be claimed now. One whose claim is over takes no room: it may never end, and is anybody's again. */
  room(now: number): number
  /** Sees to one. Resolves when that has ended. */
  seeTo(task: Task): Promise<void>
}

export interface InHandOptions {
  /** How many at a time. */
  readonly most: number
  /** Does not throw. */
  readonly work: (task: Task) => Promise<void>
  /** There was no room, and half of it is free again. */
  readonly onRoom: () => void
}

/** So many tasks at a time: most of them ask the acquirer, who has to answer to whoever pays now, too. */
export function inHand({ most, work, onRoom }: InHandOptions): InHand {
  const tasks = new Set<Task>()
  let isHeldUp = false

  return {
    room: (now) => {
      for (const task of tasks) if (task.dueAt <= now) tasks.delete(task)
      return Math.max(0, most - tasks.size)
    },
    seeTo: async (task) => {
      tasks.add(task)
      isHeldUp ||= tasks.size >= most
      await work(task)
      tasks.delete(task)
      if (!isHeldUp || tasks.size > most / 2) return
      isHeldUp = false
      onRoom()
    },
  }
}
