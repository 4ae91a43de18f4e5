import type { Requirement } from '../requirement.ts'

/** Parts 6 to 9 of the specification: events, errors, limits and versioning. */
export const eventsErrorsLimitsVersions: readonly Requirement[] = [
  {
    id: 'S6-01',
    part: '6',
    origin: 'stated',
    text: 'The service sends no event stream.',
  },
  {
    id: 'S6-02',
    part: '6',
    origin: 'stated',
    text: 'A merchant can supply `server_callback_url` on payment operations.',
  },
  {
    id: 'S6-03',
    part: '6',
    origin: 'stated',
    text: 'The service then notifies that address of the final outcome.',
  },
  {
    id: 'S6-04',
    part: '6',
    origin: 'stated',
    text: 'The merchant can confirm the outcome with the status operation.',
  },
  {
    id: 'S7-01',
    part: '7',
    origin: 'stated',
    text: '400: validation error, ValidationErrorResponse (`application/vnd.pay+json`).',
  },
  {
    id: 'S7-02',
    part: '7',
    origin: 'stated',
    text: '500: server error, ServerErrorResponse (`application/vnd.pay+json`).',
  },
  {
    id: 'S7-03',
    part: '7',
    origin: 'stated',
    text: '403: bad OAuth signature.',
  },
  {
    id: 'S8-01',
    part: '8',
    origin: 'stated',
    text: '3DS Method wait: 10 seconds. After that `threeDSCompInd` is `N`.',
  },
  {
    id: 'S8-02',
    part: '8',
    origin: 'stated',
    text: 'RSA key: at least 2048 bits.',
  },
  {
    id: 'S8-03',
    part: '8',
    origin: 'stated',
    text: 'Amount in control string: cents.',
  },
  {
    id: 'S8-04',
    part: '8',
    origin: 'stated',
    text: 'Return may be partial. Void is always full.',
  },
  {
    id: 'S9-01',
    part: '9',
    origin: 'stated',
    text: 'The version is part of the path. Operations appear under `/api/3ds/v1`, `/api/v2` and `/api/v4`.',
  },
  {
    id: 'S9-02',
    part: '9',
    origin: 'stated',
    text: 'The machine-readable description carries the version label `dev`.',
  },
  {
    id: 'S9-03',
    part: '9',
    origin: 'stated',
    text: 'The v4 operations use RSA-SHA256 OAuth.',
  },
  {
    id: 'S9-04',
    part: '9',
    origin: 'stated',
    text: 'The v2 operations use either the control signature or HMAC-SHA1 OAuth.',
  },
]
