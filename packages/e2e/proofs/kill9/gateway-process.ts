/** The process under kill -9: a gateway on a SQLite file, served over HTTP. Its bank is in the process that kills it. */
import { inspect } from 'node:util'
import { createGateway, listen, readVaultKeys } from '@tallystick/gateway'
import { Random } from '@tallystick/proof-kit'
import { sqliteStore } from '../../../gateway/src/store/sqlite/sqlite-store.ts'
import { prepareCards } from '../bank/bank.ts'
import { clockAhead } from '../process/ahead-clock.ts'
import { killer } from '../process/killer.ts'
import type { FromGateway, GatewaySettings, ToGateway } from './messages.ts'
import { isBankTrouble, remoteBank } from './remote-bank.ts'

const { settings, tell } = killer<GatewaySettings, FromGateway>()
const { login, endpointId, controlKey, publicKey, seed, aheadMs } = settings

const listener = await listen((request) => gateway.handle(request))
const gateway = createGateway({
  maxTriesPerCard: 1_000_000,
  publicUrl: listener.origin,
  merchants: [{ login, controlKey, publicKey, endpoints: [{ id: endpointId }] }],
  store: sqliteStore({ file: settings.store }),
  vaultKeys: readVaultKeys(settings.vaultKeys),
  acquirer: { ...remoteBank(), prepare: prepareCards(new Random(seed)) },
  clock: clockAhead(aheadMs),
  sandbox: true,
  onError: (error) => {
    if (!isBankTrouble(error)) process.stderr.write(`${inspect(error)}\n`)
  },
})

process.on('message', (message: ToGateway) => {
  if (message === 'settle') void gateway.settled().then(() => tell({ settled: true }))
  if (message === 'stop') void stop()
})
tell({ origin: listener.origin })

async function stop(): Promise<void> {
  await listener.close()
  await gateway.close()
  process.disconnect()
}
