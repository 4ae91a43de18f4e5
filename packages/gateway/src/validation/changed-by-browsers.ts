import { catalogue, type FieldIssue, type ModelField, type OperationKey } from '@tallystick/core'

/** A browser sends each line break of a form as CR LF, and reads another character in place of NUL. */
const CHANGED = /[\0\r\n]/

/**
 * Refuses a client order id of a new order that a browser would change on the way back to the shop: the control of that return
 * would never fit. Of the values that this control covers, the merchant chooses only the client order id.
 */
export function changedByBrowsers(
  key: OperationKey,
  { clientOrderId }: Readonly<Record<string, unknown>>,
): FieldIssue[] {
  const fields: Readonly<Record<string, ModelField>> = catalogue[key].request.fields
  const field = fields['clientOrderId']
  if (field === undefined || !CHANGED.test(String(clientOrderId))) return []
  const problem = 'must be in one line, without NUL'
  const remedy = 'Choose an id of letters and digits.'
  return [{ field: 'clientOrderId', wireName: field.wireName, problem, remedy }]
}
