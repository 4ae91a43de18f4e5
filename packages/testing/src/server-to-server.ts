import type { RequestInput } from '@tallystick/core'

/**
 * What a sale tells of the customer's browser when the merchant takes the customer through 3DS itself: its status then
 * shows each step, and the results are uploaded.
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
