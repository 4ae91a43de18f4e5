import type { Task } from '../store/task.ts'

/** The most deliveries to claim at one look, and the most tasks in hand at a time. */
export const TASKS_AT_ONCE = 256

/** The tasks that this process has claimed and is running. */
export interface InHand {
  /** How many more may be claimed now. A task whose claim has ended takes no room: it may never end, and anyone may claim it. */
  room(now: number): number
  /** Runs a task. Resolves when it has ended. */
  seeTo(task: Task): Promise<void>
}

export interface InHandOptions {
  /** How many at a time. */
  readonly most: number
  /** Must not throw. */
  readonly work: (task: Task) => Promise<void>
  /** Called when half of the room is free again, after there was none. */
  readonly onRoom: () => void
}

/** Limits the tasks at a time: most of them ask the acquirer, which also has to answer the customers who are paying now. */
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
