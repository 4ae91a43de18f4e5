import type { Requirement } from '../requirement.ts'

/** Parts 1 and 2 of the gaps: addresses and the HTTP layer. */
export const transportGaps: readonly Requirement[] = [
  {
    id: 'G1-01',
    part: '1',
    origin: 'filled in',
    text: 'The base URL holds the path prefix of the brand and is configuration; no path in front of `/api` is fixed.',
  },
  {
    id: 'G1-02',
    part: '1',
    origin: 'filled in',
    text:
      'Group address: `/api/v2/<operation>/group/<id>` and `/api/v4/<operation>/group/<id>`; ' +
      'create-recurring-payment has none.',
  },
  {
    id: 'G1-03',
    part: '1',
    origin: 'filled in',
    text: 'The 3DS uploads take a group id in place of the endpoint id, without `/group/`.',
  },
  {
    id: 'G1-04',
    part: '1',
    origin: 'filled in',
    text: 'The control string holds whichever id is in the path, of an endpoint or of a group.',
  },
  {
    id: 'G2.1-01',
    part: '2.1',
    origin: 'filled in',
    text:
      'Classic reply, for a request without the special Accept: `text/html;charset=utf-8`, pairs of name and ' +
      'encoded value.',
  },
  {
    id: 'G2.1-02',
    part: '2.1',
    origin: 'filled in',
    text: 'In a classic reply every value ends with a line feed; a reader trims it.',
  },
  {
    id: 'G2.1-03',
    part: '2.1',
    origin: 'filled in',
    text: 'JSON reply: a flat object with the same kebab-case names as the classic one.',
  },
  {
    id: 'G2.1-04',
    part: '2.1',
    origin: 'filled in',
    text:
      'A rejected request is HTTP 200 with type `validation-error` or `error` in the classic format, HTTP 4xx in ' +
      'JSON.',
  },
  {
    id: 'G2.2-01',
    part: '2.2',
    origin: 'filled in',
    text: 'The gateway writes ids, amounts and codes as JSON strings.',
  },
  {
    id: 'G2.2-02',
    part: '2.2',
    origin: 'filled in',
    text: 'A switch of the gateway makes the order ids of acknowledgements and all error codes JSON numbers, as was seen (C2).',
  },
  {
    id: 'G2.3-01',
    part: '2.3',
    origin: 'filled in',
    text: 'A 4xx reply with a JSON body is read like any other reply; a declined request may be answered so.',
  },
  {
    id: 'G2.3-02',
    part: '2.3',
    origin: 'filled in',
    text: 'An error reply in another content type is classified by its HTTP status.',
  },
  {
    id: 'G2.4-01',
    part: '2.4',
    origin: 'filled in',
    text: 'White space at either end of a parameter is dropped; `&`, `+` and `"` inside it arrive unchanged.',
  },
  {
    id: 'G2.4-02',
    part: '2.4',
    origin: 'filled in',
    text: 'Which optional fields an endpoint requires is configuration.',
  },
  {
    id: 'G2.4-03',
    part: '2.4',
    origin: 'filled in',
    text: 'An empty field takes part in the OAuth base string as `name=`.',
  },
]
