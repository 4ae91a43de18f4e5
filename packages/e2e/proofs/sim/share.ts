/** A thread that runs its share of the schedules, one after the other. */
import { parentPort, workerData } from 'node:worker_threads'
import { testControlKey, testKeyPair } from '@tallystick/testing'
import { runSchedule, type ScheduleResult } from './schedule.ts'

export interface Share {
  /** The seed of the first schedule; each that follows has the next. */
  readonly seed: number
  readonly schedules: number
}

const MOST_FINDINGS = 10

const { seed, schedules } = workerData as Share
const keys = { controlKey: testControlKey(), ...testKeyPair() }
const findings: string[] = []
let [mishaps, crashes, attempts] = [0, 0, 0]
let current = seed

function note(finding: string): void {
  findings.push(`--seed ${current} --runs 1: ${finding}`)
}

/** Notes every error, including unhandled ones: they belong to the schedule that runs. */
function noteError(error: unknown): void {
  note(`it threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`)
}

process.on('unhandledRejection', noteError)
// Errors are common here, and stacks are expensive: only a schedule that is run alone has them.
if (schedules > 1) Error.stackTraceLimit = 0
for (; current < seed + schedules && findings.length < MOST_FINDINGS; current++) {
  try {
    const result = await runSchedule(current, keys)
    for (const finding of result.findings) note(finding)
    mishaps += result.mishaps
    crashes += result.crashes
    attempts += result.attempts
  } catch (error) {
    noteError(error)
  }
}
parentPort?.postMessage({ findings, mishaps, crashes, attempts } satisfies ScheduleResult)
