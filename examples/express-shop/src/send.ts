import type { Outbound } from '@tallystick/client'
import type { Response } from 'express'

export function send(response: Response, { status, headers, body }: Outbound): void {
  response.status(status).set(headers).send(body)
}
