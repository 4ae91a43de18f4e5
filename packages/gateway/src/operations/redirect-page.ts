import { html } from '@remix-run/html-template'
import type { Language } from '../texts/languages.ts'

/** A page that a merchant can show instead of a redirect. It submits itself, or by its button if scripts do not run. */
export function redirectPage(address: string, { tag, texts }: Language): string {
  return String(html`<!doctype html>
<html lang="${tag}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${texts.titleOfThreeDs}</title>
</head>
<body>
<main>
<h1>${texts.titleOfThreeDs}</h1>
<form action="${address}" method="get"><button>${texts.continue}</button></form>
</main>
<script>document.forms[0].submit()</script>
</body>
</html>
`)
}
