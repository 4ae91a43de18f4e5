import { setTimeout as pause } from 'node:timers/promises'
import { newVaultKeys } from '@tallystick/gateway'
import { type KillableProcess, startProcess } from '@tallystick/proof-kit'
import { testControlKey, testKeyPair } from '@tallystick/testing'
import type { GatewayMethods, GatewayParent, GatewaySettings } from './gateway-process.ts'
import type { ShopMethods, ShopSettings } from './shop-process.ts'

export const LOGIN = 'test-merchant'
export const ENDPOINT = '253'

export type GatewayProcess = KillableProcess<GatewayMethods>
export type ShopProcess = KillableProcess<ShopMethods>

/** The merchant and the keys of a run. */
export function newCredentials() {
  const { publicKey, privateKey } = testKeyPair()
  const controlKey = testControlKey()
  const vaultKeys = newVaultKeys((bytes) => void crypto.getRandomValues(bytes), 'proof').reveal()
  return {
    merchant: { login: LOGIN, endpointId: ENDPOINT, controlKey },
    privateKey,
    gateway: { login: LOGIN, controlKey, publicKey, vaultKeys, endpoints: [{ id: ENDPOINT }] },
  }
}

/** Called by gateways whose clock runs by itself and whose disk is sound. */
const UNCALLED = { callback: () => {}, clockWentOn: () => {}, diskFailed: () => {} }

/** @param methods the bank, and what else a scripted gateway calls */
export function startGatewayProcess(
  settings: GatewaySettings,
  cacheFolder: string,
  methods: Pick<GatewayParent, 'execute' | 'authenticate' | 'lookup'> & Partial<GatewayParent>,
): GatewayProcess {
  const module = new URL('gateway-process.ts', import.meta.url)
  return startProcess({ module, settings, cacheFolder, methods: { ...UNCALLED, ...methods } })
}

export function startShopProcess(settings: ShopSettings, cacheFolder: string): ShopProcess {
  return startProcess({ module: new URL('shop-process.ts', import.meta.url), settings, cacheFolder })
}

const LOOKED_EVERY_MS = 5
const PATIENCE_MS = 15_000

/** Waits for work to be done before a process is killed: on a slow machine, time alone would kill it before it does anything. */
export async function untilDone(isEnough: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!isEnough() && performance.now() < end) await pause(LOOKED_EVERY_MS)
}
