import { Worker } from 'node:worker_threads'
import { atOnce } from '../at-once.ts'

/** What threads that start at a module found, one for each job, so many at a time. A job that throws ends it all. */
export async function inThreads<Job, Found>(
  module: URL,
  jobs: readonly Job[],
  width: number,
  progress: (done: number) => void,
): Promise<Found[]> {
  const found: Found[] = []
  await atOnce(
    jobs,
    async (job) => {
      found.push(await inThread<Job, Found>(module, job))
      progress(found.length)
    },
    width,
  )
  return found
}

function inThread<Job, Found>(module: URL, job: Job): Promise<Found> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(module, { workerData: job })
    thread.once('message', resolve)
    thread.once('error', reject)
  })
}
