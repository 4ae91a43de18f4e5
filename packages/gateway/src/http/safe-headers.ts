/** Loads nothing from anywhere. A page that needs more says so itself. */
export const NOTHING = "default-src 'none'; base-uri 'none'"
export const NO_FRAME = "frame-ancestors 'none'"

/**
 * Headers of every answer. They keep it from being cached, framed, leaked by its address as a referrer, or taken for another
 * type. Answers that are not pages have them too, since a browser may be made to open any address.
 */
export const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': `${NOTHING}; ${NO_FRAME}`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
