/**
 * How far a timestamp may be from the present, either side, in seconds (gaps part 13). What is older is refused, so it
 * need not be remembered.
 */
export const NONCE_WINDOW_SECONDS = 300
