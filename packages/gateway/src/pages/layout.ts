import { html } from '@remix-run/html-template'
import { inAscii, inOnePiece } from '../texts/in-ascii.ts'
import type { Language } from '../texts/languages.ts'
import type { Page } from './page.ts'
import { STYLE } from './style.ts'

/** Writes a whole page: the frame that all pages have, and the page's own content. */
export type Layout = (page: Page, nonce: string) => string

/** Stands for what is new in every page. No text has this character. */
const PLACE = '\0'

/** The frame around a page is written once for each title, script and language, all of which are our own texts. */
export function layout(): Layout {
  const known = new Map<string | undefined, Map<string, readonly string[]>>()

  function framesOf(script: string | undefined): Map<string, readonly string[]> {
    const frames = known.get(script) ?? new Map()
    known.set(script, frames)
    return frames
  }

  return ({ title, body, script, language }, nonce) => {
    const frames = framesOf(script)
    const name = `${language.tag} ${title}`
    const frame = frames.get(name) ?? frameOf(title, script, language)
    frames.set(name, frame)
    const [start = '', beforeBody = '', afterBody = '', end = ''] = frame
    const whole = `${start}${nonce}${beforeBody}${String(body)}${afterBody}`
    return script === undefined ? whole : `${whole}${nonce}${end}`
  }
}

/** Style and script are our own constant texts. Everything else is escaped. */
function frameOf(title: string, script: string | undefined, { tag }: Language): readonly string[] {
  const scripted = script === undefined ? '' : html`<script nonce="${PLACE}">${html.raw`${script}`}</script>`
  const whole = html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${inAscii(html`${title}`)}</title>
<link rel="icon" href="data:,">
<style nonce="${PLACE}">${STYLE}</style>
</head>
<body>
<main>
${PLACE}
</main>
${scripted}
</body>
</html>
`
  return String(whole).split(PLACE).map(inOnePiece)
}
