import { expect, test } from 'vitest'
import { keyBits } from '../../src/internal.ts'

test.for([
  ['a UUID', 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20', 128],
  ['32 hexadecimal digits', '9b74c9897bac770ffc029102a200c5de', 128],
  ['22 characters of base64url', 'Kq3vX9mZ-r7TbW2yNcP5_A', 132],
] as const)('a random key has the bits of its length: %s', ([, key, bits]) => {
  expect(keyBits(key)).toBe(bits)
})

test.for([
  ['digits alone, as one of 3 400 000 random hexadecimal keys is', '73190482650917348265019837462950', 128],
  ['small letters and digits alone, as one of 320 000 keys in base64 is', 'q7xk2vn9r4wz8hj3tp6cy5', 132],
  ['capitals alone, as one of 220 keys in base32 is', 'QZXKVJWPBGHDNRTSFYMQLCXWKZ', 156],
  ['words by accident, as one of eight keys in base32 has', 'OOYKUWJ2E3CZID2KZOZOLXAZME', 156],
  ['words by accident, as one of 1 000 keys in base64 has', 'LU7eiqmmndiVluga-SjyKw', 132],
  ['runs and repetitions by accident', 'd9b1111f06a2c5e80345673bd9b19ca2', 128],
] as const)('a random key counts fully if it has %s', ([, key, bits]) => {
  expect(keyBits(key)).toBe(bits)
})

test.for([
  '',
  '...',
  'hunter2-hunter2',
  'changeme',
  'changemechangemechangemechangemechangeme',
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
  '12345678901234567890123456789012345678901234567890',
  '0123456789abcdef0123456789abcdef',
  '00000000-0000-4000-8000-000000000000',
  'abcdefghijklmnopqrstuvwxyz0123456789',
  'qwertyuiopasdfghjklzxcvbnm1234567890',
  'shop-control-key-2026-production',
  'this-is-the-control-key-of-our-shop',
  'correct horse battery staple of the shop',
  'MySuperSecretControlKeyForThePaymentGateway123!',
  'SuperSecretPaymentPassword!2026',
  'SuperGeheimesKennwort!2026',
  'production-secret-control-key',
  'password-for-the-payments-2026',
  'ourMerchantControlKeyForTests',
  'OurShopControlKey2026Production',
  'Payment_Gateway_Control_Key_01',
  'thisisaverysecretcontrolkey',
  'THISISAVERYSECRETCONTROLKEY2026',
  'passwordpasswordpassword',
  '0123456789abcdef9b74c9897bac770f',
  'aaaabbbbccccddddeeeeffff00001111',
  '9b74c9899b74c9899b74c9899b74c989',
  'qwertyuiop1234567890asdf',
  '\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}\u{1F600}',
])('what people write has fewer than 128 bits: %j', (key) => {
  expect(keyBits(key)).toBeLessThan(128)
})

test.for([
  ['two bits for each character of writing', 'this-is-the-control-key-of-our-shop', 70],
  ['six for each sign of base64', 'Kq3vX9mZ+r7TbW2yNcP5/A', 132],
  ['six for its padding', 'Kq3vX9mZ+r7TbW2yNcP5/A==', 144],
  ['all for groups that only end in hexadecimal digits', 'z9b74c980-7bac61f2', 108],
  ['all for groups that only begin with them', '9b74c980-7bac61f2z', 108],
  ['all for letters of one case that random ones of base32 may be', 'mysupersecretcontrolkeyforus', 168],
  ['all for such capitals', 'MYSUPERSECRETCONTROLKEYFORUS', 168],
  ['all for hexadecimal digits with four patterns', 'a0777752d4567e1cfedc28b37775d9a0', 128],
] as const)('counts %s', ([, key, bits]) => {
  expect(keyBits(key)).toBe(bits)
})

test('repeated text in base64 counts fully only if two thirds of it are new', () => {
  expect(keyBits('Kq3vX9mZr7TbKq3vX9mZr7')).toBe(117)
  expect(keyBits('Kq3vX9mZr7TbW2yNcPKq3v')).toBe(132)
})
