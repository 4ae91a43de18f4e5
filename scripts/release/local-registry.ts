/** A registry on this machine: what is published stays here, and everything else comes from the registry of this machine's npm. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, openSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { run } from '../install/run.ts'

/** Installed into the folder of the registry alone. 6.10 asks for a node-fetch that is not published. */
const VERDACCIO = { dependencies: { verdaccio: '6.10.4' }, overrides: { 'node-fetch': '2.7.0' } }

const OURS = ['@tallystick/*', 'tallystick', 'create-tallystick']

export interface LocalRegistry {
  readonly url: string
  /** With which npm and pnpm know this registry alone, and no credentials of this machine. */
  readonly environment: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

export async function localRegistry(folder: string): Promise<LocalRegistry> {
  mkdirSync(folder, { recursive: true })
  const inFolder = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  inFolder('package.json', JSON.stringify({ private: true, ...VERDACCIO }))
  await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'], folder)

  const port = await freePort()
  const url = `http://127.0.0.1:${port}/`
  const everybody = { access: '$all', publish: '$all', unpublish: '$all' }
  const configuration = {
    storage: join(folder, 'storage'),
    uplinks: { npm: { url: (await run('npm', ['config', 'get', 'registry'], folder)).trim(), timeout: '60s' } },
    packages: {
      ...Object.fromEntries(OURS.map((name) => [name, everybody])),
      '**': { access: '$all', proxy: 'npm' },
    },
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    web: { enable: false },
    max_body_size: '50mb',
    log: { type: 'stdout', format: 'json', level: 'warn' },
  }
  // JSON is YAML.
  const config = inFolder('config.yaml', JSON.stringify(configuration))
  const log = openSync(join(folder, 'log'), 'a')
  const program = join(folder, 'node_modules', 'verdaccio', 'bin', 'verdaccio')
  const server = spawn(process.execPath, [program, '--config', config, '--listen', `127.0.0.1:${port}`], {
    cwd: folder,
    stdio: ['ignore', log, log],
  })
  await answers(`${url}-/ping`)
  // Publishing asks for a token, whatever it is.
  const userConfig = inFolder('npmrc', `registry=${url}\n//127.0.0.1:${port}/:_authToken=nobody\n`)
  return {
    url,
    environment: {
      NPM_CONFIG_REGISTRY: url,
      PNPM_CONFIG_REGISTRY: url,
      NPM_CONFIG_USERCONFIG: userConfig,
      PNPM_CONFIG_NPMRC_AUTH_FILE: userConfig,
      NPM_CONFIG_CACHE: join(folder, 'cache'),
    },
    close: async () => {
      const ended = once(server, 'close')
      server.kill('SIGTERM')
      await ended
    },
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

async function answers(url: string): Promise<void> {
  for (let tried = 0; tried < 300; tried++) {
    if ((await fetch(url).catch(() => undefined))?.ok) return
    await setTimeout(100)
  }
  throw new Error(`the registry does not answer at ${url}`)
}
