/** A second process on the same database is refused, but not once the first has ended. */
import { linkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { counted, type Order, type Outcome, prove } from '@tallystick/proof-kit'
import { testControlKey } from '@tallystick/testing'
import { type GatewayCommand, gatewayCommand } from '../test/support/gateway-command.ts'

/** The exit code of a command that the operator has to change. */
const WRONG_USE = 2
const IN_USE =
  /^tallystick-gateway: store: \S+ is in use by another (gateway \(pid \d+\)|process: a gateway, or a program that reads it) \(https:\/\/\S+\/gateway\.html#in_use\)\n$/

await prove({
  name: 'one-process',
  meaning:
    'While a gateway has its SQLite file, others are started on the same file under various names: all must be refused,\n' +
    'and say why. After kill -9 of the first, the next must have the file at once.',
  runs: { of: 'rounds', long: 100, quick: 10 },
  run: rounds,
})

async function rounds({ runs, random, progress, folder }: Order): Promise<Outcome> {
  const { start, names } = circumstances(folder)
  const findings: string[] = []
  const takeovers: number[] = []
  let refused = 0
  let holder = start('gateway.db')
  await holder.listening
  nameAgain(folder)
  for (let round = 0; round < runs; round++) {
    const name = random.pick(names)
    const problem = await refusal(start(name), holder)
    if (problem === undefined) refused++
    else findings.push(`round ${round}, as ${name}: ${problem}`)
    holder.signal('SIGKILL')
    await holder.exited
    const begun = performance.now()
    holder = start('gateway.db')
    if ((await holder.listening) === undefined) {
      findings.push(`round ${round}: not started after kill -9: ${holder.stderr()}`)
      break
    }
    takeovers.push(performance.now() - begun)
    progress(round + 1, runs)
  }
  holder.signal('SIGKILL')
  await holder.exited
  return {
    figure:
      counted`${refused} of ${runs} second processes refused, ${takeovers.length} of ${runs} started at once after ` +
      counted`kill -9 (the longest start ${Math.round(Math.max(...takeovers))} ms)`,
    findings,
  }
}

function circumstances(folder: string) {
  const config = join(folder, 'gateway.json')
  const merchants = [{ login: 'shop', controlKey: testControlKey(), endpoints: [{ id: 253 }] }]
  writeFileSync(
    config,
    JSON.stringify({ port: 0, metricsPort: 0, vaultKeyFile: 'vault.keys', acquirer: 'simulator', merchants }),
  )
  const compiled = join(folder, 'compiled')
  return {
    start: (name: string) => gatewayCommand(['--config', config, '--store', name], compiled),
    names: ['gateway.db', './gateway.db', join(folder, 'gateway.db'), 'by-link.db', 'by-folder/gateway.db', 'twin.db'],
  }
}

/** Other names for the file: a symbolic link to it and to its folder, and a hard link. */
function nameAgain(folder: string): void {
  symlinkSync(join(folder, 'gateway.db'), join(folder, 'by-link.db'))
  symlinkSync(folder, join(folder, 'by-folder'))
  linkSync(join(folder, 'gateway.db'), join(folder, 'twin.db'))
}

/** What is wrong with the refusal of the second process, or with the first process afterwards. */
async function refusal(second: GatewayCommand, holder: GatewayCommand): Promise<string | undefined> {
  const addresses = await second.listening
  if (addresses !== undefined) {
    second.signal('SIGKILL')
    await second.exited
    return 'it runs'
  }
  const code = await second.exited
  if (code !== WRONG_USE) return `it ended with ${code}: ${second.stderr()}`
  if (!IN_USE.test(second.stderr())) return `it says ${second.stderr()}`
  const { address = '' } = (await holder.listening) ?? {}
  const ready = await fetch(new URL('/readyz', address))
  return ready.status === 200 ? undefined : `the first is not ready any more (${ready.status})`
}
