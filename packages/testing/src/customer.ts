/**
 * The customer in the requests of the builders: `saleInput({ ...customer, email: 'another@example.com' })`. No real
 * person.
 */
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
