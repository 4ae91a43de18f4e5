import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { hangUpAfterAnswers, type RunningShop, type ShopSetup } from '@tallystick/shop-kit'
import { createShop } from './shop.ts'

/** Listens before it creates the shop, which has to know the address at which the gateway reaches it. */
export async function startShop({ port, ...setup }: ShopSetup): Promise<RunningShop> {
  const server = createServer()
  const url = await listen(server, port)
  const { app, journal } = await createShop({ ...setup, publicUrl: url })
  server.on('request', app)
  hangUpAfterAnswers(server)
  return {
    url,
    journal,
    close: async () => {
      await new Promise((resolve) => server.close(resolve))
      await journal.close()
    },
  }
}

function listen(server: Server, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    })
  })
}
