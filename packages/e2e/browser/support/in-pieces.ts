import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { visit } from './visit.ts'

/** Long enough for a browser to show what has come. */
const BETWEEN_PIECES = 40

/** Visits a page that comes over a slow line: the browser shows each element before it knows of the next. */
export async function visitInPieces(context: BrowserContext, address: string): Promise<Page> {
  const pieces = (await (await fetch(address)).text()).split(/(?<=<\/(?:span|label|div|dl|p)>|spellcheck="false">)/)
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8')
    void (async () => {
      for (const piece of pieces) {
        response.write(piece)
        await pause(BETWEEN_PIECES)
      }
      response.end()
    })()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    return (await visit(context, `http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).page
  } finally {
    server.close()
  }
}
