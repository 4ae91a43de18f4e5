/** The members of a JSON object in base64 or base64url, as browsers carry 3DS messages; of anything else none. */
export function jsonInBase64(text: string): Readonly<Record<string, unknown>> {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
    return typeof read === 'object' && read !== null ? { ...read } : {}
  } catch {
    return {}
  }
}
