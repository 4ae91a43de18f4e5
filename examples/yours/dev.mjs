// npm run dev: a gateway in this process, and the shop beside it with the gateway's keys. Nothing is charged.
import { spawn } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { startGateway } from '@tallystick/testing'

const port = process.env.PORT ?? '3000'
const url = `http://127.0.0.1:${port}`
const { baseUrl, login, controlKey, endpointId } = (await startGateway()).merchant
const env = {
  ...process.env,
  PORT: port,
  SHOP_URL: url,
  // A new one, as the gateway is: it does not know the payments of the last time.
  SHOP_DATABASE: join(mkdtempSync(join(tmpdir(), 'shop-')), 'dev.db'),
  TALLYSTICK_BASE_URL: baseUrl,
  TALLYSTICK_LOGIN: login,
  TALLYSTICK_CONTROL_KEY: controlKey.reveal(),
  TALLYSTICK_ENDPOINT: endpointId,
}
const shop = spawn('npm', ['start', '--silent'], { env, stdio: 'inherit', shell: process.platform === 'win32' })
shop.once('exit', (code) => process.exit(code ?? 0))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => shop.kill(signal))

const isOpen = () => fetch(url).then(Boolean, () => false)
while (!(await isOpen())) await setTimeout(100)
console.log(`${url}   Card 4444 5555 6666 1111, any name, any future expiry; code 123 is approved, 116 is declined.`)
