/**
 * The client order id of a charge of a stored card for one period. The same agreement and period give the same id, so that
 * no period can be charged under two names. It begins and ends with a letter.
 *
 *     rebillOrderId('subscription-7', '2026-11')  // 'r.subscription-7.2026-11.p'
 *
 * @throws TypeError when the period is no year, month, day or number, or the id would be longer than 128 characters
 */
export function rebillOrderId(agreement: string, period: string): string {
  if (typeof agreement !== 'string' || agreement.trim() !== agreement || agreement === '') {
    throw new TypeError('agreement must be a text without white space around it')
  }
  if (!/^\d{1,10}$|^\d{4}-\d{2}(?:-\d{2})?$/.test(period)) {
    throw new TypeError('period must be a year, a month or a day such as 2026-11, or a number')
  }
  const id = `r.${agreement}.${period}.p`
  if (id.length > 128) throw new TypeError('the id of agreement and period would be longer than 128 characters')
  return id
}
