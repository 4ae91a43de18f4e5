import { type Browser, chromium } from 'playwright-core'
import { findChromium } from './find-chromium.ts'

/** With these the browser only requests the pages under test, and runs as root in a container. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Opens the Chromium of this machine, without a window. Throws if there is none: call `findChromium` first. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (executablePath === undefined) throw new Error('No Chromium was found on this machine')
  return await chromium.launch({ executablePath, args: QUIET })
}
