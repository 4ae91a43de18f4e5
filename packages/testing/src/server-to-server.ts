import type { RequestInput } from '@tallystick/core'

/**
 * The fields of a sale about the customer's browser, for a merchant who leads the customer through 3DS: the status then
 * shows each step, and the merchant uploads the results.
 */
export const serverToServer = {
  redirectUrl: 'https://shop.example.com/return',
  browserInfo: true,
  browserAcceptHeader: 'text/html',
  browserUserAgent: 'Mozilla/5.0',
  browserLanguage: 'en-GB',
  browserJavascriptEnabled: true,
  browserJavaEnabled: false,
  browserColorDepth: '24',
  browserScreenWidth: '1280',
  browserScreenHeight: '800',
  browserTimeZone: '-120',
} as const satisfies Partial<RequestInput<'sale'>>
