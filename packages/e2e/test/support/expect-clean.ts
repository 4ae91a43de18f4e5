import { expect } from 'vitest'
import { type Channel, formsOf, type Secret, scan } from './secret-scan.ts'

/** Expects that the channels are clean, and that the same scan finds every secret that is planted in each of them. */
export function expectClean(channels: readonly Channel[], secrets: readonly Secret[]): void {
  for (const { name, bytes } of channels) expect([name, bytes.length > 0]).toEqual([name, !name.includes('stderr')])
  expect(scan(channels, secrets)).toEqual([])
  const planted = channels.map((channel) => plantedIn(channel, secrets))
  expect(scan(planted, secrets)).toEqual(planted.flatMap((channel) => everyForm(channel, secrets)))
}

/** The whole channel with each form of each secret added in the middle, as a value of its own. */
function plantedIn(channel: Channel, secrets: readonly Secret[]): Channel {
  const { bytes, written } = channel
  const middle = bytes.indexOf(0x0a, bytes.length / 2) + 1
  const values = plantedValues(secrets)
  const planted = { ...channel, bytes: Buffer.concat([bytes.subarray(0, middle), values, bytes.subarray(middle)]) }
  if (written === undefined) return planted
  const isWritten = Buffer.alloc(values.length, 1)
  return { ...planted, written: Buffer.concat([written.subarray(0, middle), isWritten, written.subarray(middle)]) }
}

function plantedValues(secrets: readonly Secret[]): Buffer {
  const values = secrets.flatMap(formsOf).flatMap(({ pattern }) => [Buffer.from('"'), pattern, Buffer.from('"\n')])
  return Buffer.concat(values)
}

function everyForm({ name }: Channel, secrets: readonly Secret[]): readonly string[] {
  return secrets.flatMap(formsOf).map(({ secret, form }) => `${secret} in ${name}, as ${form}`)
}
