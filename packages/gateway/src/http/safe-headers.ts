/** Nothing from anywhere. What a page needs beyond it, it says itself. */
export const NOTHING = "default-src 'none'; base-uri 'none'"
export const NO_FRAME = "frame-ancestors 'none'"

/**
 * Headers of every answer, that let nobody keep it, show it in a frame, hear of its address or take it for something else:
 * also where it is no page, since a browser may be made to open any address.
 */
export const SAFE_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': `${NOTHING}; ${NO_FRAME}`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const
