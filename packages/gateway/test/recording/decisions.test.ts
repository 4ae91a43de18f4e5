import { expect, test, vi } from 'vitest'
import { decisions } from '../../src/recording/decisions.ts'

const DECISION = { intentId: 'i-1', intentVersion: 3, decision: 'nothing-charged', note: 'by anna: seen' }

/** Timers that the test rings. */
function timers() {
  const armed = new Set<{ readonly milliseconds: number; readonly work: () => void }>()
  return {
    every: (milliseconds: number, work: () => void) => {
      const timer = { milliseconds, work }
      armed.add(timer)
      return () => armed.delete(timer)
    },
    ring: (milliseconds: number) => {
      for (const timer of armed) if (timer.milliseconds === milliseconds) timer.work()
    },
  }
}

test('[F-E15] a decision is refused while no journal takes any, and after the last one has ended', async () => {
  const { decide, onDecision, areTaken } = decisions(timers())
  await expect(decide(DECISION)).rejects.toThrow('no journal takes decisions')
  const end = onDecision(async () => {})
  expect(areTaken()).toBe(true)
  await decide(DECISION)
  end()
  expect(areTaken()).toBe(false)
})

test('[F-E15] of several journals the one that has the intent decides; the error of the first is told if none has', async () => {
  const { decide, onDecision } = decisions(timers())
  onDecision(() => Promise.reject(new Error('no such intent here')))
  await expect(decide(DECISION)).rejects.toThrow('no such intent here')
  const other = vi.fn<Parameters<typeof onDecision>[0]>(async () => {})
  onDecision(other)
  await decide(DECISION)
  expect(other).toHaveBeenCalledExactlyOnceWith(DECISION)
})

test('[F-E15] a journal in another process is told at its next question, and its answer is passed on', async () => {
  const { decide, next, areTaken } = decisions(timers())
  const asked = next({ journal: 'a' })
  expect(areTaken()).toBe(true)
  const decided = decide(DECISION)
  const told = await asked
  expect(told?.decision).toEqual(DECISION)
  void next({ journal: 'a', answered: { id: told?.id ?? 0, error: 'it is final' } })
  await expect(decided).rejects.toThrow('it is final')
})

test('[F-E15] a journal that does not come back is forgotten, and a decision that it has not answered fails', async () => {
  const { ring, ...time } = timers()
  const { decide, next, areTaken } = decisions(time)
  const asked = next({ journal: 'a' })
  const decided = decide(DECISION)
  await asked
  ring(10_000)
  await expect(decided).rejects.toThrow('the journal has not answered')
  expect(areTaken()).toBe(false)
})

test('[F-E15] a journal waits for 20 seconds, hears that there is nothing, and is still known when it asks again', async () => {
  const { ring, ...time } = timers()
  const { next, areTaken } = decisions(time)
  const asked = next({ journal: 'a' })
  ring(20_000)
  expect(await asked).toBeUndefined()
  void next({ journal: 'a' })
  ring(10_000)
  expect(areTaken()).toBe(true)
})
