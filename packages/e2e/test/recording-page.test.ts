import { createHash } from 'node:crypto'
import { readRecording, Secret, writeRecording } from '@tallystick/core'
import { createRecording, createSandbox, recordingPage } from '@tallystick/gateway'
import { saleInput, startGateway } from '@tallystick/testing'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'

const KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'

test('[F-E40] [F-E41] a recording is read from its page as it was, and nothing in it ends its element', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('</script>', '<!--<script>', '\\u003c', '\\<', '$&', "$'", '\u2028', '</title>'),
  )
  const property = fc.asyncProperty(fc.array(text, { maxLength: 8 }), text, async (texts, title) => {
    const recording = createRecording()
    for (const [at, clientOrderId] of texts.entries()) {
      recording.record({ half: 'gateway', type: 'fault', at, what: 'set', clientOrderId })
    }
    const page = await recordingPage(recording.ndjson(), { title })
    expect(writeRecording(readRecording(page))).toBe(recording.ndjson())
    expect(page.match(/<\/script/gi)).toHaveLength(2)
    expect(page).not.toContain('<!--')
  })
  await fc.assert(property, { numRuns: 200 })
})

test('[F-E40] the policy of the page names what it has by its hash, and nothing else', async () => {
  const page = await recordingPage('')
  const [, policy] = /http-equiv="content-security-policy" content="([^"]*)"/.exec(page) ?? []
  const hashOf = (element: RegExp) =>
    createHash('sha256')
      .update(element.exec(page)?.[1] ?? '')
      .digest('base64')
  expect(policy).toBe(
    "default-src 'none'; base-uri 'none'; " +
      `script-src 'sha256-${hashOf(/<script>(.*?)<\/script>/s)}'; style-src 'sha256-${hashOf(/<style>(.*?)<\/style>/s)}'; ` +
      "img-src data:; form-action 'none'; require-trusted-types-for 'script'",
  )
  expect(page).not.toMatch(/\ssrc=|\son\w+=|<link rel="stylesheet"/)
})

test('[F-E40] the sandbox gives the page to whoever has the key, also of one order, as a download', async () => {
  const gateway = await startGateway()
  onTestFinished(() => gateway.close())
  for (const clientOrderId of ['inv-1', 'inv-2']) await gateway.client().sale(saleInput({ clientOrderId }))
  await gateway.settled()
  const handle = createSandbox(gateway, { operatorKey: new Secret(KEY) })
  const get = (url: string, authorization = `Bearer ${KEY}`) =>
    handle({ method: 'GET', url, headers: { host: '127.0.0.1:9465', authorization }, body: '' })
  const all = await get('/__sandbox/recording.html')
  expect([all.status, all.headers['content-disposition']]).toEqual([200, 'attachment; filename="recording.html"'])
  expect(writeRecording(readRecording(all.body))).toBe(gateway.recording?.ndjson())
  const { orderId } = await gateway.order('inv-1')
  const one = readRecording((await get(`/__sandbox/recording.html?orderId=${orderId}`)).body)
  expect(new Set(one.flatMap((event) => ('clientOrderId' in event ? event.clientOrderId : [])))).toEqual(
    new Set(['inv-1']),
  )
  expect((await get('/__sandbox/recording.html', 'Bearer wrong')).status).toBe(401)
})
