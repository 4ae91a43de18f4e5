import { catalogue, type FieldIssue, type OperationKey } from '@tallystick/core'

/** A form of HTML is sent with CR LF in place of each of the two, and its page is read with another character in place of NUL. */
const CHANGED = /[\0\r\n]/

/**
 * A new order whose client order id no browser takes back as it is: the control of its way back would never fit. Of all that the
 * control covers, the merchant chooses this alone.
 */
export function changedByBrowsers(
  key: OperationKey,
  { clientOrderId }: Readonly<Record<string, unknown>>,
): FieldIssue[] {
  if (!CHANGED.test(String(clientOrderId))) return []
  return Object.entries(catalogue[key].request.fields)
    .filter(([name]) => name === 'clientOrderId')
    .map(([field, { wireName }]) => {
      const problem = 'must be in one line, without NUL'
      return { field, wireName, problem, remedy: 'Choose an id of letters and digits.' }
    })
}
