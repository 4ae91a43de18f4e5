import { field, filledIn, stated } from '../models/field.ts'
import { digits, flag, id, ipAddress, oneOf, text, wholeNumber } from '../models/formats.ts'
import * as browser from './browser.ts'

/** Results of the 3DS steps. Interface parts 2 and 4, gaps part 3.3. */

const emv = filledIn('3.3')

/**
 * No document bounds the two messages, and a bound that is too low loses a customer who has authenticated. This is what the
 * 64 KiB of a request have room for, escapes included.
 */
const LONGEST_MESSAGE = 49_152

/** Gateways and their pages disagree about the case of the two (conflict C8). */
export const cRes = field('cRes', text(LONGEST_MESSAGE), emv, 'The CRes that the issuer returned, in base64url.', [
  'cres',
  'CRes',
  'CRES',
])
export const paRes = field('paRes', text(LONGEST_MESSAGE), emv, 'The PaRes that the issuer returned.', [
  'pares',
  'PaRes',
  'PARES',
])
export const md = field('md', text(4096), emv, 'The MD that came back beside the PaRes.', ['MD'])

export const threeDsServerTransId = field(
  'threeDSServerTransID',
  id(36),
  emv,
  'The id of the 3DS transaction, as the method frame had it.',
)
export const methodCompletion = field(
  'threeDSCompInd',
  oneOf('Y', 'N', 'U'),
  stated('2', '3.3'),
  'Whether the method frame completed: Y, N after 10 seconds without, U when there was no method URL.',
)
export const browserAcceptHeader = field('browserAcceptHeader', text(2048), emv, browser.browserAcceptHeader.meaning)
export const browserIp = field('browserIP', ipAddress, emv, "The browser's network address.")
export const browserJavaEnabled = field('browserJavaEnabled', flag, emv, browser.browserJavaEnabled.meaning)
export const browserJavascriptEnabled = field(
  'browserJavascriptEnabled',
  flag,
  emv,
  browser.browserJavascriptEnabled.meaning,
)
export const browserLanguage = field('browserLanguage', text(8), emv, browser.browserLanguage.meaning)
export const browserColorDepth = field('browserColorDepth', digits(1, 2), emv, browser.browserColorDepth.meaning)
export const browserScreenHeight = field('browserScreenHeight', digits(1, 6), emv, browser.browserScreenHeight.meaning)
export const browserScreenWidth = field('browserScreenWidth', digits(1, 6), emv, browser.browserScreenWidth.meaning)
export const browserTimeZone = field('browserTZ', wholeNumber(-840, 840), emv, browser.browserTimeZone.meaning)
export const browserUserAgent = field('browserUserAgent', text(2048), emv, browser.browserUserAgent.meaning)
