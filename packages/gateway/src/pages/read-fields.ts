import { type GatewayRequest, MalformedFormError, parseForm, singleValues } from '@tallystick/core'

/** The fields of a form as a browser sent them. They may hold a card number: nothing of them is logged, kept or shown. */
export type SentFields = ReadonlyMap<string, string>

/** What a browser sent, each field once. `undefined`: it is no such form. */
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
