import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curlOf } from '../src/curl.ts'

test('[F-E12] a request as curl gives a shell the same method, address, headers and form', () => {
  const form = `order_desc=it's+"$HOME"+\`x\`&phone=%2B49`
  const command = curlOf(
    {
      version: 1,
      id: 1,
      half: 'gateway',
      type: 'request',
      at: 0,
      method: 'POST',
      path: '/paynet/api/v2/sale/1',
      headers: { accept: 'application/vnd.pay+json', 'user-agent': 'a shop' },
      form,
      bytes: 40,
    },
    'http://127.0.0.1:8080',
  )
  // A shell reads it, with a function in place of the command that prints what it was given.
  const printed = execFileSync('sh', [
    '-c',
    `curl() { for each in "$@"; do printf '%s\\n' "$each"; done; }\n${command}`,
  ])
  expect(printed.toString().split('\n').slice(0, -1)).toEqual([
    '-X',
    'POST',
    'http://127.0.0.1:8080/paynet/api/v2/sale/1',
    '-H',
    'accept: application/vnd.pay+json',
    '-d',
    form,
  ])
})
