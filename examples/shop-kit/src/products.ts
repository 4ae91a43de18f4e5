export interface Product {
  readonly id: string
  readonly name: string
  readonly about: string
  /** In major units with a dot: amounts are text. */
  readonly price: string
  readonly currency: string
  /** `sale`: the card is charged at once. `preauth`: the amount is reserved, and captured when the goods leave. */
  readonly kind: 'sale' | 'preauth'
}

export const products: readonly Product[] = [
  {
    id: 'hazel',
    name: 'Tally stick of hazel',
    about: 'Split by hand, notched to your debt. The halves match, or your money back.',
    price: '10.42',
    currency: 'USD',
    kind: 'sale',
  },
  {
    id: 'willow',
    name: 'Tally stick of willow',
    about: 'Light in the hand and quick to cut, for debts that will not last.',
    price: '7.00',
    currency: 'EUR',
    kind: 'sale',
  },
  {
    id: 'yew',
    name: 'Set of yew, cut to order',
    about: 'Three sticks from one branch. We reserve the price now and charge it when the sticks leave the workshop.',
    price: '120.00',
    currency: 'EUR',
    kind: 'preauth',
  },
  {
    id: 'ash',
    name: 'A stick of ash every month',
    about: 'The first one comes today. The gateway, not our shop, stores your card and charges it for the next ones.',
    price: '15.00',
    currency: 'USD',
    kind: 'sale',
  },
]
