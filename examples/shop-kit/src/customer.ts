/** Who buys. A shop knows it from the account or asks for it at the checkout; here it is always the same person. */
export const customer = {
  firstName: 'John',
  lastName: 'Smith',
  address1: '100 Main st',
  city: 'Seattle',
  state: 'WA',
  zipCode: '98102',
  country: 'US',
  phone: '+12063582043',
  email: 'john.smith@example.com',
} as const
