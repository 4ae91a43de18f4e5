/** The cryptography that no gateway can do without, in bare calls of Node: what a request costs at the least, beside HTTP. */
import { createCipheriv, createHmac, createPublicKey, createSecretKey, randomBytes, verify } from 'node:crypto'

/** What to do with a body and its fields. */
export type Work = (body: string, fields: URLSearchParams) => void

/** RSA-SHA256 over the body. Verifying this signature costs as much as a right one over a text of the same length. */
export function verifyRsa(publicKey: string): Work {
  const key = createPublicKey(publicKey)
  const signature = Buffer.alloc(256, 1)
  return (body) => void verify('sha256', Buffer.from(body), key, signature)
}

/** HMAC-SHA1 over the body. */
export function verifyHmac(controlKey: string): Work {
  const key = createSecretKey(`${controlKey}&`, 'utf8')
  return (body) => void createHmac('sha1', key).update(body).digest('base64')
}

/** A card number under AES-256-GCM with a data key of its own, which is wrapped by another key (SAFETY part 6). */
export function sealCard(): Work {
  const wrappingKey = createSecretKey(randomBytes(32))
  return (_body, fields) => {
    const number = fields.get('credit_card_number') ?? ''
    const dataKey = randomBytes(32)
    encrypt(dataKey, Buffer.from(number))
    encrypt(wrappingKey, dataKey)
  }
}

function encrypt(key: Parameters<typeof createCipheriv>[1], plain: Uint8Array): Uint8Array {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(iv)
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}
