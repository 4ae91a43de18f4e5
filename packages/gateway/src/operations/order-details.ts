import type { OrderAddresses, OrderDetails, OrderPayer } from '../orders/order.ts'

/** The fields of opening requests that may be stored; each request has some of them. */
type Kept = OrderPayer &
  OrderAddresses & {
    readonly merchantData?: string | undefined
    readonly orderDesc?: string | undefined
    readonly preferredLanguage?: string | undefined
  }

/** What is stored of a request besides its card. */
export function orderDetails(request: Kept): OrderDetails {
  const { email, phone, firstName, lastName, merchantData, orderDesc, preferredLanguage } = request
  const { redirectUrl, redirectSuccessUrl, redirectFailUrl, serverCallbackUrl, notifyUrl } = request
  return {
    payer: { email, phone, firstName, lastName },
    addresses: { redirectUrl, redirectSuccessUrl, redirectFailUrl, serverCallbackUrl, notifyUrl },
    merchantData,
    orderDesc,
    preferredLanguage,
  }
}
