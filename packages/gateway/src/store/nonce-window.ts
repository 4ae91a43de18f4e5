/**
 * How far a timestamp may be from the present in either direction, in seconds (gaps part 13). An older one is refused, so
 * its nonce need not be remembered.
 */
export const NONCE_WINDOW_SECONDS = 300
