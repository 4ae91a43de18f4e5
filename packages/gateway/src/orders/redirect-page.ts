import { html } from '@remix-run/html-template'

/** A page that a merchant can show in place of a redirect: it submits itself, or by its button where scripts do not run. */
export function redirectPage(address: string): string {
  return String(html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>3-D Secure</title></head>
<body>
<form action="${address}" method="get"><button>Continue</button></form>
<script>document.forms[0].submit()</script>
</body>
</html>
`)
}
