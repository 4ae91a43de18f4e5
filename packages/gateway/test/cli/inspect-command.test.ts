import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import { afterEach, expect, test, vi } from 'vitest'
import { askGateway } from '../../src/cli/inspect-command.ts'
import { newKey } from '../../src/cli/read-configuration.ts'
import { OPERATOR_KEY } from '../../src/requests/operator-access.ts'

const { userInfo } = os

afterEach(() => {
  vi.unstubAllEnvs()
  giveUserInfo(userInfo)
})

/** For every module that has imported it. */
function giveUserInfo(given: typeof os.userInfo): void {
  os.userInfo = given
  syncBuiltinESMExports()
}

test.runIf(process.getuid)(
  '[F-B2] [F-D12] a gateway is asked under a number that no user has, as in a container, which stands for the name',
  async () => {
    vi.stubEnv(OPERATOR_KEY, newKey())
    giveUserInfo(() => {
      throw new Error('A system error occurred: uv_os_get_passwd returned ENOENT (no such file or directory)')
    })
    const server = createServer((request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' }).end(String(request.headers['tallystick-operator']))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const question = {
      config: undefined,
      url: `http://127.0.0.1:${port}`,
      method: 'POST',
      path: '/',
      done: /^/,
    } as const
    const { text } = await askGateway(question, () => {
      throw new Error('There is no configuration')
    })
    expect(decodeURIComponent(text)).toBe(`uid ${process.getuid?.()}`)
    server.closeAllConnections()
    server.close()
  },
)
