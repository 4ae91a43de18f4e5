import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packAll } from '../../../../scripts/install/pack.ts'
import { run } from '../../../../scripts/install/run.ts'
import { findFences } from '../../../../scripts/readme/fences.ts'
import { root } from '../../../../scripts/workspace.ts'
import { RUNTIMES, type Runtime } from './runtime.ts'

/** Installs the packed packages and the runtimes into a folder, and writes what workerd needs. */

/** The versions that the proof was tried with. `esbuild` bundles the worker, as the tools of Workers do. */
const OTHERS = { esbuild: '0.28.2', hono: '4.13.19' }

export async function installIn(folder: string, authority: string): Promise<void> {
  const packed = await packAll(folder)
  const ours = Object.fromEntries(Object.entries(packed).map(([name, archive]) => [name, `file:${archive}`]))
  const runtimes = Object.fromEntries(Object.values<Runtime>(RUNTIMES).flatMap(({ installed }) => installed ?? []))
  const dependencies = { ...ours, ...OTHERS, ...runtimes }
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ private: true, type: 'module', dependencies, overrides: ours }),
  )
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts'], folder)
  cpSync(join(import.meta.dirname, 'programs'), join(folder, 'programs'), { recursive: true })
  writeFileSync(join(folder, 'authority.pem'), authority)
  await bundleWorker(folder)
}

/** The same program, with the transport of the documentation and without the client's own. */
async function bundleWorker(folder: string): Promise<void> {
  cpSync(join(folder, 'programs'), join(folder, 'worker'), { recursive: true })
  writeFileSync(
    join(folder, 'worker/own-transport.ts'),
    `${documentedTransport()}\nexport const ownTransport = fetchTransport\n`,
  )
  const banner = "import { createRequire } from 'node:module'; const require = createRequire('/worker.js');"
  const target = ['--format=esm', '--platform=node', '--conditions=workerd,worker,browser', `--banner:js=${banner}`]
  await run(
    join(folder, 'node_modules/.bin/esbuild'),
    ['worker/worker.ts', '--bundle', ...target, '--outfile=worker.js'],
    folder,
  )
  writeFileSync(join(folder, 'worker.capnp'), WORKER)
}

/** The code of the page, so that the proof is about what is documented. */
function documentedTransport(): string {
  const fences = findFences(readFileSync(join(root, 'docs/runtimes.md'), 'utf8'))
  const found = fences.find(({ code }) => code.includes('export function fetchTransport'))
  if (found === undefined) throw new Error('docs/runtimes.md shows no fetchTransport')
  return found.code
}

const WORKER = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustedCertificates = [embed "authority.pem"]))),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-08-01",
  compatibilityFlags = ["nodejs_compat"],
);
`

/** Certificates for the loopback, made by the `openssl` of this machine and never kept. */

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
