/**
 * On Bun, Deno and workerd too, nothing is sent twice or wrongly called not sent (downloads 150 MB).
 *
 * Reads the builds, so build first. Needs `npm` and `openssl` on the path.
 */
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { serveFaults } from './runtimes/fault-servers.ts'
import { installIn, makeCertificates } from './runtimes/install.ts'
import { judgeFaults } from './runtimes/judge-faults.ts'
import { RUNTIMES, type RuntimeName, start } from './runtimes/runtime.ts'
import { tryCallbacks } from './runtimes/try-callbacks.ts'
import { tryPayments } from './runtimes/try-payments.ts'

await prove({
  name: 'runtimes',
  meaning:
    'Node, Bun, Deno and workerd run the packed packages against servers on Node that cut, stall, redirect, drip, or show\n' +
    'wrong certificates, and against a gateway. The servers count: nothing may arrive twice, and nothing that was called\n' +
    'not sent. Then callbacks, also a thousand at once, the signing vectors and the testing package. Downloads 150 MB.',
  runs: { of: 'rounds of every fault', long: 3, quick: 1 },
  flags: { only: 'one runtime: node, bun, deno or workerd' },
  run: everywhere,
})

async function everywhere({ flags, runs, folder, after }: Order): Promise<Outcome> {
  const names = Object.keys(RUNTIMES) as readonly RuntimeName[]
  const wanted = names.filter((name) => name === (flags['only'] ?? name))
  if (wanted.length === 0) throw new Error(`--only is one of ${names.join(', ')}`)
  const certificates = await makeCertificates(folder)
  await installIn(folder, certificates.authority)
  const servers = await serveFaults(certificates)
  after(servers.close)
  const findings: string[] = []
  let calls = 0
  for (const name of wanted) {
    const running = await start(name, folder)
    after(running.stop)
    const note = (found: readonly string[]) => findings.push(...found.map((finding) => `${name}: ${finding}`))
    for (let run = 0; run < runs; run++) {
      const met = await judgeFaults(running, servers, certificates.authority)
      calls += met.calls
      note(met.findings)
    }
    note(await tryPayments(running))
    note(await tryCallbacks(running, folder))
    await running.stop()
  }
  const versions = wanted.map((name) => RUNTIMES[name].version).join(', ')
  const figure = counted`${versions}: ${calls} calls of ${servers.count} faults, ${findings.length} wrong`
  return { figure, findings }
}
