import { join } from 'node:path'
import { newVaultKeys } from '@tallystick/gateway'
import { type Order, Random } from '@tallystick/proof-kit'
import { testControlKey, testKeyPair } from '@tallystick/testing'
import { bank } from '../bank/bank.ts'
import type { Entry } from '../bank/journal.ts'
import { type Child, startChild } from './child.ts'
import type { Death } from './death.ts'

export const LOGIN = 'test-merchant'

/** How often each event happened. */
export interface Happened {
  kills: number
  setBacks: number
  failures: number
}

/** What a callback said about an order. */
export interface Heard {
  readonly orderId: string
  readonly status: string
}

/** What outlives every process of the gateway: the bank and its books, the merchant and the callbacks that came. */
export interface World {
  readonly file: string
  readonly journal: readonly Entry[]
  /** The callbacks of each order, by client order id. */
  readonly heard: ReadonlyMap<string, readonly Heard[]>
  readonly happened: Happened
  /** The error output of the processes. */
  readonly complaints: string[]
  /** Starts the next process. */
  start(life: PlannedLife): Child
}

export interface PlannedLife {
  /** The time of its clock at its start. */
  readonly now: number
  /** Absent: it is not disturbed. */
  readonly death?: Death
  readonly failsEvery?: number | undefined
}

export function worldIn(folder: string, { seed }: Order): World {
  const journal: Entry[] = []
  const heard = new Map<string, readonly Heard[]>()
  const happened: Happened = { kills: 0, setBacks: 0, failures: 0 }
  const lasting = bank({ journal, random: new Random(seed) })
  const vaultKeys = newVaultKeys((bytes) => void crypto.getRandomValues(bytes), 'proof').reveal()
  const merchant = { login: LOGIN, controlKey: testControlKey(), ...testKeyPair() }
  const file = join(folder, 'gateway.db')
  let processes = 0
  return {
    file,
    journal,
    heard,
    happened,
    complaints: [],
    start: ({ now, death, failsEvery }) => {
      const killedAtStatement = death?.at === 'statement' ? death.number : undefined
      return startChild({
        settings: { ...merchant, file, vaultKeys, seed: seed + ++processes, now, killedAtStatement, failsEvery },
        cacheFolder: join(folder, 'compiled'),
        death,
        bank: lasting,
        onCallback: (url) => hear(url, heard),
        onDiskFailure: () => {
          happened.failures += 1
        },
      })
    },
  }
}

function hear(url: string, heard: Map<string, readonly Heard[]>): void {
  const { searchParams } = new URL(url)
  const told = (name: string) => searchParams.get(name) ?? ''
  const clientOrderId = told('client_orderid')
  const before = heard.get(clientOrderId) ?? []
  heard.set(clientOrderId, [...before, { orderId: told('orderid'), status: told('status') }])
}
