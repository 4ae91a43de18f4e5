/** A gateway of the benchmark on PostgreSQL, in a process of its own. It reports its port, and on request what it has used. */

import { randomFillSync } from 'node:crypto'
import { createGateway, listen, newVaultKeys, readVaultKeys, simulator } from '@tallystick/gateway'
import { postgresStore } from '@tallystick/gateway/postgres'
import { callbackSender } from '../../packages/gateway/src/callbacks/sender.ts'
import { bareProgram } from './bare-postgres.ts'
import { recordedStore } from './recorded-postgres.ts'

interface SetUp {
  readonly database: string
  readonly schema: string
  readonly login: string
  readonly controlKey: string
  readonly publicKey: string
  /** Where the callbacks of all shops go, on this machine: only a sandbox may call a shop there. */
  readonly receiver?: string
}

/** Asks what it has used, or to send its recorded statements into another schema. */
interface Question {
  readonly bareInto?: string
}

const { database, schema, receiver, ...merchant } = JSON.parse(process.argv[2] ?? '{}') as SetUp
const say = (error: unknown) => void process.stderr.write(`${String(error)}\n`)

/** Microseconds that the bare program takes to send, into another schema, what was committed since the last request. */
async function bare(into: string): Promise<number> {
  const program = await bareProgram(database, into)
  const statements = recorded?.take() ?? []
  const start = performance.now()
  await program.run(statements)
  const took = (performance.now() - start) * 1000
  await program.close()
  return took
}

const sender = callbackSender({ sandbox: true })
const recorded = schema === 'recorded' ? await recordedStore(database, schema, say) : undefined
const store = recorded?.store ?? (await postgresStore({ connectionString: database, schema }))
const handle = Promise.withResolvers<ReturnType<typeof createGateway>>()
const listener = await listen(async (request) => (await handle.promise).handle(request))
handle.resolve(
  createGateway({
    publicUrl: `${listener.origin}/paynet`,
    merchants: [{ ...merchant, endpoints: [{ id: '253' }] }],
    store,
    acquirer: simulator(),
    vaultKeys: readVaultKeys(newVaultKeys((bytes) => void randomFillSync(bytes), 'bench').reveal()),
    ...(receiver === undefined ? {} : { sendCallback: (url) => sender.send(receiver + new URL(url).search) }),
    onError: say,
  }),
)
process.once('SIGINT', () => process.exit())

async function answer({ bareInto }: Question) {
  const { user, system } = process.cpuUsage()
  return bareInto === undefined ? { cpu: user + system } : { took: await bare(bareInto) }
}

process.on('message', (question: Question) => {
  // If it rejects, the process ends and the benchmark reports it.
  void answer(question).then((answered) => process.send?.(answered))
})
process.send?.({ port: Number(new URL(listener.origin).port) })
