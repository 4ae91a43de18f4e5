/**
 * On Bun, Deno and workerd too, nothing is sent twice or wrongly called not sent (downloads 150 MB).
 *
 *     pnpm prove runtimes [--runs n] [--only NAME]
 *
 * Reads the builds, so build first. Installs the runtimes from the registry into a temporary folder: some 150 MB to download,
 * 360 MB on the disk. So it is not part of the quick form of all proofs. Needs `npm` and `openssl` on the path.
 */
import { inFolder, type Order, type Outcome, prove, withCommas } from '@tallystick/proof-kit'
import { type FaultServers, serveFaults } from './runtimes/fault-servers.ts'
import { installIn, makeCertificates } from './runtimes/install.ts'
import { judgeFaults } from './runtimes/judge-faults.ts'
import { RUNTIMES, type Running, type RuntimeName, start } from './runtimes/runtime.ts'
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
  run: (order) => inFolder('runtimes', (folder) => everywhere(order, folder)),
})

async function everywhere(order: Order, folder: string): Promise<Outcome> {
  const names = Object.keys(RUNTIMES) as readonly RuntimeName[]
  const wanted = names.filter((name) => name === (order.flags['only'] ?? name))
  if (wanted.length === 0) throw new Error(`--only is one of ${names.join(', ')}`)
  const certificates = await makeCertificates(folder)
  await installIn(folder, certificates.authority)
  const servers = await serveFaults(certificates)
  const findings: string[] = []
  let calls = 0
  try {
    for (const name of wanted) {
      const running = await start(name, folder)
      const told = await walk(order, running, { servers, authority: certificates.authority, folder })
      await running.stop()
      calls += told.calls
      findings.push(...told.findings.map((finding) => `${name}: ${finding}`))
    }
  } finally {
    await servers.close()
  }
  const versions = wanted.map((name) => RUNTIMES[name].version).join(', ')
  const figure = `${versions}: ${withCommas(calls)} calls of ${servers.count} faults, ${withCommas(findings.length)} wrong`
  return { ok: findings.length === 0, figure, findings }
}

interface Surroundings {
  readonly servers: FaultServers
  readonly authority: string
  readonly folder: string
}

async function walk({ runs }: Order, running: Running, { servers, authority, folder }: Surroundings) {
  const findings: string[] = []
  let calls = 0
  for (let run = 0; run < runs; run++) {
    const met = await judgeFaults(running, servers, authority)
    calls += met.calls
    findings.push(...met.findings)
  }
  findings.push(...(await tryPayments(running)), ...(await tryCallbacks(running, folder)))
  return { calls, findings }
}
