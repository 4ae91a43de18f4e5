import { readRecording, writeRecording } from '@tallystick/core'
import { saleInput, startGateway } from '@tallystick/testing'
import { expect, onTestFinished, test } from 'vitest'
import { tryCommand } from '../try-command.ts'

test('[F-E41] workbench makes a page of a recording, and refuses what is none', async () => {
  const gateway = await startGateway({ socket: false })
  onTestFinished(() => gateway.close())
  await gateway.client().sale(saleInput())
  const lines = gateway.recording?.ndjson() ?? ''
  const { code, printed } = await tryCommand(['workbench', '--recording', 'run.ndjson'], { 'run.ndjson': lines })
  expect([code, writeRecording(readRecording(printed))]).toEqual([0, lines])
  expect(printed).toContain('<title>run.ndjson</title>')
  // The page is a recording too.
  const again = await tryCommand(['workbench', '--recording=run.html'], { 'run.html': printed })
  expect(again.printed).toBe(printed.replace('<title>run.ndjson</title>', '<title>run.html</title>'))
  await expect(tryCommand(['workbench', '--recording', 'x'], { x: 'no' })).rejects.toThrow('x is no recording: line 1')
})
