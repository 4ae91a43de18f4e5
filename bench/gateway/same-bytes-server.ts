/** Sends the same answer, with its headers, to every request. Reports its port, and on request the CPU time that it has used. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const { headers, body } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const { connection: _, date: __, 'keep-alive': ___, ...own } = headers

const server = createServer((_request, response) => {
  response.writeHead(200, own)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }))
process.once('SIGINT', () => process.exit())
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.({ cpu: user + system })
})
