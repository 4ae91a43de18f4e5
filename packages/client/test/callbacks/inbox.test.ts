import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createCallbackHandler } from '../../src/index.ts'
import type { ReceivedCallback } from '../../src/ports.ts'

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')
const notice = { status: 'approved', orderid: '1', client_orderid: 'a', control: sha1('approved1akey') }
const query = (changes = {}) => new URLSearchParams({ ...notice, ...changes }).toString()

function shop(answer: 'stored' | 'full' = 'stored', isSigned = true) {
  const heard: string[] = []
  const client = { verifiesCallback: () => isSigned, wake: (id: string) => void heard.push(`wake ${id}`) }
  const receive = async ({ clientOrderId }: ReceivedCallback) => {
    heard.push(`kept ${clientOrderId}`)
    return answer
  }
  return { heard, handle: createCallbackHandler({ client, inbox: { receive } }) }
}

describe('With an inbox a callback', () => {
  test('[G6-03] is stored, then wakes the waits, then is answered with 200, without a status check', async () => {
    const { heard, handle } = shop()
    expect(await handle({ method: 'GET', query: query() })).toMatchObject({ status: 200 })
    expect(heard).toEqual(['kept a', 'wake a'])
  })

  test('is answered with 503 if the inbox is full', async () => {
    expect(await shop('full').handle({ method: 'GET', query: query() })).toMatchObject({ status: 503 })
  })

  test('is not stored if its control is wrong, or if it is no callback', async () => {
    const { heard, handle } = shop('stored', false)
    expect(await handle({ method: 'GET', query: query() })).toMatchObject({ status: 403 })
    expect(await handle({ method: 'GET', query: '' })).toMatchObject({ status: 400 })
    expect(heard).toEqual([])
  })

  test('that cannot be stored is not acknowledged: the error says 503, so that the gateway calls again', async () => {
    const client = { verifiesCallback: () => true }
    const cause = new Error('the disk is full')
    const inbox = { receive: () => Promise.reject(cause) }
    const handle = createCallbackHandler({ client, inbox })
    await expect(handle({ method: 'GET', query: query() })).rejects.toMatchObject({
      name: 'HandlerError',
      code: 'NOT_TAKEN',
      status: 503,
      statusCode: 503,
      expose: false,
      message: expect.not.stringContaining('disk'),
      cause,
    })
  })
})
