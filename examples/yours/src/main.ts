// npm start: the shop, with a gateway in this process until you have the keys of a real one.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGateway } from '@tallystick/testing'
import { createShop } from './shop.ts'

const port = Number(process.env['PORT'] ?? 3000)
const url = `http://127.0.0.1:${port}`

// With keys, use createPaymentClient of @tallystick/client, a file that stays, and an address that the gateway can reach.
const client = (await startGateway()).client()
const file = join(mkdtempSync(join(tmpdir(), 'shop-')), 'shop.db')

// Before the first customer: are the keys and the address right? This creates nothing.
const check = await client.checkCredentials()
if (check.credentials !== 'right') {
  // Wrong keys, or a wrong path in baseUrl:
  if (check.error?.retry === 'never') throw new Error(check.remedy, { cause: check.error })
  console.warn(check.remedy) // the gateway is unreachable, which says nothing about the keys: open anyway
}

createShop({ client, file, url }).app.listen(port, '127.0.0.1', (error) => {
  if (error) {
    console.error(`The shop cannot listen: ${error.message}. If the port is taken, set another one in PORT.`)
    process.exit(1)
  }
  console.log(`${url}   Card 4444 5555 6666 1111, any name, any future expiry; code 123 is approved, 116 is declined.`)
})
