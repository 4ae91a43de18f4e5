import { html } from '@remix-run/html-template'
import type { Page } from './page.ts'
import { STYLE } from './style.ts'
import type { Language } from './texts/languages.ts'

interface Frame {
  readonly nonce: string
  readonly language: Language
}

/** What all pages have around them. Style and script are constant texts of ours; everything else is escaped. */
export function layout({ title, body, script }: Page, { nonce, language }: Frame): string {
  const scripted = script === undefined ? '' : html`<script nonce="${nonce}">${html.raw`${script}`}</script>`
  return String(html`<!doctype html>
<html lang="${language.tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
${body}
</main>
${scripted}
</body>
</html>
`)
}
