import { field, filledIn, respelled, stated } from '../models/field.ts'
import {
  birthday as birthdayFormat,
  country as countryFormat,
  digits,
  email as emailFormat,
  ipAddress,
  phone as phoneFormat,
  text,
} from '../models/formats.ts'

/** The person who pays. Interface part 2, gaps part 3.1. */

const origin = stated('2', '3.1')

export const firstName = field('first_name', text(50), origin, "The payer's first name.")
export const middleName = field('middle_name', text(50), origin, "The payer's middle name.")
export const lastName = field('last_name', text(50), origin, "The payer's last name.")
export const ssn = field('ssn', digits(4, 32), origin, 'The last four digits of the social security number.')
export const birthday = field('birthday', birthdayFormat, origin, "The payer's day of birth.")
export const address1 = field('address1', text(256), origin, "The payer's street and house.")
export const city = field('city', text(50), origin, "The payer's city.")
export const state = field(
  'state',
  text(3, 'Send its postal letters, such as "WA", not its name.'),
  origin,
  "The payer's state, as its postal letters.",
)
export const zipCode = field('zip_code', text(10), origin, "The payer's postal code.")
export const country = field(
  'country',
  countryFormat,
  origin,
  "The payer's country. US, CA and AU need `state` as well, as its postal letters.",
)
export const phone = field('phone', phoneFormat, origin, "The payer's telephone number.")
export const cellPhone = field('cell_phone', phoneFormat, origin, "The payer's mobile telephone number.")
export const email = field('email', emailFormat(50), origin, "The payer's e-mail address.")
export const customerIp = field('ipaddress', ipAddress, origin, "The payer's network address.")

/** As the v4 operations bound them: longer (gaps part 3.1). */
export const longer = {
  firstName: { ...firstName, format: text(128) },
  middleName: { ...middleName, format: text(128) },
  lastName: { ...lastName, format: text(128) },
  city: { ...city, format: text(128) },
  email: { ...email, format: emailFormat(128) },
}

const v4 = { origin: filledIn('3.4') }

/** As the v4 recurring operations spell and bound them: hyphens, and longer (gaps part 3.4). */
export const recurring = {
  firstName: respelled(longer.firstName, 'first-name', v4),
  lastName: respelled(longer.lastName, 'last-name', v4),
  address1: respelled(address1, 'address1', v4),
  city: respelled(longer.city, 'city', v4),
  state: respelled(state, 'state', v4),
  zipCode: respelled(zipCode, 'zip-code', v4),
  country: respelled(country, 'country', v4),
  phone: respelled(phone, 'phone', { format: text(128), ...v4 }),
  email: respelled(longer.email, 'email', v4),
  customerIp: respelled(customerIp, 'customer-ip', v4),
}
