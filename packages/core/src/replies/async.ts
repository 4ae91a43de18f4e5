import * as reply from '../fields/reply.ts'
import { optional, required } from '../models/field.ts'
import { defineReply } from './reply-fields.ts'

/** Acknowledgements and refusals (gaps part 4). A field is required when a reply without it says nothing. */

const envelope = () => ({
  type: required(reply.type),
  serialNumber: optional(reply.serialNumber),
  clientOrderId: optional(reply.clientOrderId),
  endpointId: optional(reply.endpointId),
  errorMessage: optional(reply.errorMessage),
  errorCode: optional(reply.errorCode),
})

export const AsyncResponse = defineReply({
  name: 'AsyncResponse',
  meaning: 'The request was accepted; its outcome follows by status and callback.',
  fields: () => ({
    ...envelope(),
    orderId: required(reply.orderId),
    status: optional(reply.status),
    redirectUrl: optional(reply.redirectUrl),
  }),
})

export const AsyncCheckoutFormRedirect = defineReply({
  name: 'AsyncCheckoutFormRedirect',
  meaning: 'The order was registered; send the customer to the hosted page.',
  fields: () => ({
    ...envelope(),
    orderId: required(reply.orderId),
    status: optional(reply.status),
    redirectUrl: required(reply.redirectUrl),
  }),
})

const refusal = () => ({ ...envelope(), orderId: optional(reply.orderId) })

export const ValidationErrorResponse = defineReply({
  name: 'ValidationErrorResponse',
  meaning: 'The request was refused; nothing was created.',
  fields: refusal,
})

export const ServerErrorResponse = defineReply({
  name: 'ServerErrorResponse',
  meaning: 'The gateway failed.',
  fields: refusal,
})
