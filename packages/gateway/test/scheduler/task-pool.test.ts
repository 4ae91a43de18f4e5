import { expect, test } from 'vitest'
import { taskPool } from '../../src/scheduler/scheduler.ts'
import type { Task } from '../../src/store/store.ts'
import { order, task } from '../store/changes.ts'

const UNTIL = 60_000

/** Room for four tasks, each of which ends when the test ends it. */
function four() {
  const ends: Array<() => void> = []
  let looks = 0
  const tasks = taskPool({
    most: 4,
    work: () => new Promise<void>((end) => void ends.push(end)),
    onRoom: () => void looks++,
  })
  const one = (dueAt = UNTIL): Task => ({ ...task(order(1)), dueAt })
  return {
    tasks,
    take: (count: number, dueAt?: number) => {
      for (let taken = 0; taken < count; taken++) void tasks.seeTo(one(dueAt))
    },
    endOne: async () => {
      ends.shift()?.()
      await Promise.resolve()
      await Promise.resolve()
    },
    looks: () => looks,
  }
}

test('there is room for what is not in hand, and never a negative number', async () => {
  const { tasks, take, endOne } = four()
  expect(tasks.room(0)).toBe(4)
  take(3)
  expect(tasks.room(0)).toBe(1)
  take(2)
  expect(tasks.room(0)).toBe(0)
  await endOne()
  await endOne()
  expect(tasks.room(0)).toBe(1)
})

test('what is held up is looked for once half of the room is free again, and not before', async () => {
  const { take, endOne, looks } = four()
  take(4)
  const seen: number[] = []
  for (let ended = 1; ended <= 4; ended++) {
    await endOne()
    seen.push(looks())
  }
  expect(seen).toEqual([0, 1, 1, 1])
  take(4)
  await endOne()
  await endOne()
  expect(looks()).toBe(2)
})

test('nothing is looked for if there was room all the time', async () => {
  const { take, endOne, looks } = four()
  take(3)
  await endOne()
  await endOne()
  await endOne()
  expect(looks()).toBe(0)
})

test('a task has its room until its claim is over', () => {
  const { tasks, take } = four()
  take(3)
  take(1, 2 * UNTIL)
  expect([tasks.room(UNTIL - 1), tasks.room(UNTIL)]).toEqual([0, 3])
})
