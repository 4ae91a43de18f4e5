import type { Requirement } from '../requirement.ts'

/** Parts 7 to 10 of the gaps: signatures, 3DS flows, errors and the simulator. */
export const behaviourGaps: readonly Requirement[] = [
  {
    id: 'G7.1-01',
    part: '7.1',
    origin: 'filled in',
    text: 'The control is SHA-1 of UTF-8 bytes in lower-case hexadecimal, 40 characters; a server accepts upper case.',
  },
  {
    id: 'G7.1-02',
    part: '7.1',
    origin: 'filled in',
    text: 'An amount in the control has no dot and no leading zeros: 0.94 is 94, 10.15 is 1015.',
  },
  {
    id: 'G7.1-03',
    part: '7.1',
    origin: 'filled in',
    text: 'Minor units are computed from text, never by floats: 19.99 is 1999, 4.35 is 435.',
  },
  {
    id: 'G7.1-04',
    part: '7.1',
    origin: 'filled in',
    text: 'An absent optional part of a control is an empty string, and no part is trimmed or changed in case.',
  },
  {
    id: 'G7.2-01',
    part: '7.2',
    origin: 'filled in',
    text: 'The RSA signature is PKCS#1 v1.5 with SHA-256.',
  },
  {
    id: 'G7.2-02',
    part: '7.2',
    origin: 'filled in',
    text: 'Header values are percent-decoded, and `+` in them is not a space.',
  },
  {
    id: 'G7.2-03',
    part: '7.2',
    origin: 'filled in',
    text: "`! ' ( ) *` are percent-encoded too.",
  },
  {
    id: 'G7.2-04',
    part: '7.2',
    origin: 'filled in',
    text:
      'The URL of the base string has scheme and host in lower case, keeps other ports than the default, and has ' +
      'no query.',
  },
  {
    id: 'G7.2-05',
    part: '7.2',
    origin: 'filled in',
    text: 'Parameters of one name are sorted by value.',
  },
  {
    id: 'G8-01',
    part: '8',
    origin: 'filled in',
    text: 'After a 3DS sale the merchant polls status and does the step that it shows, until the status is final.',
  },
  {
    id: 'G8-02',
    part: '8',
    origin: 'filled in',
    text: '`MethodUrlFrame`: a hidden frame posts `threeDSMethodData` to the method URL, then the result is uploaded.',
  },
  {
    id: 'G8-03',
    part: '8',
    origin: 'filled in',
    text:
      '`CReqForm`: the browser posts creq to the issuer; `PaReqForm`: it posts PaReq, MD and TermUrl. The cres or ' +
      'PaRes that comes back is uploaded.',
  },
  {
    id: 'G8-04',
    part: '8',
    origin: 'filled in',
    text: 'Without `tds-status`, the customer sees `html` or goes to `redirect-to`, and the gateway does the rest.',
  },
  {
    id: 'G9-01',
    part: '9',
    origin: 'filled in',
    text:
      'The type of a reply decides: `validation-error` created nothing, `error` is the server side, a decline is a ' +
      '`status-response`.',
  },
  {
    id: 'G9-02',
    part: '9',
    origin: 'filled in',
    text:
      'A reply without `paynet-order-id` created no order: its `error-message` says why. Errors keep ' +
      '`serial-number` for support.',
  },
  {
    id: 'G10-01',
    part: '10',
    origin: 'filled in',
    text: 'Simulator: any card number with a valid check digit; CVV 123 or 1234 is approved.',
  },
  {
    id: 'G10-02',
    part: '10',
    origin: 'filled in',
    text: 'Simulator: CVV 321 shows a 3DS form, whose password is `hint`.',
  },
  {
    id: 'G10-03',
    part: '10',
    origin: 'filled in',
    text: 'Simulator: CVV 111 is approved at once on a 3DS gate.',
  },
  {
    id: 'G10-04',
    part: '10',
    origin: 'filled in',
    text: 'Simulator: CVV 217 is unknown.',
  },
  {
    id: 'G10-05',
    part: '10',
    origin: 'filled in',
    text:
      'Simulator: CVV 101 expired card, 116 not sufficient funds, 119 not permitted, 209 pick-up or stolen: ' +
      'declined. Any other CVV is declined too.',
  },
  {
    id: 'G10-06',
    part: '10',
    origin: 'filled in',
    text: 'Simulator: `processor-tx-id` is `PNTEST-` and the order id.',
  },
]
