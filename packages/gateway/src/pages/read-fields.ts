import { type GatewayRequest, MalformedFormError, parseForm, singleValues } from '@tallystick/core'

/** The fields that a browser sent, each once. `undefined`: it is no such form. */
export function readFields({ headers, body }: GatewayRequest): ReadonlyMap<string, string> | undefined {
  const type = headers['content-type']
  if (typeof type !== 'string' || !/^application\/x-www-form-urlencoded *(?:;|$)/i.test(type)) return undefined
  try {
    return singleValues(parseForm(body))
  } catch (error) {
    if (error instanceof MalformedFormError) return undefined
    throw error
  }
}
