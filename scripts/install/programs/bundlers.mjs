import { execFile, execSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { startGateway } from '@tallystick/testing'

for (const command of readFileSync('bundle.sh', 'utf8').replaceAll('\\\n', '').trim().split('\n')) {
  execSync(command, { stdio: 'pipe' })
  const [, bundle = ''] = /file(?:name)?=(\S+)/.exec(command) ?? []
  const cwd = mkdtempSync('../bundle-') // nothing is installed there but what the command leaves out
  cpSync(bundle, `${cwd}/${bundle}`)
  mkdirSync(`${cwd}/node_modules`)
  const [, left] = /external:(\S+)/.exec(command) ?? []
  if (left) symlinkSync(`${process.cwd()}/node_modules/${left}`, `${cwd}/node_modules/${left}`)
  const gateway = await startGateway()
  const { baseUrl: GATEWAY_URL, login: LOGIN, controlKey, endpointId: ENDPOINT_ID } = gateway.merchant
  const env = { ...process.env, GATEWAY_URL, LOGIN, CONTROL_KEY: controlKey.reveal(), ENDPOINT_ID }
  const { stdout } = await promisify(execFile)(process.execPath, [bundle], { cwd, env })
  await gateway.settled()
  const [order] = await gateway.orders()
  await gateway.close()
  if (stdout !== 'accepted\n' || order?.status !== 'approved') throw new Error(`${command}: ${stdout}`)
}
