import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { readRecording, Secret, writeRecording } from '@tallystick/core'
import { createSandbox, type Listener, listen, recordingPage } from '@tallystick/gateway'
import { findChromium, openBrowser, overflow, violationsOf } from '@tallystick/test-browser'
import { cards, saleInput, startGateway, type TestGateway } from '@tallystick/testing'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { visit } from './support/visit.ts'
import { WINDOWS } from './support/windows.ts'

const KEY = 'a0c1b7f2d4e9836551f0c2ab9d7e4410'

describe.skipIf(findChromium() === undefined)('a recording in a file, in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'))
  let browser: Browser
  let gateway: TestGateway
  let listener: Listener
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })
  beforeEach(async () => {
    gateway = await startGateway()
    listener = await listen(createSandbox(gateway, { operatorKey: new Secret(KEY) }), { lingerMs: 0 })
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    await listener.close()
    await gateway.close()
  })

  async function paid(clientOrderId: string, changes: object = cards.approved): Promise<string> {
    await gateway.client().sale(saleInput({ ...changes, clientOrderId }))
    await gateway.settled()
    return (await gateway.order(clientOrderId)).orderId
  }

  function inFile(page: string): string {
    const file = join(folder, 'recording.html')
    writeFileSync(file, page)
    return pathToFileURL(file).href
  }

  const openFile = async (page: string, place = '', window: keyof typeof WINDOWS = 'at a desk') =>
    await visit(await browser.newContext(WINDOWS[window]), inFile(page) + place)

  test('[F-E40] [F-E14] every page of it opens without a server, asks nobody, and has no button that needs one', async () => {
    const orderId = await paid('inv-1')
    const request = [...(gateway.recording?.events() ?? [])].find(({ type }) => type === 'request')?.id
    const page = await recordingPage(gateway.recording?.ndjson() ?? '')
    for (const window of ['at a desk', 'on a phone'] as const) {
      const { page: shown, complaints, fetched } = await openFile(page, '', window)
      for (const [place, heading] of [
        ['#/live', 'Live'],
        [`#/request/${request}`, 'sale'],
        [`#/order/${orderId}`, 'inv-1'],
        ['#/callbacks', 'Callbacks'],
        ['#/errors', 'Errors'],
      ] as const) {
        await shown.evaluate(`location.hash = ${JSON.stringify(place)}`)
        await shown.getByRole('heading', { level: 1, name: heading }).waitFor()
        expect([place, await violationsOf(shown), await overflow(shown), complaints]).toEqual([place, [], 0, []])
        expect(await shown.getByRole('button', { name: /Send|Advance|Save|Pay/ }).count()).toBe(0)
      }
      expect(fetched.map(({ url }) => new URL(url).protocol).filter((protocol) => protocol !== 'data:')).toEqual([
        'file:',
      ])
    }
  })

  test('[F-E40] [F-E41] what a merchant writes does not become a part of the page', async () => {
    const attack = '</script><script>document.title = "taken"</script><!--<script>'
    await paid('inv-1', { ...cards.approved, orderDesc: attack, merchantData: attack })
    const ndjson = gateway.recording?.ndjson() ?? ''
    const page = await recordingPage(ndjson, { title: attack })
    expect(writeRecording(readRecording(page))).toBe(ndjson)
    const { page: shown, complaints } = await openFile(page)
    await shown.getByRole('link', { name: /request sale inv-1/ }).click()
    await shown.getByRole('row', { name: attack }).first().waitFor()
    expect([await shown.title(), complaints]).toEqual([attack, []])
  })

  test('[F-E40] it opens where something went wrong first, after the event that it is told', async () => {
    const early = await paid('inv-1', cards.declined)
    const after = gateway.recording?.lastId ?? 0
    await paid('inv-2')
    const declined = await paid('inv-3', cards.insufficientFunds)
    await paid('inv-4')
    const ndjson = gateway.recording?.ndjson() ?? ''
    const opened = async (troubleAfter: number) =>
      new URL((await openFile(await recordingPage(ndjson, { troubleAfter }))).page.url()).hash
    expect([await opened(0), await opened(after)]).toEqual([`#/order/${early}`, `#/order/${declined}`])
    const before = gateway.recording?.lastId
    await gateway.client({ controlKey: 'another' }).sale(saleInput())
    const refused = [...(gateway.recording?.events(before) ?? [])].find(({ type }) => type === 'request')?.id
    const { page } = await openFile(await recordingPage(gateway.recording?.ndjson() ?? '', { troubleAfter: 0 }))
    expect(new URL(page.url()).hash).toBe(`#/request/${refused}`)
  })

  test('[F-E40] [F-E41] it is saved from the workbench, all or one order, and opened there again', async () => {
    const orderId = await paid('inv-1')
    await paid('inv-2')
    const { page } = await visit(await browser.newContext(WINDOWS['at a desk']), `${listener.origin}/?token=${KEY}`)
    const saved = async () => {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save as a file' }).first().click()
      const file = join(folder, 'saved.html')
      await (await download).saveAs(file)
      return file
    }
    const all = await saved()
    expect(writeRecording(readRecording(readFileSync(all, 'utf8')))).toBe(gateway.recording?.ndjson())
    await page.evaluate(`location.hash = '#/order/${orderId}'`)
    await page.getByRole('heading', { level: 1, name: 'inv-1' }).waitFor()
    const one = await saved()
    const events = readRecording(readFileSync(one, 'utf8'))
    expect(events.length).toBeGreaterThan(3)
    expect(JSON.stringify(events)).not.toContain('inv-2')
    await page.getByLabel('Open a recording').setInputFiles(one)
    await page.getByText('A recording', { exact: true }).waitFor()
    await page.getByRole('link', { name: /request sale inv-1/ }).waitFor()
    expect(await page.getByRole('link', { name: /inv-2/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Back to the sandbox' }).click()
    await page.getByRole('link', { name: /request sale inv-2/ }).waitFor()
    await page
      .getByLabel('Open a recording')
      .setInputFiles({ name: 'x.ndjson', mimeType: '', buffer: Buffer.from('{}') })
    await page.getByText('x.ndjson is no recording').waitFor()
  })
})
