import type { OperationKey } from '@tallystick/core'

/** A request in both its forms: with the names of the model, and with those of the wire. Both are written by hand. */
export interface ValidRequest {
  readonly input: Readonly<Record<string, unknown>>
  readonly wire: Readonly<Record<string, string>>
}

const payer: ValidRequest = {
  input: {
    clientOrderId: '902B4FF5',
    orderDesc: 'Tea & "biscuits" + milk, 100 % fresh: 日本 ☕',
    purpose: 'www.example.com',
    siteUrl: 'https://shop.example.com',
    merchantData: 'cart=17&note=!*',
    firstName: 'John',
    lastName: "O'Hara",
    ssn: '1267',
    birthday: '19820115',
    address1: '100 Main st',
    city: 'Seattle',
    state: 'WA',
    zipCode: '98102',
    country: 'US',
    phone: '+12063582043',
    cellPhone: '(206) 358-2044',
    email: 'john.smith@gmail.com',
    customerIp: '65.153.12.232',
    redirectUrl: 'https://shop.example.com/back?order=1',
    redirectSuccessUrl: 'https://shop.example.com/good',
    redirectFailUrl: 'https://shop.example.com/bad',
    serverCallbackUrl: 'https://shop.example.com/callback',
    notifyUrl: 'https://shop.example.com/notify',
  },
  wire: {
    client_orderid: '902B4FF5',
    order_desc: 'Tea & "biscuits" + milk, 100 % fresh: 日本 ☕',
    purpose: 'www.example.com',
    site_url: 'https://shop.example.com',
    merchant_data: 'cart=17&note=!*',
    first_name: 'John',
    last_name: "O'Hara",
    ssn: '1267',
    birthday: '19820115',
    address1: '100 Main st',
    city: 'Seattle',
    state: 'WA',
    zip_code: '98102',
    country: 'US',
    phone: '+12063582043',
    cell_phone: '(206) 358-2044',
    email: 'john.smith@gmail.com',
    ipaddress: '65.153.12.232',
    redirect_url: 'https://shop.example.com/back?order=1',
    redirect_success_url: 'https://shop.example.com/good',
    redirect_fail_url: 'https://shop.example.com/bad',
    server_callback_url: 'https://shop.example.com/callback',
    notify_url: 'https://shop.example.com/notify',
  },
}

const money: ValidRequest = {
  input: { amount: '10.42', currency: 'USD' },
  wire: { amount: '10.42', currency: 'USD' },
}

const card: ValidRequest = {
  input: {
    cardNumber: '4444555566661111',
    cardPrintedName: 'JOHN SMITH',
    expireMonth: '12',
    expireYear: '2099',
    cvv2: '123',
  },
  wire: {
    credit_card_number: '4444555566661111',
    card_printed_name: 'JOHN SMITH',
    expire_month: '12',
    expire_year: '2099',
    cvv2: '123',
  },
}

const browser: ValidRequest = {
  input: {
    browserInfo: true,
    browserAcceptHeader: 'text/html,application/xhtml+xml;q=0.9',
    browserUserAgent: 'Mozilla/5.0 (X11; Linux x86_64)',
    browserJavascriptEnabled: true,
    browserLanguage: 'de-DE',
    browserJavaEnabled: false,
    browserColorDepth: '24',
    browserScreenWidth: '1920',
    browserScreenHeight: '1080',
    browserTimeZone: '-120',
  },
  wire: {
    customer_browser_info: 'true',
    customer_browser_accept_header: 'text/html,application/xhtml+xml;q=0.9',
    customer_browser_user_agent: 'Mozilla/5.0 (X11; Linux x86_64)',
    customer_browser_javascript_enabled: 'true',
    customer_browser_accept_language: 'de-DE',
    customer_browser_java_enabled: 'false',
    customer_browser_color_depth: '24',
    customer_browser_screen_width: '1920',
    customer_browser_screen_height: '1080',
    customer_browser_time_zone: '-120',
  },
}

