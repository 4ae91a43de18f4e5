const THIS_MACHINE = /^https?:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?:[:/]|$)/i

/** Whether an address is of this machine, by its name alone. */
export function isOnThisMachine(url: string): boolean {
  return THIS_MACHINE.test(url)
}
