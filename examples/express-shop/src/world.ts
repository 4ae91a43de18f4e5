import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startGateway, type TestGateway } from '@tallystick/testing'
import { createShop, type Shop } from './shop.ts'

export interface World {
  readonly gateway: TestGateway
  readonly shop: Shop
  readonly shopUrl: string
  close(): Promise<void>
}

export interface WorldOptions {
  /** `undefined`: the usual one, or any free one when it is taken. */
  readonly gatewayPort: number | undefined
  readonly shopPort: number | undefined
  /** Hears what happens in the shop. */
  readonly log: (line: string) => void
}

/** A gateway and a shop on sockets of this machine. */
export async function startWorld({ gatewayPort, shopPort, log }: WorldOptions): Promise<World> {
  const gateway = await startOn(gatewayPort, 8080, (port) => startGateway({ port, currencies: ['USD', 'EUR'] }))
  const server = createServer()
  await startOn(shopPort, 3000, (port) => listen(server, port))
  const shopUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const shop = createShop({ client: gateway.client(), publicUrl: shopUrl, log })
  server.on('request', shop.app)
  return { gateway, shop, shopUrl, close: () => closeAll(server, gateway) }
}

async function startOn<T>(asked: number | undefined, usual: number, start: (port: number) => Promise<T>): Promise<T> {
  try {
    return await start(asked ?? usual)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EADDRINUSE') throw error
    if (asked !== undefined) throw new Error(`port ${asked} is taken; choose another`, { cause: error })
    return await start(0)
  }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve()
    })
  })
}

async function closeAll(server: Server, gateway: TestGateway): Promise<void> {
  server.close()
  server.closeAllConnections()
  await gateway.close()
}