const original: ValidRequest = {
  input: { login: 'test-login', clientOrderId: 'CLIENT-112233', orderId: 'PAYNET-112233' },
  wire: { login: 'test-login', client_orderid: 'CLIENT-112233', orderid: 'PAYNET-112233' },
}

const upload: ValidRequest = {
  input: { login: 'test-login', clientOrderId: 'CLIENT-112233', orderId: '6684127' },
  wire: { login: 'test-login', 'client-order-id': 'CLIENT-112233', orderid: '6684127' },
}

const comment: ValidRequest = { input: { comment: 'ordered twice' }, wire: { comment: 'ordered twice' } }

const payoutOrder: ValidRequest = {
  input: {
    clientOrderId: 'PAYOUT-1',
    amount: '1500.00',
    currency: 'RUB',
    orderDesc: 'Winnings',
    purpose: 'Prize',
    customerIp: '2001:db8::1',
    merchantData: 'round 7',
    serverCallbackUrl: 'https://shop.example.com/callback',
  },
  wire: {
    client_orderid: 'PAYOUT-1',
    amount: '1500.00',
    currency: 'RUB',
    order_desc: 'Winnings',
    purpose: 'Prize',
    ipaddress: '2001:db8::1',
    merchant_data: 'round 7',
    server_callback_url: 'https://shop.example.com/callback',
  },
}

const receiver: ValidRequest = {
  input: {
    receiverFirstName: 'Иван',
    receiverMiddleName: 'Иванович',
    receiverLastName: 'Петров',
    receiverPhone: '+79031234567',
    receiverResident: true,
    receiverDocumentSeries: '4500',
    receiverDocumentNumber: '123456',
    receiverDocumentId: '21',
    receiverAddress1: 'Тверская 1',
    receiverCity: 'Москва',
  },
  wire: {
    receiver_first_name: 'Иван',
    receiver_middle_name: 'Иванович',
    receiver_last_name: 'Петров',
    receiver_phone: '+79031234567',
    receiver_resident: 'true',
    receiver_identity_document_series: '4500',
    receiver_identity_document_number: '123456',
    receiver_identity_document_id: '21',
    receiver_address1: 'Тверская 1',
    receiver_city: 'Москва',
  },
}

const bankAccount: ValidRequest = {
  input: {
    accountNumber: '40702810500000012345',
    bankName: 'Example Bank',
    bankBranch: 'North',
    bankProvince: 'ON',
    bankCity: 'Toronto',
    routingNumber: '044525225',
  },
  wire: {
    account_number: '40702810500000012345',
    bank_name: 'Example Bank',
    bank_branch: 'North',
    bank_province: 'ON',
    bank_city: 'Toronto',
    routing_number: '044525225',
  },
}

/** Joins the parts of a request. */
function request(parts: readonly ValidRequest[]): ValidRequest {
  return {
    input: Object.assign({}, ...parts.map((part) => part.input)),
    wire: Object.assign({}, ...parts.map((part) => part.wire)),
  }
}

const language: ValidRequest = { input: { preferredLanguage: 'de' }, wire: { preferred_language: 'de' } }

function rows(payload: string): ValidRequest {
  return { input: { payload }, wire: { payload } }
}

