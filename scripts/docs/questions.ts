/**
 * What users of other payment libraries asked, in words of our own, as they would type it into the search of the site; where it was asked;
 * and the pages that answer it here. A page may be named with its heading.
 */
export interface Question {
  readonly words: string
  /** An issue: `owner/repository#number`. */
  readonly asked: string
  readonly right: readonly string[]
}

export const QUESTIONS: Readonly<
  Record<'start' | 'callbacks' | 'signatures' | 'money' | 'tests', readonly Question[]>
> = {
  start: [
    {
      words: 'set up payments in a nestjs module',
      asked: 'golevelup/nestjs#425',
      right: ['guides/first-payment-nest', 'packages/nest-module'],
    },
    {
      words: 'next.js app router route handler',
      asked: 'stripe/stripe-node#2258',
      right: ['guides/first-payment-fetch'],
    },
    { words: 'does it run on cloudflare workers', asked: 'stripe/stripe-node#773', right: ['runtimes'] },
    { words: 'use it with deno or bun', asked: 'stripe/stripe-node#997', right: ['runtimes'] },
    {
      words: 'how to use it behind a proxy',
      asked: 'stripe/stripe-node#123',
      right: ['recipes/running#what-do-i-set-behind-a-proxy', 'packages/gateway#behind-a-proxy', 'client'],
    },
    {
      words: 'two merchant accounts with different keys in one app',
      asked: 'stripe/stripe-node#168',
      right: ['recipes/running', 'packages/nest-module'],
    },
    { words: 'several instances of the nest module', asked: 'golevelup/nestjs#657', right: ['packages/nest-module'] },
    {
      words: 'key per request instead of one global key',
      asked: 'stripe/stripe-node#1186',
      right: ['client', 'recipes/running', 'recipes/signatures', 'packages/client'],
    },
    {
      words: 'connection to the gateway fails: request was not sent',
      asked: 'stripe/stripe-node#2523',
      right: ['errors/client#not_sent', 'guides/unknown'],
    },
    {
      words: 'test mode and live mode keys',
      asked: 'golevelup/nestjs#657',
      right: ['recipes/running#how-do-i-go-from-the-test-environment-to-the-real-one'],
    },
  ],
  callbacks: [
    {
      words: 'callback behind express.json body parser',
      asked: 'stripe/stripe-node#341',
      right: ['errors/client#body_taken', 'packages/express-adapter', 'guides/callbacks', 'recipes/signatures'],
    },
    {
      words: 'raw body already read by another middleware',
      asked: 'stripe/stripe-node#1254',
      right: ['errors/client#body_taken', 'packages/express-adapter', 'guides/callbacks'],
    },
    {
      words: 'same callback received twice',
      asked: 'picqer/moneybird-php-client#305',
      right: ['guides/callbacks', 'recipes/outcomes', 'packages/gateway#faults-on-demand', 'packages/testing'],
    },
    {
      words: 'avoid booking the same payment twice',
      asked: 'formancehq/stack#1464',
      right: ['recipes/outcomes', 'guides/callbacks', 'packages/journal', 'packages/payments'],
    },
    {
      words: 'callback to localhost in development',
      asked: 'mollie/mollie-api-node#29',
      right: ['errors/gateway#address_not_allowed', 'packages/gateway', 'guides/testing', 'packages/cli'],
    },
    {
      words: 'callback url not reachable',
      asked: 'mollie/laravel-mollie#138',
      right: [
        'errors/gateway#address_not_allowed',
        'packages/gateway',
        'errors/testing#callback_refused',
        'guides/callbacks',
      ],
    },
    {
      words: 'csrf token login blocks callback route',
      asked: 'stripe/stripe-node#331',
      right: [
        'recipes/signatures#which-route-must-i-leave-open-to-the-gateway',
        'packages/express-adapter',
        'packages/payments',
        'guides/first-payment-fetch',
      ],
    },
    {
      words: 'callback never arrives',
      asked: 'mollie/magento2#230',
      right: ['recipes/outcomes#what-if-the-callback-never-comes', 'guides/callbacks'],
    },
    {
      words: 'chargeback dispute notification',
      asked: 'pinax/pinax-stripe-light#104',
      right: [
        'recipes/outcomes#how-do-i-hear-of-a-chargeback',
        'packages/journal#notices',
        'packages/gateway#chargebacks',
        'packages/payments',
      ],
    },
    {
      words: 'callback handler timeout retry',
      asked: 'svix/svix-webhooks#93',
      right: [
        'errors/gateway#timed_out',
        'errors/journal#handler_timeout',
        'packages/gateway#callbacks',
        'guides/callbacks',
      ],
    },
  ],
  signatures: [
    {
      words: 'signature invalid, no idea why',
      asked: 'stripe/stripe-node#356',
      right: [
        'recipes/signatures#why-is-my-signature-refused-with-a-403',
        'errors/signatures',
        'signing',
        'packages/cli#verify-and-explain',
      ],
    },
    {
      words: 'hmac validation fails',
      asked: 'Adyen/adyen-node-api-library#541',
      right: ['errors/signatures', 'recipes/signatures', 'signing', 'packages/signing'],
    },
    {
      words: 'timestamp outside the tolerance',
      asked: 'stripe/stripe-node#407',
      right: ['errors/signatures#clock-skew', 'errors/signatures#timestamp-outside-window', 'signing'],
    },
    {
      words: 'oauth signature special characters asterisk apostrophe',
      asked: 'AsyncHttpClient/async-http-client#1216',
      right: ['errors/signatures#unescaped-reserved'],
    },
    {
      words: 'parameters url encoded twice in oauth signature',
      asked: 'Kong/insomnia#1681',
      right: ['errors/signatures#double-encoding'],
    },
    {
      words: 'oauth signature wrong with umlauts',
      asked: 'bettiolo/oauth-signature-js#32',
      right: ['errors/signatures', 'reference/signatures', 'signing', 'packages/signing'],
    },
    {
      words: 'rotate secret without downtime',
      asked: 'octokit/webhooks.js#770',
      right: [
        'recipes/signatures#how-do-i-rotate-the-control-key-without-downtime',
        'client',
        'packages/gateway#changing-the-key',
      ],
    },
    {
      words: 'verify a callback by hand',
      asked: 'commercetools/commercetools-adyen-integration#407',
      right: [
        'recipes/signatures#how-do-i-verify-a-callback-by-hand',
        'packages/cli#verify-and-explain',
        'reference/callbacks',
      ],
    },
    {
      words: 'replay attack nonce used before',
      asked: 'stripe/stripe-node#407',
      right: ['errors/signatures#nonce-seen', 'signing#replays', 'packages/signing'],
    },
    {
      words: 'compute sha1 control in php or python',
      asked: 'Adyen/adyen-python-api-library#117',
      right: [
        'reference/signatures',
        'recipes/signatures#how-do-i-sign-a-request-by-hand-or-in-another-language',
        'errors/signatures',
      ],
    },
  ],
  money: [
    {
      words: 'partial refund',
      asked: 'mollie/mollie-api-python#31',
      right: ['recipes/money#how-do-i-refund-half-of-a-payment', 'guides/back-office', 'packages/payments'],
    },
    {
      words: 'refund the whole payment',
      asked: 'mollie/mollie-api-node#5',
      right: ['recipes/money', 'guides/back-office'],
    },
    {
      words: 'authorize now and capture later',
      asked: 'stripe/stripe-node#40',
      right: ['recipes/money#how-do-i-take-the-money-later-when-i-ship', 'guides/back-office', 'reference/payments'],
    },
    {
      words: 'capture only a part of the amount',
      asked: 'Jaal-Yantra-Textiles/v2#1456',
      right: ['recipes/money#how-do-i-take-the-money-later-when-i-ship', 'guides/back-office', 'reference/payments'],
    },
    {
      words: 'yen zero decimal currency charged 100 times',
      asked: 'cartalyst/stripe#59',
      right: ['recipes/money#how-do-i-write-an-amount-in-a-currency-without-decimals', 'core'],
    },
    {
      words: 'double charge after timeout',
      asked: 'stripe/stripe-java#389',
      right: ['guides/unknown', 'recipes/outcomes', 'errors/journal#double_charge_suspected', 'errors/client#no_reply'],
    },
    {
      words: 'idempotency key retry',
      asked: 'beam-community/stripity-stripe#36',
      right: ['guides/unknown', 'packages/journal', 'recipes/outcomes', 'packages/client'],
    },
    {
      words: 'button pressed twice charges twice',
      asked: 'woocommerce/woocommerce-gateway-stripe#489',
      right: [
        'recipes/outcomes#the-customer-presses-the-button-twice-how-do-i-charge-once',
        'guides/first-payment-express',
        'guides/back-office',
        'packages/payments',
      ],
    },
    {
      words: 'charge a saved card every month',
      asked: 'stripe/stripe-node#1030',
      right: [
        'recipes/money#how-do-i-charge-a-customers-card-again-without-asking-for-it',
        'guides/back-office',
        'guides/payouts-and-schedules',
        'reference/stored-cards',
      ],
    },
    {
      words: 'amount rounding float',
      asked: 'swellstores/swell-js#44',
      right: ['errors/signatures#amount-by-float', 'core', 'recipes/money'],
    },
  ],
  tests: [
    {
      words: 'unit test without network',
      asked: 'braintree/braintree_node#123',
      right: ['guides/testing', 'packages/testing'],
    },
    {
      words: 'test a declined card',
      asked: 'highfidelity/fake_braintree#103',
      right: ['recipes/tests#how-do-i-test-a-declined-card', 'packages/testing'],
    },
    {
      words: 'test cards for each outcome',
      asked: 'braintree/braintree_node#67',
      right: ['packages/testing#cards', 'recipes/tests', 'packages/gateway', 'three-ds'],
    },
    {
      words: 'generate a signed callback in a test',
      asked: 'stripe/stripe-node#601',
      right: [
        'recipes/tests#how-do-i-test-my-callback-route',
        'packages/testing',
        'recipes/signatures',
        'packages/cli#trigger',
      ],
    },
    {
      words: 'advance the clock to test subscription renewal',
      asked: 'stripe/stripe-node#1030',
      right: [
        'recipes/tests#how-do-i-test-what-happens-two-weeks-later',
        'packages/gateway#virtual-time',
        'guides/payouts-and-schedules',
        'packages/testing',
      ],
    },
    {
      words: 'mock the client in jest',
      asked: 'payjp/payjp-node#2',
      right: [
        'packages/testing#a-client-that-answers-by-a-script',
        'packages/testing#in-jest',
        'guides/testing',
        'packages/testing',
      ],
    },
    {
      words: 'trigger a chargeback in the sandbox',
      asked: 'paypal/PayPal-NET-SDK#199',
      right: ['packages/cli#trigger', 'packages/gateway#chargebacks', 'recipes/outcomes#how-do-i-hear-of-a-chargeback'],
    },
    {
      words: 'trigger callback event for end to end test',
      asked: 'pushplay/stripe-stateful-mock#10',
      right: ['packages/cli#trigger', 'recipes/tests', 'packages/testing', 'guides/testing'],
    },
    {
      words: 'simulate timeout lost reply in tests',
      asked: 'braintree/braintree_python#107',
      right: [
        'recipes/tests#how-do-i-test-what-happens-if-the-reply-is-lost',
        'guides/testing-outages',
        'packages/testing',
      ],
    },
    {
      words: 'node test hangs and does not exit',
      asked: 'braintree/braintree-web#303',
      right: ['errors/testing#gateway_left_open', 'packages/testing'],
    },
  ],
}
