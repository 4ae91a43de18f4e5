/** What a page is looked at with: every test of a whole way goes through all of them. */
export const WINDOWS = {
  'at a desk': { viewport: { width: 1280, height: 900 } },
  'on a phone': { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 },
} as const
export const SCRIPT = {
  'with script': { javaScriptEnabled: true },
  'without script': { javaScriptEnabled: false },
} as const

export type Script = (typeof SCRIPT)[keyof typeof SCRIPT]
