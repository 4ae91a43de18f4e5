import { field, filledIn, stated } from '../models/field.ts'
import { digits, flag, id, ipAddress, oneOf, text, wholeNumber } from '../models/formats.ts'

/** Results of the 3DS steps. Interface parts 2 and 4, gaps part 3.3. */

const emv = filledIn('3.3')

/** Gateways and their pages disagree about the case of the two (conflict C8). */
export const cRes = field('cRes', text(4096), emv, 'The CRes that the issuer returned, in base64url.', [
  'cres',
  'CRes',
  'CRES',
])
export const paRes = field('paRes', text(10_240), emv, 'The PaRes that the issuer returned.', [
  'pares',
  'PaRes',
  'PARES',
])
export const md = field('md', text(1024), emv, 'The MD that came back beside the PaRes.', ['MD'])

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
export const browserAcceptHeader = field('browserAcceptHeader', text(2048), emv, 'The Accept header of the browser.')
export const browserIp = field('browserIP', ipAddress, emv, "The browser's network address.")
export const browserJavaEnabled = field('browserJavaEnabled', flag, emv, 'Whether the browser runs Java.')
export const browserJavascriptEnabled = field(
  'browserJavascriptEnabled',
  flag,
  emv,
  'Whether the browser runs scripts.',
)
export const browserLanguage = field('browserLanguage', text(8), emv, 'The language of the browser, a BCP 47 tag.')
export const browserColorDepth = field('browserColorDepth', digits(1, 2), emv, 'The colour depth in bits.')
export const browserScreenHeight = field('browserScreenHeight', digits(1, 6), emv, 'The screen height in pixels.')
export const browserScreenWidth = field('browserScreenWidth', digits(1, 6), emv, 'The screen width in pixels.')
export const browserTimeZone = field('browserTZ', wholeNumber(-840, 840), emv, 'Minutes between UTC and local time.')
export const browserUserAgent = field('browserUserAgent', text(2048), emv, 'The User-Agent header of the browser.')
