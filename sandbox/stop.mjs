// Ends the sandbox of the job and shows its log, which holds no card data and no key.
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'

const { STATE_pid: pid, STATE_log: log = '' } = process.env
if (pid !== undefined) await end(Number(pid))
if (existsSync(log)) console.log(`::group::The sandbox\n${readFileSync(log, 'utf8')}\n::endgroup::`)

async function end(gateway) {
  for (let tried = 0; tried < 100 && signal(gateway, tried === 0 ? 'SIGTERM' : 0); tried++) await setTimeout(100)
}

/** Whether there is such a process. */
function signal(gateway, which) {
  try {
    return process.kill(gateway, which)
  } catch {
    return false
  }
}
