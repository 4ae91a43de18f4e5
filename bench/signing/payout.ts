import type { Parameter } from '../../packages/signing/src/index.ts'

/** A realistic payout to a card with 25 fields. */
export const payout: readonly Parameter[] = Object.entries({
  client_orderid: 'payout-20230915-000481x',
  amount: '1250.75',
  currency: 'EUR',
  order_desc: 'Winnings of round 17 (paid weekly)',
  ipaddress: '203.0.113.25',
  purpose: 'payout',
  credit_card_number: '4111111111111111',
  expire_month: '12',
  expire_year: '2030',
  card_printed_name: 'JOHN A SMITH',
  first_name: 'John',
  last_name: 'Smith',
  middle_name: 'Ada',
  ssn: '1234',
  birthday: '19800102',
  address1: '100 Main St, Apt. 4',
  city: 'Zürich',
  state: 'ZH',
  zip_code: '8001',
  country: 'CH',
  phone: '+41441234567',
  email: 'john.smith@example.com',
  server_callback_url: 'https://shop.example.com/callbacks/payout?shop=12',
  redirect_url: 'https://shop.example.com/done',
  merchant_data: 'round=17;player=481',
})

export const url = 'https://gate.example.com/paynet/api/v2/payout/2296'
export const consumerKey = 'shop-merchant'
export const timestamp = 1_700_000_000
export const nonce = '5f2e3a1c9b8d4e7fa0b1c2d3e4f50617'
export const secret = '11111111-1111-1111-1111-111111111111'
