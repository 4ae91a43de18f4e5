import type { AbstractHttpAdapter } from '@nestjs/core'
import type { Outbound } from '@tallystick/client'

/** Writes the status and headers of a response, whatever the platform. */
export function writeHead(adapter: AbstractHttpAdapter, response: unknown, { status, headers }: Outbound): void {
  adapter.status(response, status)
  for (const [name, value] of Object.entries(headers)) adapter.setHeader(response, name, value)
}
