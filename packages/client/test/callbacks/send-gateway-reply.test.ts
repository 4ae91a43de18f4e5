import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { GatewayReply } from '@tallystick/core'
import { expect, test } from 'vitest'
import { sendGatewayReply } from '../../src/index.ts'

interface Seen {
  readonly status?: number | undefined
  readonly length?: string | undefined
  readonly body: string
  readonly isWhole: boolean
}

/** What a caller sees of a reply over a socket. */
async function seen(reply: GatewayReply): Promise<Seen> {
  const server = createServer((_request, response) => sendGatewayReply(response, reply)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await ask((server.address() as AddressInfo).port)
  } finally {
    server.close().closeAllConnections()
  }
}

function ask(port: number): Promise<Seen> {
  return new Promise((resolve) => {
    const outgoing = request({ port, host: '127.0.0.1', agent: false }, (incoming) => {
      let body = ''
      incoming.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      const { statusCode: status, headers } = incoming
      const end = () => resolve({ status, length: headers['content-length'], body, isWhole: incoming.complete })
      incoming.once('close', end).once('error', () => {})
    })
    outgoing.once('error', () => resolve({ body: '', isWhole: false })).end()
  })
}

const headers = { 'content-type': 'text/plain; charset=utf-8' }

test('A reply of a gateway is sent with its length in bytes', async () => {
  expect(await seen({ status: 403, headers, body: 'größer' })).toEqual({
    status: 403,
    length: '8',
    body: 'größer',
    isWhole: true,
  })
})

test('A reply that is to be cut within its body ends before it is whole', async () => {
  expect(await seen({ status: 200, headers, body: 'größ', cut: 'within-body' })).toEqual({
    status: 200,
    length: '7',
    body: 'größ',
    isWhole: false,
  })
})

test('A reply that is to be lost is not begun', async () => {
  expect(await seen({ status: 0, headers: {}, body: '', cut: 'before-reply' })).toEqual({ body: '', isWhole: false })
})
