import { hash } from 'node:crypto'
import { recordingInPage } from '@tallystick/core/internal'
import { NOTHING } from '../http/reply.ts'

/** What the page of a recording shows first, and is called. */
export interface RecordingPageOptions {
  /** Of the browser's window. */
  readonly title?: string | undefined
  /** The page opens where something went wrong first after the event with this id. Absent: at all that happened. */
  readonly troubleAfter?: number | undefined
}

/**
 * The workbench with a recording in it as one page, which opens from a file without a server, and asks nobody for anything.
 * `readRecording` of core reads the recording from it.
 *
 * @param recording as text, an event a line: `recording.ndjson()`
 */
export async function recordingPage(recording: string, options: RecordingPageOptions = {}): Promise<string> {
  const { title = 'Recording', troubleAfter } = options
  const { files } = await import('@tallystick/workbench')
  const textOf = (path: string) => files[path]?.text ?? ''
  const [script, style] = [textOf('/workbench.js'), textOf('/workbench.css')]
  const after = troubleAfter === undefined ? '' : ` data-after="${troubleAfter}"`
  // A function gives each part as it is: a text may have signs that a replacement would take for its own.
  return textOf('/')
    .replace('<meta charset="utf-8">', (charset) => `${charset}\n${policyFor(script, style)}`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)}</title>`)
    .replace(/<link rel="stylesheet"[^<>]*>/, () => `<style>${style}</style>`)
    .replace(/<script [^<>]*><\/script>\n/, '')
    .replace('<div id="workbench">', `<div id="workbench"${after}>`)
    .replace('</body>', () => `${recordingInPage(recording)}\n<script>${script}</script>\n</body>`)
}

/** By their hashes, so that nothing else runs, whatever is in the recording. */
function policyFor(script: string, style: string): string {
  const [ofScript, ofStyle] = [script, style].map((text) => `'sha256-${hash('sha256', text, 'base64')}'`)
  const policy = [
    NOTHING,
    `script-src ${ofScript}`,
    `style-src ${ofStyle}`,
    'img-src data:',
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ]
  return `<meta http-equiv="content-security-policy" content="${policy.join('; ')}">`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
}
