import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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

test('[F-E44] workbench alone runs a sandbox with its page, and ends when it is told to', async () => {
  const main = join(import.meta.dirname, '../../src/runtime/main.ts')
  const flags = ['--conditions=@tallystick/source', '--no-warnings', main, 'workbench', '--port', '0']
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'ignore', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const address = await new Promise<string>((resolve) => {
    createInterface(child.stderr).on('line', (line) => {
      const [found] = /http:\/\/\S+\?token=\S+/.exec(line) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  const page = await fetch(address)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain('<title>Tallystick workbench</title>')
  child.kill('SIGTERM')
  expect(await exited).toEqual([0, null])
})
