/** A node of the gateway in its own process. Its bank runs in the killer's process. */
import { inspect } from 'node:util'
import { advancingClock, createGateway, listen, readVaultKeys } from '@tallystick/gateway'
import { postgresStore } from '@tallystick/gateway/postgres'
import { Random } from '@tallystick/proof-kit'
import { prepareCards } from '../bank/bank.ts'
import type { FromGateway } from '../kill9/messages.ts'
import { remoteBank } from '../kill9/remote-bank.ts'
import { clockAhead } from '../process/ahead-clock.ts'
import { killer } from '../process/killer.ts'
import type { GatewaySettings, ToGateway } from './messages.ts'
import { isMeantToHappen } from './outage-trouble.ts'

const { settings, tell } = killer<GatewaySettings, FromGateway>()
const { connectionString, login, endpointId, controlKey, publicKey, seed, aheadMs } = settings

const clock = advancingClock(clockAhead(aheadMs))
const gateway = createGateway({
  maxTriesPerCard: 1_000_000,
  publicUrl: settings.publicUrl,
  merchants: [{ login, controlKey, publicKey, endpoints: [{ id: endpointId }] }],
  store: await postgresStore({ connectionString, onError: complain }).catch(giveUp),
  vaultKeys: readVaultKeys(settings.vaultKeys),
  acquirer: { ...remoteBank(), prepare: prepareCards(new Random(seed)) },
  clock,
  sandbox: true,
  onError: complain,
})
const listener = await listen((request) => gateway.handle(request))

process.on('message', (message: ToGateway) => {
  if (message === 'settle') void settle()
  else if (message === 'stop') void stop()
  else if ('goOnMs' in message) void clock.advance(message.goOnMs)
})
tell({ origin: listener.origin })

async function settle(): Promise<void> {
  await gateway.isReady()
  await gateway.settled()
  tell({ settled: true })
}

async function stop(): Promise<void> {
  await listener.close()
  await gateway.close()
  process.disconnect()
}

/** Ends the process because the database was away for too long: its killer starts the next. */
function giveUp(error: unknown): never {
  complain(error)
  process.exit(1)
}

function complain(error: unknown): void {
  if (!isMeantToHappen(error)) process.stderr.write(`${inspect(error)}\n`)
}
