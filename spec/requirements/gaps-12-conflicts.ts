import type { Requirement } from '../requirement.ts'

/** Part 12 of the gaps: where public sources disagree. The number of an entry is the number of its conflict. */
export const conflicts: readonly Requirement[] = [
  {
    id: 'G12-01',
    part: '12',
    origin: 'filled in',
    text:
      'C1: the gateway answers make-rebill, make-rebill-sale and make-rebill-preauth; the client sends ' +
      'make-rebill, by profile one of the others.',
  },
  {
    id: 'G12-02',
    part: '12',
    origin: 'filled in',
    text:
      'C2: ids, amounts and codes are read as JSON string or number of any size, kept as text and written as ' +
      'strings.',
  },
  {
    id: 'G12-03',
    part: '12',
    origin: 'filled in',
    text: 'C3: the gateway answers a bad OAuth signature with 403; the client treats 401 and 403 as the same error.',
  },
  {
    id: 'G12-04',
    part: '12',
    origin: 'filled in',
    text:
      "C4: the capture control may hold the amount and currency sent, neither, or the original order's when none " +
      'were sent.',
  },
  {
    id: 'G12-05',
    part: '12',
    origin: 'filled in',
    text:
      'C5: path and signature of payout-form are by profile, by default HMAC-SHA1 under v2 and RSA-SHA256 under v4; the ' +
      'gateway accepts either method with its own key, under v4 RSA-SHA256 alone (S5.2-27).',
  },
  {
    id: 'G12-06',
    part: '12',
    origin: 'filled in',
    text: 'C6: pan-eligibility fields are accepted in both spellings.',
  },
  {
    id: 'G12-07',
    part: '12',
    origin: 'filled in',
    text: 'C7: void is accepted for preauth, sale and capture before settlement.',
  },
  {
    id: 'G12-08',
    part: '12',
    origin: 'filled in',
    text: 'C8: `cRes` and `paRes` are accepted in any case.',
  },
  {
    id: 'G12-09',
    part: '12',
    origin: 'filled in',
    text: 'C9: v2 create-card-ref replies `create-card-ref-response`; the client reads any type that is not an error.',
  },
  {
    id: 'G12-10',
    part: '12',
    origin: 'filled in',
    text: 'C10: `unknown` is not final for the client, which stops at its deadline and reports undecided.',
  },
  {
    id: 'G12-11',
    part: '12',
    origin: 'filled in',
    text: 'C11: return is never signed with the formula of sale.',
  },
  {
    id: 'G12-12',
    part: '12',
    origin: 'filled in',
    text:
      'C12: the client sends the `oauth_*` values in body and header, by profile in the header alone; the gateway ' +
      'accepts both and counts each name once.',
  },
  {
    id: 'G12-13',
    part: '12',
    origin: 'filled in',
    text: 'C13: the wait for the 3DS Method is 10 s by default and configurable.',
  },
]
