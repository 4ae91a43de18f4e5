import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where callbacks go: a shop that answers each alike, 200 at first. */
export async function openCallbackShop() {
  let status = 200
  let calls = 0
  const server = createServer((_, response) => {
    calls++
    response.statusCode = status
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** From now on. */
    answers: (next: number) => {
      status = next
    },
    called: () => calls,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
