const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A text for an element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
}

/** A form's hidden fields. */
export function hiddenFields(fields: Readonly<Record<string, string>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`)
    .join('')
}

/** An address that a browser may be sent to: http or https, without a user name in it. */
export function isBrowserAddress(address: unknown): address is string {
  const url = typeof address === 'string' ? URL.parse(address) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === ''
}
