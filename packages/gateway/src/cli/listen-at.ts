import { type Listener, type ListenOptions, listen } from '../http/server.ts'
import { ConfigurationError } from './configuration-error.ts'

/** The errors for a `host` that is no address of this machine. */
const OTHER_HOST: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

/** Listens where a setting says. @throws ConfigurationError that names the setting */
export async function listenAt(
  setting: string,
  handle: Parameters<typeof listen>[0],
  at: ListenOptions,
): Promise<Listener> {
  try {
    return await listen(handle, at)
  } catch (error) {
    throw new ConfigurationError(cannotListen(setting, at, error as NodeJS.ErrnoException))
  }
}

function cannotListen(setting: string, { host, port }: ListenOptions, { code }: NodeJS.ErrnoException): string {
  if (code === 'EADDRINUSE') return `${setting}: ${port} on ${host} is taken (${code}): choose another for "${setting}"`
  if (!OTHER_HOST.has(code)) return `${setting}: cannot listen on ${port} of ${host} (${code})`
  const hostSetting = setting.replace('port', 'host').replace('Port', 'Host')
  return `${hostSetting}: ${host} is no address of this machine (${code}); 0.0.0.0 stands for all of its addresses`
}
