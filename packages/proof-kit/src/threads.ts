import { Worker } from 'node:worker_threads'

/** Runs a thread for each job, `width` at a time, and collects what they found. An error in a job ends everything. */
export async function inThreads<Job, Found>(
  module: URL,
  jobs: readonly Job[],
  width: number,
  progress: (done: number) => void,
): Promise<Found[]> {
  const found: Found[] = []
  await atOnce(width, jobs, async (job) => progress(found.push(await inThread<Job, Found>(module, job))))
  return found
}

/** Works on the items, so many at a time. */
export async function atOnce<Item>(
  width: number,
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items.values()
  const lane = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: width }, lane))
}

function inThread<Job, Found>(module: URL, job: Job): Promise<Found> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(module, { workerData: job })
    thread.once('message', resolve)
    thread.once('error', reject)
  })
}
