import { existsSync } from 'node:fs'

/** Where distributions and installers put it. */
const USUAL = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium of this machine, or of `CHROMIUM`, which is empty for none. None is ever downloaded. */
export function findChromium(): string | undefined {
  const named = process.env['CHROMIUM']
  if (named !== undefined) return named === '' ? undefined : named
  return USUAL.find((path) => existsSync(path))
}
