export interface Product {
  readonly id: string
  readonly name: string
  /** In major units with a dot. */
  readonly price: string
  readonly currency: string
}

export const products: readonly Product[] = [
  { id: 'hazel', name: 'Tally stick of hazel', price: '10.42', currency: 'USD' },
  { id: 'willow', name: 'Tally stick of willow', price: '7.00', currency: 'EUR' },
  {
    id: 'yew',
    name: 'Tally stick of yew, priced in a currency that the gateway does not take',
    price: '9.50',
    currency: 'GBP',
  },
]
