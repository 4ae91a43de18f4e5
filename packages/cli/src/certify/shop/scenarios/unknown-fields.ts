import type { ServedReply } from '../../../world.ts'
import { withParameters } from '../moves.ts'
import type { Scenario } from '../scenario.ts'

export const unknownFields: Scenario = {
  id: 'unknown-fields',
  group: 'replies',
  title: 'replies and callbacks have fields that nobody knows',
  right:
    'A reply is a flat object, and a gateway adds fields as it likes [G2.1-03] [G6-06]: a reader takes those ' +
    'that it knows, and passes over the others.',
  cost: 'lostSale',
  run: async (trial) => {
    trial.gateway.intercept = async (_call, proceed) => withExtraField(await proceed())
    trial.gateway.interceptCallback = (url, deliver) => deliver(withParameters(url, { 'x-new-field': 'a b&c=d' }))
    await trial.buy()
    await trial.paidOnce()
  },
}

function withExtraField(reply: ServedReply): ServedReply {
  const body = String(reply.body)
  return {
    ...reply,
    body: body.startsWith('{') ? body.replace('{', '{"x-new-field":"1","x-flag":true,') : `${body}&x-new-field=1`,
  }
}
