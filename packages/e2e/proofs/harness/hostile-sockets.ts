import type { Socket } from 'node:net'

/** Sends a beginning, and then more again and again for as long as the other side reads. */
export function pour(socket: Socket, begin: string, more: string): void {
  const on = () => {
    while (!socket.destroyed && socket.write(more));
  }
  socket.write(begin)
  socket.on('drain', on)
  on()
}

/** Sends a beginning, and then the text a character at a time, without end. */
export function drip(socket: Socket, begin: string, text: string, everyMs: number): void {
  let at = 0
  socket.write(begin)
  const timer = setInterval(() => socket.write(text.charAt(at++ % text.length)), everyMs)
  socket.on('close', () => clearInterval(timer))
}
