import type { Requirement } from '../requirement.ts'

/**
 * Recurring payments beyond their creation, which the specification only names: "for later process and update calls". From the
 * public pages of the family, and our own decisions where these say nothing.
 */
export const recurringGaps: readonly Requirement[] = [
  {
    id: 'G14-01',
    part: '14',
    origin: 'filled in',
    text: 'process, update, and the plural forms of create, process and update are POSTs under `/api/v4/`, for an endpoint alone, signed by RSA-SHA256.',
  },
  {
    id: 'G14-02',
    part: '14',
    origin: 'filled in',
    text: 'process: `client-orderid` and `recurring-payment-id` are required, an amount only if the recurring payment has none of its own. Login and `Endpoint` are neither sent nor asked for.',
  },
  {
    id: 'G14-03',
    part: '14',
    origin: 'filled in',
    text: 'process answers `process-recurring-payment-response`; its `status` is not one of the transaction. Ours gives the order id as well.',
  },
  {
    id: 'G14-04',
    part: '14',
    origin: 'filled in',
    text: 'process opens an order of its own with the stored card; without an amount the rule of the recurring payment gives it: fixed, from a range, or the next of a sequence.',
  },
  {
    id: 'G14-05',
    part: '14',
    origin: 'filled in',
    text: 'update: the card fields come together or not at all, of the three amount groups one at most; what is left out stays as it is.',
  },
  {
    id: 'G14-06',
    part: '14',
    origin: 'filled in',
    text: 'update answers at once, `update-recurring-payment-response`, and later charges use the new data. A repeat changes nothing.',
  },
  {
    id: 'G14-07',
    part: '14',
    origin: 'filled in',
    text: 'After a change of its schedule a recurring payment charges from the day of the change on, no day twice, and its numbers go on.',
  },
  {
    id: 'G14-08',
    part: '14',
    origin: 'filled in',
    text: 'The plural forms take their rows in `payload`: a header with the names of the fields in any order, commas, quotes by RFC 4180, at most 100 rows. A body without `payload` is one row.',
  },
  {
    id: 'G14-09',
    part: '14',
    origin: 'filled in',
    text: 'If a field of any row is wrong, nothing is done. Otherwise each row is carried out by itself, as the request of its own that it stands for; a repeat gets the first answers.',
  },
  {
    id: 'G14-10',
    part: '14',
    origin: 'filled in',
    text: 'The reply to a plural form has a `payload` with a line for each row: its client order id, recurring payment, order, status and refusal.',
  },
  {
    id: 'G14-11',
    part: '14',
    origin: 'filled in',
    text: '`recurring-payment-id` is text of up to 128 characters.',
  },
  {
    id: 'G14-12',
    part: '14',
    origin: 'filled in',
    text: 'Extensions of ours, off unless the profile has them: to read a recurring payment and its coming charges, and to stop one or let it go on by an update.',
  },
  {
    id: 'G14-13',
    part: '14',
    origin: 'filled in',
    text: 'A callback is sent for `unknown` as well, and may be followed by one of the outcome. Whoever receives it does not take it as final.',
  },
]
