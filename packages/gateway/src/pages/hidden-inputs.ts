import { html, type SafeHtml } from '@remix-run/html-template'

/** Inputs that a form sends and nobody types. */
export function hiddenInputs(fields: ReadonlyArray<readonly [name: string, value: string]>): SafeHtml[] {
  return fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
}
