import { field, filledIn } from '../models/field.ts'
import { digits, flag, oneOf, text, wholeNumber } from '../models/formats.ts'

/** The customer's browser, for 3DS 2. Gaps part 3.1. */

const origin = filledIn('3.1')

export const browserInfo = field(
  'customer_browser_info',
  flag,
  origin,
  'Whether the fields about the browser are supplied.',
)
export const browserAcceptHeader = field(
  'customer_browser_accept_header',
  text(2048),
  origin,
  'The Accept header of the request, never a value of the page.',
)
export const browserUserAgent = field(
  'customer_browser_user_agent',
  text(2048),
  origin,
  'The User-Agent header of the request.',
)
export const browserJavascriptEnabled = field(
  'customer_browser_javascript_enabled',
  flag,
  origin,
  'Whether the browser runs scripts.',
)
export const browserJavaEnabled = field('customer_browser_java_enabled', flag, origin, 'Whether the browser runs Java.')
export const browserLanguage = field(
  'customer_browser_accept_language',
  text(35),
  origin,
  'The language of the browser as a BCP 47 tag (navigator.language).',
)
export const browserColorDepth = field(
  'customer_browser_color_depth',
  oneOf('1', '4', '8', '15', '16', '24', '32', '48'),
  origin,
  'The colour depth of the screen in bits.',
)
export const browserScreenWidth = field(
  'customer_browser_screen_width',
  digits(1, 6),
  origin,
  'The width of the screen in pixels.',
)
export const browserScreenHeight = field(
  'customer_browser_screen_height',
  digits(1, 6),
  origin,
  'The height of the screen in pixels.',
)
export const browserTimeZone = field(
  'customer_browser_time_zone',
  wholeNumber(-840, 840),
  origin,
  'Minutes between UTC and local time, as getTimezoneOffset() gives them.',
)
