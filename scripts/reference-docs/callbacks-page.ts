import { CallbackNotice } from '../../packages/core/src/internal.ts'
import { list, page } from '../markdown.ts'
import { replyTable } from './fields-table.ts'

/** What the gateway sends to the merchant: nothing else on these pages is. */
export function callbacksPage(introduction: string, generated: string): string {
  return page([
    '# Callbacks and returns',
    introduction,
    '## Callback',
    'The gateway calls the `server_callback_url` of the order, or its `notify_url`.',
    list([
      'It is a GET, with its parameters in the query; from older gateways a POST. The query that your address has is kept.',
      'Its `control` is the SHA-1 of `status + orderid + client_orderid + key` ([an example](signatures.md#control)). Compare it in ' +
        'constant time, and refuse what has another one, or a parameter twice, with 403.',
      'Neither amount, currency nor time is signed, and an old callback can be sent again. So take it as a hint, and ask for the ' +
        '[status](payments.md#status) before anything else happens. The guide on [callbacks](../guides/callbacks.md) says why.',
      'Answer 200 once it is safe. Any other answer brings it again, up to 30 times in 14 days. It may come twice all the same, ' +
        'before the reply to your own request, or never.',
    ]),
    replyTable(CallbackNotice),
    'Other parameters may come too. `client_orderid` and `merchant_order` have one value.',
    '## Return of the customer',
    'The browser of the customer comes back to `redirect_url` with a form by POST, whatever the outcome. The form has the same ' +
      'parameters and the same `control` as a callback. It passes through the browser of the customer: show a page, and ask for the ' +
      'status. As a POST from another site, it brings no cookie that is `SameSite=Lax`.',
    generated,
  ])
}
