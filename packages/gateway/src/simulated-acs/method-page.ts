import { inBase64url, jsonInBase64 } from '../acquirer/json-in-base64.ts'
import { isBrowserAddress, wayBack } from './return-form.ts'
import { unreadable, visit } from './session.ts'

/** The method frame of the simulated issuer. It inspects nothing, and reports at once that it is done (gaps part 8). */
export const answerMethod = visit('method', ({ context, order, awaits, fields }) => {
  const { threeDSServerTransID, threeDSMethodNotificationURL: address } = jsonInBase64(
    fields.get('threeDSMethodData') ?? '',
  )
  if (
    threeDSServerTransID !== awaits.threeDsServerTransId ||
    typeof address !== 'string' ||
    !isBrowserAddress(address)
  ) {
    return unreadable({ order, context })
  }
  return wayBack({ order, context, awaits }, address, { threeDSMethodData: inBase64url({ threeDSServerTransID }) })
})
