/** Certificates for the loopback, made by the `openssl` of this machine and never kept. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from '../../../../scripts/install/run.ts'

interface Pair {
  readonly cert: string
  readonly key: string
}

export interface Certificates {
  /** The authority that a program is to trust. */
  readonly authority: string
  readonly trusted: Pair
  readonly stranger: Pair
  readonly 'other-host': Pair
  readonly expired: Pair
}

const HERE = 'subjectAltName=DNS:localhost,IP:127.0.0.1'

/** @throws Error if there is no `openssl` on the path */
export async function makeCertificates(folder: string): Promise<Certificates> {
  const openssl = (...args: readonly string[]) => run('openssl', args, folder)
  const key = ['-newkey', 'rsa:2048', '-nodes']
  const authority = async (name: string) => {
    const basics = ['-addext', 'keyUsage=critical,keyCertSign', '-days', '2', '-subj', `/CN=${name}`]
    await openssl('req', '-x509', ...key, ...basics, '-keyout', `${name}.key`, '-out', `${name}.pem`)
  }
  const signed = async (name: string, by: string, names: string, days: string): Promise<Pair> => {
    writeFileSync(join(folder, `${name}.ext`), `${names}\nextendedKeyUsage=serverAuth\n`)
    await openssl('req', ...key, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    const of = ['-CA', `${by}.pem`, '-CAkey', `${by}.key`, '-CAcreateserial', '-extfile', `${name}.ext`]
    await openssl('x509', '-req', '-in', `${name}.csr`, ...of, '-days', days, '-out', `${name}.pem`)
    return { cert: text(`${name}.pem`), key: text(`${name}.key`) }
  }
  const text = (file: string) => readFileSync(join(folder, file), 'utf8')
  await authority('authority')
  await authority('nobody')
  return {
    authority: text('authority.pem'),
    trusted: await signed('trusted', 'authority', HERE, '2'),
    stranger: await signed('stranger', 'nobody', HERE, '2'),
    'other-host': await signed('other-host', 'authority', 'subjectAltName=DNS:shop.example.com', '2'),
    expired: await signed('expired', 'authority', HERE, '-1'),
  }
}
