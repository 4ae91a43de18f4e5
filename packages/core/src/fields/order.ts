import { field, filledIn, respelled, stated } from '../models/field.ts'
import {
  amount as amountFormat,
  currency as currencyFormat,
  digits,
  flag,
  id,
  name,
  oneOf,
  text,
  webAddress,
} from '../models/formats.ts'

/** The order: who asks, which order, how much, where to answer. Interface part 2, gaps part 3.1. */

export const login = field('login', name(20), stated('2', '3.2'), "The merchant's login; also the OAuth consumer key.")

export const clientOrderId = field(
  'client_orderid',
  name(128),
  stated('2', '3.1'),
  "The merchant's own id of the order.",
  ['client-order-id', 'client-orderid'],
)

/** As the 3DS uploads, pan eligibility and transfer by reference spell it. */
export const clientOrderIdHyphened = respelled(clientOrderId, 'client-order-id')

/** As the recurring operations spell it: one hyphen. */
export const clientOrderIdRecurring = respelled(clientOrderId, 'client-orderid', { origin: filledIn('3.4') })

export const orderId = field('orderid', id(20), stated('2', '3.2'), "The gateway's own id of the order.")

/** The uploads allow a longer id than the v2 operations. */
export const uploadedOrderId = respelled(orderId, 'orderid', { format: id(128), origin: stated('2', '3.3') })

export const orderDesc = field(
  'order_desc',
  text(65_536),
  stated('2', '3.1'),
  'What is sold, in words. The whole request has at most 64 KiB, percent-encoded.',
)

/** A payout's is short (gaps part 3.2). */
export const payoutDesc = { ...orderDesc, format: text(64), origin: stated('2', '3.2') }

export const amount = field(
  'amount',
  amountFormat,
  stated('2', '3'),
  'The amount in major units with a dot: "10.42" is ten and forty-two hundredths.',
)

export const currency = field('currency', currencyFormat, stated('2', '3.2'), 'The currency by its ISO 4217 letters.')

export const purpose = field('purpose', text(128), stated('2', '3.1'), 'What the money is for.', ['destination'])

export const siteUrl = field('site_url', text(128), filledIn('3.1'), 'The address of the shop that sells.')

export const redirectUrl = field(
  'redirect_url',
  webAddress(1024),
  stated('2', '3.1'),
  'Where the browser comes back to, by POST, whatever the outcome.',
)

export const redirectSuccessUrl = field(
  'redirect_success_url',
  webAddress(1024),
  stated('2', '3.1'),
  'Where the browser comes back to after success, in place of redirect_url.',
)

export const redirectFailUrl = field(
  'redirect_fail_url',
  webAddress(1024),
  stated('2', '3.1'),
  'Where the browser comes back to after a failure, in place of redirect_url.',
)

export const serverCallbackUrl = field(
  'server_callback_url',
  webAddress(1024),
  stated('6', '3.1'),
  'Where the gateway reports the final outcome of this order.',
  ['server-callback-url'],
)

export const notifyUrl = field(
  'notify_url',
  webAddress(1024),
  filledIn('3.1'),
  'Like server_callback_url, and also for later reversals and chargebacks.',
)

export const merchantData = field(
  'merchant_data',
  text(65_536),
  stated('2', '3.1'),
  'Any text; comes back as merchantdata in the status, and in a callback if its address stays within 8,000 bytes.',
)

export const preferredLanguage = field(
  'preferred_language',
  text(35),
  filledIn('3.1'),
  'The language of the pages that the gateway shows, as a BCP 47 tag.',
)

export const comment = field('comment', text(50), filledIn('3.2'), 'Why, in words, for the people who look later.')

export const dapiImei = field('dapi_imei', text(128), filledIn('3.2'), 'The id of the device that pays.')

export const byRequestSn = field(
  'by-request-sn',
  name(128),
  filledIn('3.2'),
  'The serial number of one request: asks for the status of that request. Not signed.',
)

export const recurrentScenario = field(
  'recurrent_scenario',
  oneOf('REGULAR', 'IRREGULAR'),
  filledIn('3.2'),
  'Whether the charges of the stored card follow a schedule.',
)

export const depositToCard = field(
  'deposit2card',
  flag,
  stated('2', '3.4'),
  "Whether the money comes from the merchant's deposit.",
)

export const endpoint = field(
  'Endpoint',
  digits(1, 10),
  filledIn('3.4'),
  'The endpoint once more; optional, the path decides.',
  ['endpoint'],
)
