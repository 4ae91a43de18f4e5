import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The first one is the same browser without windows, in which a test takes half the time. */
const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
const ON_MACOS = ['Chromium', 'Google Chrome'].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)

/** The Chromium that `CHROMIUM` names (if empty: none), or the first one on this machine. Never downloads one. */
export function findChromium({ CHROMIUM, PATH = '' } = process.env): string | undefined {
  if (CHROMIUM !== undefined) return CHROMIUM === '' ? undefined : CHROMIUM
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...ON_MACOS].find((file) => existsSync(file))
}