/** One valid request for each operation, with most of its fields. */
export const validRequests: Readonly<Record<OperationKey, ValidRequest>> = {
  uploadCresResult: request([
    upload,
    { input: { cRes: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ' }, wire: { cRes: 'eyJtZXNzYWdlVHlwZSI6IkNSZXMifQ' } },
  ]),
  uploadMethodUrlResult: request([
    upload,
    {
      input: {
        methodCompletion: 'Y',
        threeDsServerTransId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
        browserAcceptHeader: 'text/html',
        browserIp: '65.153.12.232',
        browserJavaEnabled: false,
        browserJavascriptEnabled: true,
        browserLanguage: 'en-US',
        browserColorDepth: '24',
        browserScreenHeight: '1080',
        browserScreenWidth: '1920',
        browserTimeZone: '300',
        browserUserAgent: 'Mozilla/5.0',
      },
      wire: {
        threeDSCompInd: 'Y',
        threeDSServerTransID: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
        browserAcceptHeader: 'text/html',
        browserIP: '65.153.12.232',
        browserJavaEnabled: 'false',
        browserJavascriptEnabled: 'true',
        browserLanguage: 'en-US',
        browserColorDepth: '24',
        browserScreenHeight: '1080',
        browserScreenWidth: '1920',
        browserTZ: '300',
        browserUserAgent: 'Mozilla/5.0',
      },
    },
  ]),
  uploadParesResult: request([
    upload,
    {
      input: { paRes: 'eJzVV1mTqkgW/iuGPTIq+w==', md: 'BB4A51' },
      wire: { paRes: 'eJzVV1mTqkgW/iuGPTIq+w==', md: 'BB4A51' },
    },
  ]),
  sale: request([
    payer,
    money,
    card,
    browser,
    { input: { dapiImei: '490154203237518' }, wire: { dapi_imei: '490154203237518' } },
  ]),
  saleForm: request([payer, money, language]),
  preauth: request([payer, money, card, browser]),
  preauthForm: request([payer, money, language]),
  capture: request([original, money]),
  void: request([original, money, comment]),
  return: request([original, money, comment]),
  accountVerification: request([payer, card, browser]),
  accountVerificationForm: request([payer, language]),
  paymentForm: request([payer, money, language]),
  createCardRef: original,
  getCardInfo: {
    input: { login: 'test-login', cardRefId: '5588943' },
    wire: { login: 'test-login', cardrefid: '5588943' },
  },
  makeRebill: {
    input: {
      login: 'test-login',
      clientOrderId: 'CLIENT-112244',
      cardRefId: '1326586',
      amount: '0.94',
      currency: 'USD',
      orderDesc: 'Second month',
      customerIp: '65.153.12.232',
      enumerateAmounts: '10.00,5.00,1',
      recurrentScenario: 'REGULAR',
      comment: 'second month',
      cvv2: '123',
      redirectUrl: 'https://shop.example.com/back',
      serverCallbackUrl: 'https://shop.example.com/callback',
    },
    wire: {
      login: 'test-login',
      client_orderid: 'CLIENT-112244',
      cardrefid: '1326586',
      amount: '0.94',
      currency: 'USD',
      order_desc: 'Second month',
      ipaddress: '65.153.12.232',
      enumerate_amounts: '10.00,5.00,1',
      recurrent_scenario: 'REGULAR',
      comment: 'second month',
      cvv2: '123',
      redirect_url: 'https://shop.example.com/back',
      server_callback_url: 'https://shop.example.com/callback',
    },
  },
  status: request([original, { input: { byRequestSn: '00000000-0000' }, wire: { 'by-request-sn': '00000000-0000' } }]),
  payout: request([payoutOrder, bankAccount, receiver]),
  payoutForm: request([
    payoutOrder,
    receiver,
    language,
    { input: { redirectUrl: 'https://a.example/b' }, wire: { redirect_url: 'https://a.example/b' } },
  ]),
  createCardRefV4: original,
  createRecurringPayment: {
    input: {
      recurringCardType: 'SRC',
      clientOrderId: 'RP-1',
      login: 'test-login',
      endpoint: '253',
      orderDesc: 'Monthly tea',
      cardNumber: '4444555566661111',
      cvv2: '123',
      cardPrintedName: 'JOHN SMITH',
      expireMonth: '01',
      expireYear: '2030',
      currency: 'EUR',
      firstName: 'John',
      lastName: 'Smith',
      address1: '100 Main st',
      city: 'Berlin',
      state: 'BE',
      zipCode: '10115',
      country: 'DE',
      phone: '+49301234567',
      email: 'john.smith@gmail.com',
      customerIp: '65.153.12.232',
      amountFrom: '5.00',
      amountTo: '15.00',
      interval: '1',
      period: 'month',
      startDate: '2027-01-31',
      finishDate: '2028-02-29',
      serverCallbackUrl: 'https://shop.example.com/callback',
    },
    wire: {
      rp_card_type: 'SRC',
      'client-orderid': 'RP-1',
      login: 'test-login',
      Endpoint: '253',
      order_desc: 'Monthly tea',
      'credit-card-number': '4444555566661111',
      cvv2: '123',
      'card-printed-name': 'JOHN SMITH',
      'expire-month': '01',
      'expire-year': '2030',
      currency: 'EUR',
      'first-name': 'John',
      'last-name': 'Smith',
      address1: '100 Main st',
      city: 'Berlin',
      state: 'BE',
      'zip-code': '10115',
      country: 'DE',
      phone: '+49301234567',
      email: 'john.smith@gmail.com',
      'customer-ip': '65.153.12.232',
      'amount-from': '5.00',
      'amount-to': '15.00',
      interval: '1',
      period: 'month',
      'start-date': '2027-01-31',
      'finish-date': '2028-02-29',
      server_callback_url: 'https://shop.example.com/callback',
    },
  },
  processRecurringPayment: {
    input: { clientOrderId: 'RP-2', recurringPaymentId: '77', amount: '5.00', currency: 'EUR', firstName: 'John' },
    wire: {
      'client-orderid': 'RP-2',
      'recurring-payment-id': '77',
      amount: '5.00',
      currency: 'EUR',
      'first-name': 'John',
    },
  },
  updateRecurringPayment: {
    input: {
      clientOrderId: 'RP-3',
      recurringPaymentId: '77',
      cardNumber: '4444555566661111',
      cardPrintedName: 'JOHN SMITH',
      expireMonth: '01',
      expireYear: '2030',
      amountSequence: '1.00,2.00',
      interval: '2',
      period: 'week',
      finishDate: '2031-01-31',
    },
    wire: {
      'client-orderid': 'RP-3',
      'recurring-payment-id': '77',
      'credit-card-number': '4444555566661111',
      'card-printed-name': 'JOHN SMITH',
      'expire-month': '01',
      'expire-year': '2030',
      'amount-sequence': '1.00,2.00',
      interval: '2',
      period: 'week',
      'finish-date': '2031-01-31',
    },
  },
  createRecurringPayments: rows('client-orderid,rp_card_type\r\nRP-4,SRC'),
  processRecurringPayments: rows('client-orderid,recurring-payment-id,amount\r\nRP-5,77,5.00'),
  updateRecurringPayments: rows('client-orderid,recurring-payment-id,amount\r\nRP-6,77,5.00'),
  getRecurringPayment: { input: { clientOrderId: 'RP-1' }, wire: { 'client-orderid': 'RP-1' } },
  payoutCheck: request([
    payoutOrder,
    receiver,
    {
      input: { destinationWallet: 'W-1', destinationWalletType: 'example' },
      wire: { destination_wallet: 'W-1', destination_wallet_type: 'example' },
    },
  ]),
  payoutPay: original,
  panEligibilitySend: {
    input: {
      clientOrderId: 'PE-1',
      sendingCardNumber: '4444555566661111',
      cardPrintedName: 'JOHN SMITH',
      expireMonth: '12',
      expireYear: '2099',
    },
    wire: {
      'client-order-id': 'PE-1',
      'sending-card-number': '4444555566661111',
      'card-printed-name': 'JOHN SMITH',
      'expire-month': '12',
      'expire-year': '2099',
    },
  },
  transfer: request([
    payoutOrder,
    card,
    browser,
    receiver,
    {
      input: { depositToCard: false, destinationCardNumber: '4444333322221111' },
      wire: { deposit2card: 'false', 'destination-card-no': '4444333322221111' },
    },
  ]),
  transferByRef: {
    input: {
      clientOrderId: 'T-1',
      amount: '5000.00',
      currency: 'RUB',
      orderDesc: 'Salary',
      destinationCardNumber: '4444333322221111',
    },
    wire: {
      'client-order-id': 'T-1',
      amount: '5000.00',
      currency: 'RUB',
      order_desc: 'Salary',
      'destination-card-no': '4444333322221111',
    },
  },
}
