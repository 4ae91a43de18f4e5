import pg from 'pg'

/** The values of `sslmode`. The driver would take any other word for one of them. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

const ADDRESS = /^postgres(ql)?:\/\//
/** This machine, or a socket in a folder of it. */
const LOOPBACK = /^(\/.*|localhost|127(\.\d{1,3}){3}|::1)$/

/**
 * Refuses an address that cannot lead to a server, and one that would send payers' names in the clear. The address holds a
 * password, so no message quotes it.
 *
 * @throws TypeError
 */
export function requireAddress(connectionString: string, allowPlainConnection: boolean): void {
  const { host, isVerified } = understood(connectionString)
  if (isVerified || allowPlainConnection || LOOPBACK.test(host)) return
  throw wrong(
    'beyond this machine it needs sslmode=verify-full, else others may read what is written; ' +
      'if the network itself is safe, set allowPlainConnection: true',
  )
}

/** As the driver will understand it, with what it takes from the environment: `PGHOST`, `PGSSLMODE`. */
function understood(connectionString: string): { readonly host: string; readonly isVerified: boolean } {
  if (typeof connectionString !== 'string' || !ADDRESS.test(connectionString)) {
    throw wrong('must be an address such as postgres://user:password@host/database')
  }
  requireSslMode(connectionString)
  try {
    // The client does not connect until it is told to.
    const { host, ssl } = new pg.Client({ connectionString })
    return { host, isVerified: isVerifying(ssl) }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw wrong('names a certificate or key that cannot be read')
    throw wrong('is no address: in a password, characters such as / ? # @ : are written as %2F %3F %23 %40 %3A')
  }
}

function requireSslMode(connectionString: string): void {
  const [, mode] = /[?&]sslmode=([^&#]*)/.exec(connectionString) ?? []
  if (mode === undefined || SSL_MODES.includes(mode)) return
  throw wrong(`sslmode must be one of ${SSL_MODES.join(', ')}`)
}

/** `ssl` is `true`, or the options of Node's TLS, which verifies unless they say otherwise. */
function isVerifying(ssl: unknown): boolean {
  if (typeof ssl !== 'object' || ssl === null) return ssl === true
  return !('rejectUnauthorized' in ssl && ssl.rejectUnauthorized === false) && !('checkServerIdentity' in ssl)
}

function wrong(what: string): TypeError {
  return new TypeError(`connectionString: ${what}`)
}
