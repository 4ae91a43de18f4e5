// npm start: the shop, with a gateway in this process for as long as you have no keys of a real one.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '@tallystick/testing'
import { createShop } from './shop.ts'

const port = Number(process.env['PORT'] ?? 3000)
const url = `http://127.0.0.1:${port}`

// With keys: createPaymentClient of @tallystick/client, a file that stays, and an address that the gateway can reach.
const client = (await startGateway()).client()
const file = join(mkdtempSync(join(tmpdir(), 'shop-')), 'shop.db')

// Nobody should find out by a payment that the key or the address is wrong.
const check = await client.checkCredentials()
if (check.credentials !== 'right') {
  if (check.error?.retry === 'never') throw new Error(check.remedy)
  // The gateway is away, and says nothing of the key: that is no reason to stay closed.
  console.warn(check.remedy)
}

createShop({ client, file, url }).app.listen(port, '127.0.0.1', (error) => {
  if (error) {
    console.error(`The shop cannot listen: ${error.message}. Where the port is taken, name another one in PORT.`)
    process.exit(1)
  }
  console.log(`${url}   Card 4444 5555 6666 1111, any name, any month to come; code 123 is approved, 116 declined.`)
})
