/**
 * Measures what is made of a sale's fields: its control, against a bare hash of the ready text (82 bytes); its form and back,
 * with validation, against a parse of the same object by a plain zod schema with the same checks.
 *
 *     node --conditions=@tallystick/source bench/control.ts [control] [form]
 */
import assert from 'node:assert/strict'
import { createHash, hash } from 'node:crypto'
import {
  catalogue,
  decodeRequest,
  defineProfile,
  encodeRequest,
  parseForm,
  parseRequest,
  serializeForm,
} from '@tallystick/core'
import { signControl, verifyControl } from '@tallystick/signing'
import { parse, safeParse } from 'zod/v4/core'
import { LONG, measure, printTable, timeEach } from './kit/measure.ts'

function control(): void {
  const key = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
  const fields = { endpointId: '22960', orderId: 'invoice-2023-000481x', amount: '1042', email: 'john.smith@gmail.com' }
  const ready = `22960invoice-2023-000481x1042john.smith@gmail.com${key}`
  const control = createHash('sha1').update(ready).digest('hex')

  const terms = () => [fields.endpointId, fields.orderId, fields.amount, fields.email]
  assert.equal(signControl({ terms: terms(), key }), control)
  assert.equal(verifyControl({ terms: terms(), key, control }).ok, true)

  const times = timeEach({
    bare: () => hash('sha1', ready, 'hex'),
    sign: () => signControl({ terms: terms(), key }),
    verify: () => verifyControl({ terms: terms(), key, control }),
  })
  printTable('Control, against a bare crypto.hash of the ready text', [
    { what: 'bare crypto.hash', figure: times.bare, unit: 'us' },
    { what: 'signControl', figure: times.sign / times.bare, unit: 'times', goal: 'at most 1.35' },
    { what: 'verifyControl', figure: times.verify / times.bare, unit: 'times' },
  ])
}

function form(): void {
  const profile = defineProfile({ baseUrl: 'https://gate.example.com/paynet' })
  const plain = catalogue.sale.request.schema
  const encode = () => {
    const parsed = parseRequest('sale', SALE, profile)
    if (!parsed.ok) throw new Error('the sale does not fit its model')
    return serializeForm(encodeRequest('sale', parsed.value, profile))
  }
  const decode = () => decodeRequest('sale', parseForm(FORM), profile)

  const decoded = decode()
  assert.equal(encode(), FORM)
  assert.deepEqual(decoded, parseRequest('sale', SALE, profile))
  assert.ok(decoded.ok)
  assert.deepEqual({ extra: {}, ...parse(plain, SALE) }, { ...decoded.value })
  assert.equal(Object.keys(SALE).length, 30)

  const times = timeEach({ zod: () => safeParse(plain, SALE), encode, decode }, LONG)
  printTable('A sale with 30 fields, against zod alone', [
    { what: "zod's safeParse of the same object", figure: times.zod, unit: 'us' },
    {
      what: 'parseRequest, encodeRequest, serializeForm',
      figure: times.encode / times.zod,
      unit: 'times',
      goal: 'at most 1.5',
    },
    { what: 'parseForm, decodeRequest', figure: times.decode / times.zod, unit: 'times', goal: 'at most 1.5' },
  ])
}

/** A realistic sale with 30 fields, as a caller gives it and as it is on the wire. Both are written by hand. */
const SALE = {
  clientOrderId: 'invoice-2023-000481x',
  orderDesc: 'Tea & biscuits, 2 boxes',
  firstName: 'John',
  lastName: "O'Hara",
  birthday: '19820115',
  address1: '100 Main St, Apt. 4',
  city: 'Zürich',
  state: 'WA',
  zipCode: '98102',
  country: 'US',
  phone: '+12063582043',
  email: 'john.smith@gmail.com',
  customerIp: '65.153.12.232',
  redirectUrl: 'https://shop.example.com/back?order=481',
  serverCallbackUrl: 'https://shop.example.com/callbacks/payments',
  amount: '1250.75',
  currency: 'USD',
  cardNumber: '4444555566661111',
  cardPrintedName: 'JOHN OHARA',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: '123',
  browserInfo: 'true',
  browserAcceptHeader: 'text/html,application/xhtml+xml;q=0.9',
  browserUserAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
  browserJavascriptEnabled: 'false',
  browserLanguage: 'de-DE',
  browserTimeZone: '-120',
  dapiImei: '490154203237518',
  merchantData: 'cart=17;shop=zrh',
} as const

const FORM = [
  'client_orderid=invoice-2023-000481x',
  'order_desc=Tea%20%26%20biscuits%2C%202%20boxes',
  'merchant_data=cart%3D17%3Bshop%3Dzrh',
  'first_name=John',
  'last_name=O%27Hara',
  'birthday=19820115',
  'address1=100%20Main%20St%2C%20Apt.%204',
  'city=Z%C3%BCrich',
  'state=WA',
  'zip_code=98102',
  'country=US',
  'phone=%2B12063582043',
  'email=john.smith%40gmail.com',
  'ipaddress=65.153.12.232',
  'redirect_url=https%3A%2F%2Fshop.example.com%2Fback%3Forder%3D481',
  'server_callback_url=https%3A%2F%2Fshop.example.com%2Fcallbacks%2Fpayments',
  'amount=1250.75',
  'currency=USD',
  'credit_card_number=4444555566661111',
  'card_printed_name=JOHN%20OHARA',
  'expire_month=12',
  'expire_year=2099',
  'cvv2=123',
  'customer_browser_info=true',
  'customer_browser_accept_header=text%2Fhtml%2Capplication%2Fxhtml%2Bxml%3Bq%3D0.9',
  'customer_browser_user_agent=Mozilla%2F5.0%20%28X11%3B%20Linux%20x86_64%29',
  'customer_browser_javascript_enabled=false',
  'customer_browser_accept_language=de-DE',
  'customer_browser_time_zone=-120',
  'dapi_imei=490154203237518',
].join('&')

await measure({ control, form })
