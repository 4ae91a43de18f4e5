/** Long random parts of a path are tokens of pages, and whoever has one can open the page. */
const TOKEN = /[\w-]{20,}/g

/** The path of an address as a log may have it: without its query, which is about a payment, and without tokens. */
export function shownPath(url: string): string {
  return url.replace(/\?.*/s, '').replace(TOKEN, '***')
}
