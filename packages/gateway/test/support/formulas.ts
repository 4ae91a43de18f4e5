/** The Control column of part 4 of the specification, in its words, or of part 3.2 of the gaps if that shows none. */
export const FORMULAS = {
  uploaded: 'login + client-order-id + orderid + key',
  paid: 'endpointId + client_orderid + amount + email + key',
  verified: 'endpointId + client_orderid + email + key',
  modified: 'login + client_orderid + orderid + amount + currency + key',
  named: 'login + client_orderid + orderid + key',
  rebilled: 'login + client_orderid + cardrefid + amount + currency + key',
  informed: 'login + cardrefid + key',
} as const
