import { type GatewayRequest, MalformedFormError, parseForm, singleValues } from '@tallystick/core'

/** The fields of a form as a browser sent them. They may hold a card number, so none is logged, stored or shown as it is. */
export type SentFields = ReadonlyMap<string, string>

/** The fields that a browser sent, each once. `undefined`: it did not send such a form. */
export function readFields({ headers, body }: GatewayRequest): SentFields | undefined {
  const type = headers['content-type']
  if (typeof type !== 'string' || !/^application\/x-www-form-urlencoded *(?:;|$)/i.test(type)) return undefined
  try {
    return singleValues(parseForm(body))
  } catch (error) {
    if (error instanceof MalformedFormError) return undefined
    throw error
  }
}
