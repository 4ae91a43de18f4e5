/** A JSON object in the encoding in which browsers carry 3DS messages. */
export function inBase64url(message: object): string {
  return Buffer.from(JSON.stringify(message)).toString('base64url')
}

/** The members of a JSON object in base64 or base64url. Anything else has none. */
export function jsonInBase64(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}
