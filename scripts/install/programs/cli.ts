import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'

/** Runs the command as it was installed. */
const tallystick = (...args: readonly string[]) =>
  execFileSync('node_modules/.bin/tallystick', [...args], { encoding: 'utf8' })

writeFileSync('control.key', 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20\n')
const fields = ['client_orderid=902B4FF5', 'amount=10.42', 'email=john.smith@gmail.com']
const signed = tallystick('sign', 'sale', '--endpoint', '1111', '--key-file', 'control.key', ...fields)
if (!signed.includes('c6bdd88a78834ef4b863b088827a459f039e8257')) throw new Error(signed)
if (!tallystick('gateway', '--help').includes('--sandbox')) throw new Error('the gateway does not run')
if (!/^\d+\.\d+\.\d+\n$/.test(tallystick('--version'))) throw new Error('there is no version')

// A sandbox without a file: what it prints pays, and finds the order.
const sandbox = spawn('node_modules/.bin/tallystick', ['gateway', '--sandbox', '--port', '0'])
let printed = ''
sandbox.stdout.resume()
sandbox.stderr.on('data', (data) => {
  printed += data
})
try {
  while (!/^ {2}curl .*\n/m.test(printed)) await once(sandbox.stderr, 'data')
  for (const [, name = '', value] of printed.matchAll(/^ {2}export (\w+)=(\S+)$/gm)) process.env[name] = value
  const [, url = '', header = '', value = '', body = ''] =
    /^ {2}curl (\S+) -H '(\S+): (\S+)' -d '(\S+)'$/m.exec(printed) ?? []
  const headers = { [header]: value, 'content-type': 'application/x-www-form-urlencoded' }
  const reply = await (await fetch(url, { method: 'POST', headers, body })).text()
  const id = /"paynet-order-id":"(\d+)"/.exec(reply)?.[1]
  if (id === undefined) throw new Error(`the sandbox does not take its own payment: ${reply}${printed}`)
  const order = JSON.parse(tallystick('order', id))
  if (order.login !== 'test' || order.initialAmount !== '10.42') throw new Error(JSON.stringify(order))
  const answered = tallystick('tail', '--once')
    .split('\n')
    .find((line) => line.includes('"type":"reply"'))
  if (JSON.parse(answered ?? '{}').orderId !== id) throw new Error('tallystick tail does not show it')
  if (JSON.parse(tallystick('orders')).orderId !== id) throw new Error('tallystick orders does not list it')
} finally {
  sandbox.kill()
  await once(sandbox, 'close')
}
