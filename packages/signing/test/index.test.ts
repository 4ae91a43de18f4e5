import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as signing from '../src/index.ts'

const root = new URL('../src/', import.meta.url)
const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => [name, readFileSync(new URL(name, root), 'utf8')] as const)

describe('the package', () => {
  test('exports these functions and nothing else at run time', () => {
    expect(Object.keys(signing).sort()).toEqual([
      'SigningError',
      'baseStringUri',
      'decodeParameters',
      'explainControl',
      'explainOAuth',
      'formatAuthorizationHeader',
      'hmacKey',
      'normalizeParameters',
      'parseAuthorizationHeader',
      'percentEncode',
      'replayGuard',
      'rsaPrivateKey',
      'rsaPublicKey',
      'signControl',
      'signOAuth',
      'signOAuthAsync',
      'signatureBaseString',
      'verifyControl',
      'verifyOAuth',
      'verifyOAuthAsync',
    ])
  })

  test.for(sources)('imports only node:crypto and its own files in %s', ([, source]) => {
    const imported = Array.from(source.matchAll(/from '([^']+)'/g), (match) => match[1])
    expect(imported.filter((name) => name !== 'node:crypto' && !/^\.{1,2}\/[\w./-]+\.ts$/.test(String(name)))).toEqual(
      [],
    )
  })

  test.for(sources)('reads no clock and no randomness in %s', ([, source]) => {
    expect(source).not.toMatch(/Date\b|performance\b|Math\.random|\bimport.*random|getRandomValues|process\./)
  })
})
