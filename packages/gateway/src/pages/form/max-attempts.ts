/** How often a form may be sent with details that cannot be accepted: whoever has its address must not try out cards. */
export const MOST_TRIES = 3
