import { field, filledIn, stated } from '../models/field.ts'
import { digits, flag, phone as phoneFormat, text } from '../models/formats.ts'

/** Who receives a payout or a transfer, and where. Interface part 2, gaps part 3.2 and 13. */

const origin = stated('2', '3.1')

export const receiverFirstName = field('receiver_first_name', text(128), origin, "The receiver's first name.")
export const receiverMiddleName = field('receiver_middle_name', text(128), origin, "The receiver's middle name.")
export const receiverLastName = field('receiver_last_name', text(128), origin, "The receiver's last name.")
export const receiverPhone = field(
  'receiver_phone',
  phoneFormat,
  origin,
  "The receiver's telephone number: the address of a fast payment.",
)
export const receiverResident = field(
  'receiver_resident',
  flag,
  origin,
  'Whether the receiver is a resident of the country.',
)
export const receiverDocumentSeries = field(
  'receiver_identity_document_series',
  text(128),
  origin,
  "The series of the receiver's identity document.",
)
export const receiverDocumentNumber = field(
  'receiver_identity_document_number',
  text(128),
  origin,
  "The number of the receiver's identity document.",
)
export const receiverDocumentId = field(
  'receiver_identity_document_id',
  text(128),
  origin,
  "The kind of the receiver's identity document.",
)
export const receiverAddress1 = field('receiver_address1', text(256), origin, "The receiver's street and house.")
export const receiverCity = field('receiver_city', text(128), origin, "The receiver's city.")

export const accountNumber = field('account_number', text(128), stated('2', '3.2'), 'The bank account that receives.')
export const bankName = field('bank_name', text(128), stated('2', '3.2'), 'The bank of the account.')
export const bankBranch = field('bank_branch', text(128), stated('2', '3.2'), 'The branch of the bank.')
export const bankProvince = field('bank_province', text(128), filledIn('3.2'), 'The province of the bank.')
export const bankCity = field('bank_city', text(128), filledIn('3.2'), 'The city of the bank.')
export const routingNumber = field('routing_number', digits(1, 20), filledIn('3.2'), 'The routing number of the bank.')

export const destinationWallet = field(
  'destination_wallet',
  text(128),
  filledIn('13'),
  'The electronic wallet that receives.',
)
export const destinationWalletType = field(
  'destination_wallet_type',
  text(128),
  filledIn('13'),
  'The kind of the wallet.',
)
